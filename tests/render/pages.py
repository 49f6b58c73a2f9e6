"""A page, read as a browser would: elements with their texts and attributes."""

from dataclasses import dataclass, field
from html.parser import HTMLParser
from itertools import pairwise

_VOID = {"meta", "link", "br", "hr", "img", "input"}


@dataclass
class Element:
    tag: str
    attributes: dict[str, str]
    parent: "Element | None"
    text: str = ""
    children: list["Element"] = field(default_factory=list)

    @property
    def classes(self) -> list[str]:
        return self.attributes.get("class", "").split()

    def inside(self, tag: str) -> bool:
        return self.tag == tag or (self.parent is not None and self.parent.inside(tag))


class ReadPage(HTMLParser):
    """Fails where an element is closed that is not the one open, as a browser would silently repair."""

    def __init__(self, html: str) -> None:
        super().__init__(convert_charrefs=True)
        self.elements: list[Element] = []
        self._open: list[Element] = []
        self.feed(html)
        self.close()
        assert not self._open, f"never closed: {self._open[-1].tag}"

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        element = Element(tag, {name: value or "" for name, value in attrs}, self._open[-1] if self._open else None)
        self.elements.append(element)
        if element.parent is not None:
            element.parent.children.append(element)
        if tag not in _VOID:
            self._open.append(element)

    def handle_endtag(self, tag: str) -> None:
        closed = self._open.pop()
        assert closed.tag == tag, f"{closed.tag} closed by {tag}"

    def handle_data(self, data: str) -> None:
        for element in self._open:
            element.text += data

    def all(self, tag: str, class_: str | None = None) -> list[Element]:
        return [found for found in self.elements if found.tag == tag and (class_ is None or class_ in found.classes)]

    def by_id(self, name: str) -> Element:
        return next(found for found in self.elements if found.attributes.get("id") == name)

    def section(self, name: str) -> Element:
        """What the heading of that id stands in."""
        section = self.by_id(name).parent
        assert section is not None
        return section

    @property
    def ids(self) -> list[str]:
        return [found.attributes["id"] for found in self.elements if "id" in found.attributes]

    @property
    def headings(self) -> list[int]:
        return [int(found.tag[1]) for found in self.elements if found.tag in ("h1", "h2", "h3", "h4")]


def assert_sound(page: ReadPage) -> None:
    """What holds for every stamped page."""
    assert len(page.ids) == len(set(page.ids)), "ids are unique"
    headings = page.headings
    assert headings[0] == 1
    assert headings.count(1) == 1
    assert all(after <= before + 1 for before, after in pairwise(headings)), "no level is left out"
    for link in page.all("a"):
        href = link.attributes["href"]
        assert not href.startswith(("/", "http:", "https:", "javascript:")), href
        if href.startswith("#"):
            assert href[1:] in page.ids, href
    for table in page.all("table"):
        heads = [found for found in page.all("th") if found.inside("table")]
        assert heads, table
        assert all("scope" in head.attributes for head in heads)
    assert all(script.attributes.get("src") and not script.text.strip() for script in page.all("script"))
    assert not any("style" in element.attributes for element in page.elements)
    assert not any(name.startswith("on") for element in page.elements for name in element.attributes)
    _assert_both_languages(page)
    _assert_no_orphans(page)


def _assert_both_languages(page: ReadPage) -> None:
    """In the main content each Chinese half has its English one beside it."""
    halves = [
        found for found in page.elements if found.inside("main") and found.attributes.get("lang") in ("zh-CN", "en")
    ]
    for zh, en in zip(halves[::2], halves[1::2], strict=True):
        assert (zh.attributes["lang"], en.attributes["lang"]) == ("zh-CN", "en")
        assert zh.parent is en.parent or zh.tag == "a"


def _assert_no_orphans(page: ReadPage) -> None:
    """No digits outside a number, a reference or what shows a run's own words."""
    for element in page.elements:
        own = element.text
        for child in element.children:
            own = own.replace(child.text, "", 1)
        if element.inside("main") and any(character.isdigit() for character in own):
            exempt = any(element.inside(tag) for tag in ("pre", "bdi", "time", "code"))
            assert exempt or _is_reference(element), (element.tag, own)


def _is_reference(element: Element) -> bool:
    if {"num", "ref"} & set(element.classes):
        return True
    return element.parent is not None and _is_reference(element.parent)
