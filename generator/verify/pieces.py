"""Reads one piece of a page, which begins at some place among its elements."""

import base64
import hashlib
import re
from dataclasses import dataclass, field
from html import unescape

from generator.verify.active import script_problems, style_problems
from generator.verify.found import Found, ShownCount, ShownNumber
from generator.verify.html_tokens import MalformedHtml, attributes_of, tokens
from generator.verify.tags import COUNT, HEADING, NUMBER, Shape, Tag, read_tag

_DIGIT = re.compile(r"\d")
_LOOSE, _NAMED, _FREE = "loose", "named", ""


class Place:
    """A place among the elements of a page: the same chain of shapes is the same place, on whichever page.

    `reads` says what digits in a text are here: `loose` in the main content, `named` in navigation and outside, nothing
    in a number or reference. `lines` and `pieces` are those read here before.
    """

    __slots__ = ("above", "below", "is_evidence", "is_main", "lines", "name", "part", "pieces", "reads", "region")

    def __init__(self, above: "Place | None", shape: Shape, is_evidence: bool) -> None:
        self.name, kind, part, region = shape
        self.above = above
        self.is_evidence = is_evidence
        self.part: str = part or (above.part if above is not None else "")
        self.is_main: bool = region == "main" or (above is not None and above.is_main)
        self.region: str = region or (above.region if above is not None else "")
        if (is_evidence and kind == "code") or (above is not None and above.region == "exempt"):
            self.region = "exempt"
        is_content = self.is_main and self.region != "nav"
        self.reads = _FREE if self.region == "exempt" else _LOOSE if is_content else _NAMED
        self.below: dict[Shape, Place] = {}
        self.lines: dict[bytes, Read] = {}
        self.pieces: dict[str, Read] = {}

    def inside(self, shape: Shape) -> "Place":
        """The place inside an element that begins here."""
        found = self.below.get(shape)
        if found is None:
            found = self.below[shape] = Place(self, shape, self.is_evidence)
        return found

    def forget(self) -> None:
        """What was read here and further inside. Places hold each other: left alone they would stay in memory."""
        for place in self.below.values():
            place.forget()
            place.above = None
        for remembered in (self.below, self.lines, self.pieces):
            remembered.clear()


Read = tuple[Place, Found | None]
"""The place at which what was read ends, and what is in it."""


class Unfinished(Exception):
    """A piece ends within a tag, or within text that is read as a whole."""


@dataclass
class _Kept:
    """An element whose text is read as a whole."""

    tag: Tag
    place: Place
    text: str = ""
    parts: dict[str, str] = field(default_factory=dict)
    sort: str | None = None


class PieceReader:
    """Reads a piece. Tags are given the same meaning wherever they stand, and are kept in `tags`."""

    def __init__(self, place: Place, tags: dict[tuple[str, str], Tag]) -> None:
        self._tags = tags
        self._place = place
        self._kept: list[_Kept] = []
        self._found = Found()
        self._sort: str | None = None

    def read(self, piece: str) -> Read:
        """Read a piece.

        Raises
        ------
        Unfinished
            more of the page is needed.
        MalformedHtml
        """
        tags, kept = self._tags, self._kept
        for kind, name, written, after, text, nothing in tokens(piece):
            if not name:
                if nothing:
                    raise Unfinished("no HTML")
            elif not kind:
                tag = tags.get((name, written))
                if tag is None:
                    tag = tags[name, written] = read_tag(name, written)
                if tag.is_noted:
                    self._note(tag)
                if tag.is_open:
                    self._place = self._place.inside(tag.shape)
                    if tag.kind or (tag.name == "a" and self._place.reads == _NAMED):
                        self._keep(tag)
                text = after
            else:
                if kind == "/":
                    self._end(name.lower())
                else:
                    self._whole(name.lower(), written, text)
                text = after
            if text and (kept or self._place.reads):
                self._text(unescape(text) if "&" in text else text)
        if kept or self._sort is not None:
            raise Unfinished(f"<{self._place.name}> is not closed")
        return self._place, self._found or None

    def _keep(self, tag: Tag) -> None:
        kept = _Kept(tag, self._place)
        if tag.kind == NUMBER:
            kept.sort, self._sort = self._sort, None
            if any(other.tag.kind in (NUMBER, COUNT) for other in self._kept):
                self._found.problems += (("a number within a number", tag.subject),)
        self._kept.append(kept)

    def _end(self, name: str) -> None:
        place = self._place
        if place.name != name or place.above is None:
            raise MalformedHtml(f"</{name}> closes <{place.name}>" if place.name else f"</{name}> closes nothing")
        if self._kept and self._kept[-1].place is place:
            self._finish(self._kept.pop())
        if name == "td" and self._sort is not None:
            self._found.problems += (("a key to sort by without a number", self._sort),)
            self._sort = None
        elif name in ("table", "section"):
            self._found.facts += (("end", name),)
        self._place = place.above

    def _whole(self, name: str, written: str, content: str) -> None:
        """Script, style, title, text area: elements whose content is text."""
        tag = read_tag(name, written)
        self._note(tag)
        attributes = attributes_of(written)
        if name == "script":
            if "json" in attributes.get("type", ""):
                self._found.problems += tuple(script_problems(content))
            elif "src" not in attributes:
                digest = hashlib.sha256(content.encode("utf-8", "surrogatepass")).digest()
                self._found.is_of_page = True
                self._found.scripts += ("sha256-" + base64.b64encode(digest).decode(),)
            elif content.strip():
                self._found.problems += (("a script of a script that is loaded", tag.loads[0]),)
        elif name == "style":
            self._found.problems += tuple(("a style", problem) for problem in style_problems(content))
        elif name == "title" and not self._place.is_main:
            self._found.is_of_page = True
            self._found.titles += (unescape(content),)
        elif self._place.reads:
            self._text(unescape(content))

    def _note(self, tag: Tag) -> None:
        found = self._found
        if tag.anchor:
            found.ids += (tag.anchor,)
            found.is_of_page = True
        if tag.links:
            found.links += tag.links
        if tag.loads:
            found.loads += tag.loads
        if tag.problems:
            found.problems += tag.problems
        if tag.policy is not None:
            found.policies += (tag.policy,)
            found.is_of_page = True
        if tag.said:
            found.named_digits += tuple((said, "") for said in tag.said if _DIGIT.search(said))
        if tag.sort is not None:
            self._sort = tag.sort
        if tag.facts:
            found.facts += tag.facts

    def _text(self, text: str) -> None:
        place = self._place
        part = place.part
        for kept in self._kept:
            if part and kept.tag.kind == NUMBER:
                kept.parts[part] = kept.parts.get(part, "") + text
            else:
                kept.text += text
        if place.reads == _LOOSE and not text.isspace():
            self._found.words += (text,)
        if not place.reads or not _DIGIT.search(text):
            return
        if place.reads == _LOOSE:
            self._found.loose_digits += (" ".join(text.split()),)
        elif not any(kept.tag.name == "a" for kept in self._kept):
            self._found.named_digits += ((" ".join(text.split()), ""),)

    def _finish(self, kept: _Kept) -> None:
        tag = kept.tag
        if tag.kind == NUMBER:
            self._found.facts += ((NUMBER, tag.subject),)
            self._found.numbers += (ShownNumber(tag.subject, tag.href, kept.text, kept.parts, kept.sort),)
        elif tag.kind == COUNT:
            self._found.counts += (ShownCount(tag.subject, tag.part, kept.text),)
        elif tag.kind == HEADING:
            self._found.is_of_page = True
            self._found.headings += ((tag.anchor, " ".join(kept.text.split())),)
        elif tag.kind:
            # Browsers leave out a line break at the very beginning of what is preformatted.
            text = kept.text.removeprefix("\n") if tag.kind == "pre" else kept.text
            self._found.facts += ((tag.kind, text),)
        if tag.name == "a" and kept.place.reads == _NAMED and _DIGIT.search(kept.text):
            self._found.named_digits += ((" ".join(kept.text.split()), tag.href),)
