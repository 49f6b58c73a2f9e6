"""The frame of stamped pages, rendered once and cut open where each page differs."""

from collections.abc import Sequence
from functools import lru_cache

import jinja2
import msgspec
from markupsafe import Markup

from generator.model.base import LANGS, Lang, Text
from generator.render.environment import Texts, Words

# Markers that no text can hold: the templates escape what they are given, and NUL is not allowed in HTML.
_ROOT, _TITLE, _BANNER, _BODY = (f"\0{name}\0" for name in ("root", "title", "banner", "body"))


class Shell(msgspec.Struct, frozen=True):
    """The HTML of a page up to its title, up to its banner, up to its body, and from there.

    Each part holds the marker of the root prefix: pages stand at different depths.
    """

    before_title: str
    before_banner: str
    before_body: str
    after_body: str

    def at_depth(self, depth: int) -> "Shell":
        """With links that lead from a page `depth` folders below the root."""
        prefix = "../" * depth
        return Shell(*(part.replace(_ROOT, prefix) for part in msgspec.structs.astuple(self)))

    def fill(self, title: str, banner: str, body: str, shared: "SharedBlocks | None" = None) -> bytes:
        """The page. All three are HTML, `shared` what the markers in the body stand for; the shell must have its
        depth."""
        parts = (self.before_title, title, self.before_banner, banner, self.before_body, body, self.after_body)
        page = "".join(parts).encode("utf-8")
        return page if shared is None else shared.set_in(page)


class SharedBlocks:
    """Blocks that stand on many pages, encoded once. A page holds a marker for each until it is whole: carrying and
    encoding the same text again on every page is a third of the cost of a page."""

    def __init__(self) -> None:
        self._blocks: list[bytes] = []

    def keep(self, html: Markup) -> Markup:
        """The marker of a block; nothing for nothing."""
        if not html:
            return html
        self._blocks.append(html.encode("utf-8"))
        return Markup(f"\0{len(self._blocks) - 1}\0")

    def set_in(self, page: bytes) -> bytes:
        """The page with the blocks in the place of their markers."""
        parts = page.split(b"\0")
        parts[1::2] = [self._blocks[int(place)] for place in parts[1::2]]
        return b"".join(parts)


def make_shell(
    environment: jinja2.Environment,
    texts: Texts,
    site_title: Text,
    theme_css: Sequence[str],
    policy: str,
    languages: Sequence[Lang] = LANGS,
    *,
    has_audit: bool = False,
) -> Shell:
    """The shell of a site.

    `theme_css` are addresses of the theme's style sheets, relative to the root of the site; `policy` is the element
    with the content security policy; `has_audit`: whether the site has the page of claims and evidence.

    Where the site is not built in English, English links lead to the Chinese pages.
    """
    html = environment.get_template("shell.html.j2").render(
        root=Markup(_ROOT),
        title=Markup(_TITLE),
        banner=Markup(_BANNER),
        body=Markup(_BODY),
        site_title=site_title,
        theme_css=list(theme_css),
        policy=Markup(policy),
        english=english_folder(languages),
        has_audit=has_audit,
        words=Words(texts),
    )
    before_title, rest = html.split(_TITLE)
    before_banner, rest = rest.split(_BANNER)
    before_body, after_body = rest.split(_BODY)
    return Shell(before_title.lstrip(), before_banner, before_body, after_body)


def english_folder(languages: Sequence[Lang]) -> str:
    """Where the English pages of the theme stand; empty where there are none."""
    return "en/" if "en" in languages else ""


@lru_cache(maxsize=64)
def placed(shell: Shell, depth: int) -> Shell:
    """`shell.at_depth(depth)`, made once."""
    return shell.at_depth(depth)
