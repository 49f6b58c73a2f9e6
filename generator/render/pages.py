"""Pages for readers: the docs tree of one language, as Markdown that holds raw HTML.

Markdown makes headings, and the prose of the pages written by hand. Whatever comes from the source is HTML already:
what stands in a heading has every character that Markdown reads written as an entity.
"""

import html
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import jinja2
from jinja2.runtime import Context
from markupsafe import Markup, escape

from generator.errors import RunciteError
from generator.model import addresses
from generator.model.base import Lang, Text
from generator.model.formatting import exact, value_text
from generator.model.numbers import Number
from generator.model.report import Report
from generator.model.visible import visible_again
from generator.render.bound import bound_text
from generator.render.compiled import CompiledTemplates
from generator.render.environment import Texts, Words, make_environment
from generator.render.escape import foreign, on_one_line
from generator.render.marking import with_names, with_values
from generator.render.quantities import count_text
from generator.resources import resource
from generator.views.frame import DrawnChart, Links, PageView
from generator.views.pages import example_view, navigation, site_pages

ASSETS = "assets"
HAND_WRITTEN = ("methods",)
NAVIGATION_TEXTS = "site.nav."

_ADDRESSES = (
    *("run_page", "run_evidence", "run_list_page", "number_page"),
    *("result_page", "statistics_page", "experiment_page", "chart_file"),
)
_MARKDOWN = re.compile(r"([\\`*_{}\[\]()#+\-.!|~^=:\"'<>&$@/])")
_GLUED = re.compile(r"(</(?:caption|dd|div|dt|li|p|summary|td|th)>)(?=<[a-z])")
"""Where the search, which takes the tags away, would make one word of two cells."""
_BLANK_LINES = re.compile(r"\n(?:[ \t]*\n)+")


class PageError(RunciteError):
    """A page written by hand asks for a number that the report does not have."""


def human_pages(
    report: Report, charts: Mapping[str, Sequence[DrawnChart]], lang: Lang, texts: Texts
) -> Iterator[tuple[str, bytes]]:
    """The docs tree of one language: pages as Markdown, and the assets.

    Parameters
    ----------
    report : Report
    charts : dict
        Charts of each batch, by batch id.
    texts : dict
        As `generator.read.texts.read_texts` gives them.

    Yields
    ------
    (path, bytes) : `path` below the docs folder, with forward slashes.

    Raises
    ------
    PageError
        A page written by hand names a number or a fact that is not there.
    """
    environment = page_environment(report, lang, texts)
    titles = _titles(lang, texts)
    for view in site_pages(report, charts, lang, titles):
        yield view.source_path, _page(environment, view, environment.get_template(view.template), lang)
    for name in HAND_WRITTEN:
        view = example_view(report, name, titles[name])
        written = resource("site_src") / lang / f"{name}.md"
        template = environment.from_string(written.read_text(encoding="utf-8"))
        yield view.source_path, _page(environment, view, template, lang)
    yield from _assets()


def site_nav(report: Report, lang: Lang, texts: Texts) -> list[object]:
    """The navigation of one language as MkDocs wants it, escaped: the theme prints titles as they are."""
    nav: list[object] = []
    for title, target in navigation(report, lang, _titles(lang, texts)):
        if isinstance(target, str):
            nav.append({_plain(title): target})
        else:
            nav.append({_plain(title): [{_plain(name): page} for name, page in target]})
    return nav


def page_environment(report: Report, lang: Lang, texts: Texts) -> jinja2.Environment:
    """The shared environment with what only pages for readers use."""
    environment = make_environment(texts, report.source.metrics)
    environment.finalize = _on_one_line
    environment.bytecode_cache = CompiledTemplates(f"pages, words {Words(texts).digest}")
    environment.filters |= {"visible": _visible, "one_line": _drawing_on_one_line}
    environment.filters |= {"prose": _prose, "defined": _defined, "plain_text": _plain_text}
    environment.filters |= {"prose_heading": _prose_heading, "defined_heading": _defined_heading}
    environment.filters |= {"file_name": addresses.file_name, "anchor": addresses.file_name, "short_run": _short_run}
    environment.globals["decision_link"] = _decision_link
    environment.globals |= {"ref": ref, "command": _command, "num": _num_by_id(report, environment)}
    environment.filters["bound"] = bound_text(report, environment)
    confidence = 1 - exact(report.source.publication.thresholds.alpha)
    environment.globals["confidence"] = value_text(confidence, "ratio", 0)
    environment.globals |= {"count_link": _count_link, "file_link": _file_link, "source": report.source}
    for name in _ADDRESSES:
        environment.globals[name] = getattr(addresses, name)
    return environment


def ref(text: object) -> Markup:
    """A marked reference: an id, a date, a version, a hash, a configured value."""
    return Markup('<span class="ref">{}</span>').format(_visible(str(text)))


def _visible(text: str) -> Markup:
    return on_one_line(foreign(text))


def _on_one_line(value: object) -> object:
    """What a template prints: HTML as it is, any other text without the line breaks that Markdown would obey."""
    return on_one_line(escape(value)) if isinstance(value, str) and not isinstance(value, Markup) else value


def _drawing_on_one_line(svg: str) -> Markup:
    """The names in a drawing come from the source too."""
    return Markup(svg.replace("\n", " "))


def _command(text: str) -> Markup:
    return Markup("<code>{}</code>").format(text)


@jinja2.pass_context
def _count_link(context: Context, target: str, count: int) -> Markup:
    """How many there are, as a link to the list of them."""
    return Markup('<a class="ref" href="{}">{}</a>').format(context["links"].to(target), count_text(count))


@jinja2.pass_context
def _file_link(context: Context, path: str) -> Markup:
    return Markup('<a class="ref" href="{}">{}</a>').format(context["links"].out(path), path)


@jinja2.pass_context
def _decision_link(context: Context, number: Number) -> str:
    """To what the number decides. An English link already has a fragment, which chooses the language."""
    href: str = context["links"].out(number.page)
    return href if "#" in href else f"{href}#decision"


def _short_run(run: str, batch: str) -> str:
    """The run's id without the batch's in front of it: lists of runs of one batch need the rest alone."""
    rest = run.removeprefix(batch).lstrip("-/")
    return rest or run


def _page(environment: jinja2.Environment, view: PageView, template: jinja2.Template, lang: Lang) -> bytes:
    links = Links(view.path, lang)
    body = template.render(
        view.context, lang=lang, here=links.address, links=links, to=links.to, out=links.out, page=view
    )
    banner = environment.get_template("partials/banner.html.j2").render(lang=lang) if view.banner else ""
    head = {"title": _plain(view.title), "hide": list(view.hide), **({"banner": banner} if banner else {})}
    lines = [f"{key}: {json.dumps(value, ensure_ascii=False)}" for key, value in head.items()]
    return "\n".join(["---", *lines, "---", _BLANK_LINES.sub("\n\n", _GLUED.sub(r"\1 ", body)).strip(), ""]).encode()


def _titles(lang: Lang, texts: Texts) -> dict[str, str]:
    return {
        key.removeprefix(NAVIGATION_TEXTS): text
        for key, text in texts[lang].items()
        if key.startswith(NAVIGATION_TEXTS)
    }


def _plain(text: str) -> str:
    return html.escape(visible_again(_one_line(text)), quote=False)


def _one_line(text: str) -> str:
    return " ".join(text.split())


@jinja2.pass_context
def _plain_text(context: Context, text: Text | str) -> str:
    """Text of the definitions as it is, for comparison and for attributes."""
    return text.in_language(context["lang"]) if isinstance(text, Text) else text


@jinja2.pass_context
def _prose(context: Context, text: Text | str) -> Markup:
    """Text of the definitions that states no figure; names with digits are marked as references."""
    return with_names(_plain_text(context, text))


@jinja2.pass_context
def _defined(context: Context, text: Text | str) -> Markup:
    """Text of the definitions that may hold configured values; all digits are marked as references."""
    return with_values(_plain_text(context, text))


@jinja2.pass_context
def _prose_heading(context: Context, text: Text | str) -> Markup:
    """As `prose`, with every character that Markdown reads written as an entity."""
    return with_names(_one_line(_plain_text(context, text)), _entities)


@jinja2.pass_context
def _defined_heading(context: Context, text: Text | str) -> Markup:
    """As `defined`, with every character that Markdown reads written as an entity."""
    return with_values(_one_line(_plain_text(context, text)), _entities)


def _entities(text: str) -> Markup:
    return Markup(_MARKDOWN.sub(lambda match: f"&#{ord(match[0])};", visible_again(text)))


def _num_by_id(report: Report, environment: jinja2.Environment) -> Any:
    """`num("batch/variant/metric")`, or `num(number)`, for pages written by hand."""
    number_macro = environment.globals["number"]

    @jinja2.pass_context
    def num(context: Context, number: str | Number, **shown: bool) -> Markup:
        if isinstance(number, str):
            found = report.find_number(number)
            if found is None:
                raise PageError(f"num({number!r}): no published batch has a number of this id")
            number = found
        text: Markup = number_macro(context, number, **shown)  # type: ignore[operator]
        return text

    return num


def _assets() -> Iterator[tuple[str, bytes]]:
    root = resource("site_src") / ASSETS
    # What stands in folders is large, and is published once for all languages.
    for file in sorted(path for path in Path(root).iterdir() if path.is_file()):
        yield f"{ASSETS}/{file.relative_to(root).as_posix()}", file.read_bytes()
