"""Reads the HTML of a page: its numbers, references, links, fragments and loose digits."""

from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path

_VOID = frozenset(
    ["area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"]
)
_LOADS = {
    "script": "src", "img": "src", "iframe": "src", "source": "src", "video": "src", "audio": "src", "embed": "src",
    "object": "data",
}  # fmt: skip
_LOADING_RELS = frozenset(("stylesheet", "icon", "preload", "prefetch", "modulepreload", "preconnect", "manifest"))
_EXEMPT = frozenset(("pre", "bdi", "time", "script", "style", "title", "desc"))


@dataclass
class ShownNumber:
    """The text of a number: of the value, and of each part that follows it."""

    number: str
    href: str
    value: str = ""
    parts: dict[str, str] = field(default_factory=dict)


@dataclass
class ShownCount:
    """A count that stands alone but belongs to a number."""

    number: str
    part: str
    text: str = ""


@dataclass
class Page:
    numbers: list[ShownNumber] = field(default_factory=list)
    counts: list[ShownCount] = field(default_factory=list)
    links: list[str] = field(default_factory=list)
    loads: list[str] = field(default_factory=list)
    ids: set[str] = field(default_factory=set)
    loose_digits: list[str] = field(default_factory=list)


def read_page(path: Path, *, is_evidence: bool) -> Page:
    """Parse one page. On evidence pages a `code` holds the run's own measurements and is exempt from the search for
    loose digits; so is everything outside the main content."""
    reader = _Reader(is_evidence)
    reader.feed(path.read_text(encoding="utf-8"))
    reader.close()
    return reader.page


@dataclass
class _Open:
    tag: str
    exempt: bool
    number: ShownNumber | None
    part: str | None
    count: ShownCount | None


class _Reader(HTMLParser):
    def __init__(self, is_evidence: bool) -> None:
        super().__init__(convert_charrefs=True)
        self.page = Page()
        self._open: list[_Open] = []
        self._in_main = 0
        self._exempt_tags = _EXEMPT | {"code"} if is_evidence else _EXEMPT

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        self._collect(tag, given)
        if tag in _VOID:
            return
        above = self._open[-1] if self._open else _Open("", False, None, None, None)
        classes = given.get("class", "").split()
        opened = _Open(tag, above.exempt, above.number, above.part, above.count)
        opened.exempt |= tag in self._exempt_tags or bool({"ref", "num", "axis", "headerlink"} & set(classes))
        if "data-num" in given:
            opened.number = ShownNumber(given["data-num"], given.get("href", ""))
            self.page.numbers.append(opened.number)
        elif "data-of" in given:
            opened.count = ShownCount(given["data-of"], given.get("data-part", ""))
            self.page.counts.append(opened.count)
        elif "data-part" in given:
            opened.part = given["data-part"]
        self._open.append(opened)
        self._in_main += tag == "main"

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._collect(tag, {name: value or "" for name, value in attrs})

    def handle_endtag(self, tag: str) -> None:
        if not any(opened.tag == tag for opened in self._open):
            return
        while self._open:
            opened = self._open.pop()
            self._in_main -= opened.tag == "main"
            if opened.tag == tag:
                return

    def handle_data(self, data: str) -> None:
        top = self._open[-1] if self._open else None
        if top is None:
            return
        if top.number is not None and top.part is None:
            top.number.value += data
        elif top.number is not None and top.part is not None:
            top.number.parts[top.part] = top.number.parts.get(top.part, "") + data
        elif top.count is not None:
            top.count.text += data
        elif self._in_main and not top.exempt and any(character.isdigit() for character in data):
            self.page.loose_digits.append(" ".join(data.split()))

    def _collect(self, tag: str, given: dict[str, str]) -> None:
        for name in ("id", "name") if tag == "a" else ("id",):
            if given.get(name):
                self.page.ids.add(given[name])
        if tag in ("a", "area") and "href" in given:
            self.page.links.append(given["href"])
        if tag in _LOADS and given.get(_LOADS[tag]):
            self.page.loads.append(given[_LOADS[tag]])
        if tag == "link" and given.get("href"):
            loading = _LOADING_RELS & set(given.get("rel", "").split())
            (self.page.loads if loading else self.page.links).append(given["href"])
