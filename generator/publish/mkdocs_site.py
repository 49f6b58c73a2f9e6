"""Builds the pages that people read with MkDocs, one language at a time, and writes their sitemap.

Each language is built into a folder of its own, because a clean build of `/` would delete `/en/`, and because one
search index for two languages mixes their words.
"""

import contextlib
import html
import logging
import os
import tempfile
import warnings
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from generator.errors import SiteError
from generator.model.base import Lang
from generator.model.publication import Publication
from generator.resources import resource

LANGUAGE_FOLDER: dict[Lang, str] = {"zh": "", "en": "en/"}
LANGUAGE_TAG: dict[Lang, str] = {"zh": "zh-CN", "en": "en"}
SITEMAP_LIMIT = 50_000

_PALETTE: dict[Lang, tuple[str, ...]] = {
    "zh": ("配色：跟随系统", "配色：浅色", "配色：深色"),
    "en": ("Colours: as the system", "Colours: light", "Colours: dark"),
}
_PERMALINK: dict[Lang, str] = {"zh": "本节地址", "en": "Address of this section"}


def build_language(
    docs: Path, out: Path, lang: Lang, nav: Sequence[object], publication: Publication, epoch: int
) -> None:
    """Build the docs tree of one language.

    Parameters
    ----------
    docs, out : Path
        The generated tree; the folder that receives the pages (it is emptied first).
    nav : list
        As in `mkdocs.yml`; titles already escaped.
    epoch : int
        Seconds since 1970: the only clock that the pages see.

    Raises
    ------
    SiteError
        MkDocs warned of something; the message holds all warnings.
    """
    with _environment(epoch), tempfile.TemporaryDirectory(prefix="runcite-words-") as words:
        from mkdocs.commands.build import build
        from mkdocs.exceptions import Abort, ConfigurationError

        _prepare_segmenter(Path(words))
        complaints = _Complaints()
        logger = logging.getLogger("mkdocs")
        logger.addHandler(complaints)
        try:
            configuration = _configuration(docs, out, lang, nav, publication)
            configuration.plugins["compiled templates"] = _theme_compiled_once()
            configuration.plugins["raw html"] = _raw_html()
            build(configuration)
        except (Abort, ConfigurationError) as error:
            said = "\n".join(complaints.messages) or str(error)
            raise SiteError(f"the pages ({lang}) could not be built:\n{said}") from error
        finally:
            logger.removeHandler(complaints)
    for source_map in sorted(out.glob("assets/**/*.map")):
        source_map.unlink()


def _theme_compiled_once() -> Any:
    from mkdocs.plugins import BasePlugin

    from generator.render.compiled import CompiledTemplates

    class ThemeCompiledOnce(BasePlugin):  # type: ignore[type-arg, no-untyped-call]
        def on_env(self, env: Any, *, config: Any, files: Any) -> Any:
            env.bytecode_cache = CompiledTemplates("theme")
            return env

    return ThemeCompiledOnce()


def _raw_html() -> Any:
    from generator.publish.raw_html import RawHtml

    return RawHtml()


def sitemap(pages: Iterable[str], publication: Publication) -> bytes | None:
    """`sitemap.xml` of pages that exist in every language, each with its other languages.

    `pages` are addresses below a language's root. None where the publication has no address, because a sitemap knows
    absolute addresses only.
    """
    if publication.address is None:
        return None
    root = publication.address.rstrip("/") + "/"
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml">',
    ]
    room = SITEMAP_LIMIT // len(publication.languages)
    for page in sorted(pages)[:room]:
        addresses = {lang: html.escape(f"{root}{LANGUAGE_FOLDER[lang]}{page}") for lang in publication.languages}
        links = "".join(
            f'<xhtml:link rel="alternate" hreflang="{tag}" href="{address}"/>'
            for tag, address in [
                *((LANGUAGE_TAG[lang], addresses[lang]) for lang in publication.languages),
                ("x-default", addresses[publication.languages[0]]),
            ]
        )
        lines.extend(f"<url><loc>{addresses[lang]}</loc>{links}</url>" for lang in publication.languages)
    lines.append("</urlset>\n")
    return "\n".join(lines).encode()


def _configuration(docs: Path, out: Path, lang: Lang, nav: Sequence[object], publication: Publication) -> Any:
    """The configuration of `mkdocs.yml` with what differs between languages and sources set in."""
    from mkdocs.config import load_config
    from mkdocs.utils.yaml import yaml_load

    file = resource("mkdocs.yml")
    with file.open(encoding="utf-8") as stream:
        written: dict[str, Any] = yaml_load(stream)
    theme = {
        **written["theme"],
        "language": lang,
        "palette": [
            {**entry, "toggle": {**entry["toggle"], "name": name}}
            for entry, name in zip(written["theme"]["palette"], _PALETTE[lang], strict=True)
        ],
    }
    extra = {
        **written["extra"],
        "alternate": len(publication.languages) > 1,
        "below_root": bool(LANGUAGE_FOLDER[lang]),
        "licence": html.escape(publication.licence) if publication.licence else None,
    }
    address = None if publication.address is None else publication.address.rstrip("/") + "/"
    return load_config(
        config_file=str(file),
        docs_dir=str(docs.absolute()),
        site_dir=str(out.absolute()),
        site_name=html.escape(publication.title.in_language(lang)),
        site_url=None if address is None else address + LANGUAGE_FOLDER[lang],
        theme=theme,
        extra=extra,
        plugins=[{"search": search_options(lang)}],
        markdown_extensions=[*_extensions(written["markdown_extensions"], lang)],
        nav=list(nav),
        hooks=[],
        watch=[],
        strict=True,
    )


def search_options(lang: Lang) -> dict[str, object]:
    """Chinese words are segmented when indexed; the stemmer and stop words of the search would lose them."""
    return {"lang": "zh", "pipeline": []} if lang == "zh" else {"lang": "en"}


def _extensions(written: list[Any], lang: Lang) -> Iterator[object]:
    for extension in written:
        if isinstance(extension, dict) and "toc" in extension:
            yield {"toc": {**extension["toc"], "permalink_title": _PERMALINK[lang]}}
        else:
            yield extension


@contextlib.contextmanager
def _environment(epoch: int) -> Iterator[None]:
    """The variables that MkDocs and the theme read, for as long as a build lasts."""
    wanted = {"SOURCE_DATE_EPOCH": str(epoch), "NO_MKDOCS_2_WARNING": "true"}
    before = {name: os.environ.get(name) for name in wanted}
    os.environ.update(wanted)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value


def _prepare_segmenter(cache: Path) -> None:
    """Teach jieba the words of this field, with a cache of our own: its default is a file that all users share."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import jieba
    # Where it cannot keep its cache it prints a traceback and goes on: a full disk is told by what needs the disk.
    jieba.setLogLevel(logging.CRITICAL)
    if not jieba.dt.initialized:
        jieba.dt.tmp_dir = str(cache)
        with (resource("site_src") / "search_words.txt").open("rb") as words:
            jieba.load_userdict(words)


class _Complaints(logging.Handler):
    """Keeps what MkDocs warns of, so that a refused build says all of it."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.messages: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.messages.append(record.getMessage())
