"""Reads the HTML of a page: its numbers, references, links, fragments and loose digits."""

import re
from dataclasses import dataclass, field
from html import unescape
from pathlib import Path

from generator.verify.html_tokens import VOID, Attributes, attributes_of, tokens

_LOADS = {
    "script": "src",
    "img": "src",
    "iframe": "src",
    "source": "src",
    "video": "src",
    "audio": "src",
    "embed": "src",
    "object": "data",
}
_LOADING_RELS = frozenset(("stylesheet", "icon", "preload", "prefetch", "modulepreload", "preconnect", "manifest"))
_EXEMPT_TAGS = frozenset(("pre", "bdi", "time", "desc", "nav"))
_EXEMPT_CLASSES = frozenset(("ref", "num", "axis", "headerlink"))
_NONE: Attributes = {}
_DIGIT = re.compile(r"\d")


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
    """What is checked of a page. `loads` are addresses that a browser fetches by itself."""

    numbers: list[ShownNumber] = field(default_factory=list)
    counts: list[ShownCount] = field(default_factory=list)
    links: set[str] = field(default_factory=set)
    loads: set[str] = field(default_factory=set)
    ids: set[str] = field(default_factory=set)
    loose_digits: list[str] = field(default_factory=list)


class _Inside:
    """What the text in an element belongs to. Elements that change nothing share the one of their parent."""

    __slots__ = ("count", "exempt", "is_read", "main", "number", "part")

    def __init__(
        self,
        main: bool = False,
        exempt: bool = False,
        number: ShownNumber | None = None,
        part: str | None = None,
        count: ShownCount | None = None,
    ) -> None:
        self.main, self.exempt, self.number, self.part, self.count = main, exempt, number, part, count
        self.is_read = number is not None or count is not None or (main and not exempt)


def read_page(path: Path, *, is_evidence: bool) -> Page:
    """Read one page.

    On evidence pages a `code` holds the run's own measurements and is exempt from the search for loose digits; so is
    everything outside the main content.

    Raises
    ------
    MalformedHtml
    """
    page = Page()
    exempt = _EXEMPT_TAGS | {"code"} if is_evidence else _EXEMPT_TAGS
    names, inside = [""], [_Inside()]
    for _, text, end, start, written, element, element_written, content in tokens(path.read_text(encoding="utf-8")):
        if text:
            if inside[-1].is_read:
                _text(page, text, inside[-1])
        elif end:
            _close(names, inside, end.lower())
        elif start:
            name = start.lower()
            attributes = attributes_of(written) if written else _NONE
            if attributes:
                _collect(page, name, attributes)
            if name not in VOID and not written.endswith("/"):
                names.append(name)
                inside.append(_enter(page, name, attributes, inside[-1], name in exempt))
        elif element:
            _collect(page, element.lower(), attributes_of(element_written))
            if element.lower() == "textarea" and inside[-1].is_read:
                _text(page, content, inside[-1])
    return page


def _enter(page: Page, name: str, attributes: Attributes, above: _Inside, exempt: bool) -> _Inside:
    exempt = exempt or ("class" in attributes and not _EXEMPT_CLASSES.isdisjoint(attributes["class"].split()))
    exempt = exempt or above.exempt
    main = above.main or name == "main"
    if "data-num" in attributes:
        number = ShownNumber(attributes["data-num"], attributes.get("href", ""))
        page.numbers.append(number)
        return _Inside(main, exempt, number, None, above.count)
    if "data-of" in attributes:
        count = ShownCount(attributes["data-of"], attributes.get("data-part", ""))
        page.counts.append(count)
        return _Inside(main, exempt, above.number, above.part, count)
    part = attributes.get("data-part", above.part)
    if exempt == above.exempt and main == above.main and part == above.part:
        return above
    return _Inside(main, exempt, above.number, part, above.count)


def _close(names: list[str], inside: list[_Inside], name: str) -> None:
    """Close the innermost element of that name and what was left open in it; an end without a start is nothing."""
    if names[-1] == name:
        del names[-1], inside[-1]
        return
    for place in range(len(names) - 1, 0, -1):
        if names[place] == name:
            del names[place:], inside[place:]
            return


def _text(page: Page, text: str, inside: _Inside) -> None:
    if "&" in text:
        text = unescape(text)
    if inside.number is not None:
        if inside.part is None:
            inside.number.value += text
        else:
            inside.number.parts[inside.part] = inside.number.parts.get(inside.part, "") + text
    elif inside.count is not None:
        inside.count.text += text
    elif _DIGIT.search(text):
        page.loose_digits.append(" ".join(text.split()))


def _collect(page: Page, name: str, attributes: Attributes) -> None:
    if attributes.get("id"):
        page.ids.add(attributes["id"])
    if name == "a":
        if attributes.get("name"):
            page.ids.add(attributes["name"])
        if "href" in attributes:
            page.links.add(attributes["href"])
    elif name in _LOADS and attributes.get(_LOADS[name]):
        page.loads.add(attributes[_LOADS[name]])
    elif name == "link" and attributes.get("href"):
        loading = not _LOADING_RELS.isdisjoint(attributes.get("rel", "").split())
        (page.loads if loading else page.links).add(attributes["href"])
