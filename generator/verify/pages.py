"""Reads the HTML of pages: numbers, references, links, fragments, words and loose digits.

Pages of a site repeat each other: their frame, rows of tables, definitions. So a page is read line by line, a line in
pieces, and what was read before, at the same place among the elements, is not read again.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from generator.verify.found import Fact, Found, ShownCount, ShownNumber, joined
from generator.verify.html_tokens import MalformedHtml
from generator.verify.pieces import PieceReader, Place, Read, Unfinished
from generator.verify.tags import Tag

_REMEMBERED = 16_000_000
"""Bytes of lines after which all are forgotten: memory does not grow with the site."""

_CUT_BEFORE = ("<tr", "<td", "<li", "<d", "<code")
"""Where pages begin to differ."""


@dataclass
class Page:
    """All that was found in a page, in order."""

    found: list[Found] = field(default_factory=list)

    @property
    def numbers(self) -> list[ShownNumber]:
        return [number for found in self._pieces() for number in found.numbers]

    @property
    def counts(self) -> list[ShownCount]:
        return [count for found in self._pieces() for count in found.counts]

    @property
    def loose_digits(self) -> list[str]:
        return [text for found in self._pieces() for text in found.loose_digits]

    @property
    def facts(self) -> list[Fact]:
        return [fact for found in self.found for fact in found.facts]

    def _pieces(self) -> Iterator[Found]:
        return (piece for found in self.found for piece in found.pieces or (found,))


class PageReader:
    """Reads pages of one kind: on evidence pages a `code` holds the run's own measurements, not a quantity."""

    def __init__(self, *, is_evidence: bool) -> None:
        self._tags: dict[tuple[str, str], Tag] = {}
        self._root = Place(None, ("", "", "", ""), is_evidence)
        self._remembered = 0

    def read(self, html: bytes) -> Page:
        """What is found in a page.

        Raises
        ------
        MalformedHtml
            a browser would have to mend the page.
        UnicodeDecodeError
        """
        if b"\0" in html:
            raise MalformedHtml("a character that HTML does not have")
        if self._remembered > _REMEMBERED:
            self._forget()
        lines = html.splitlines(keepends=True)
        place, page, at = self._root, Page(), 0
        while at < len(lines):
            known = place.lines.get(lines[at])
            if known is None:
                known, taken = self._read_lines(place, lines, at)
                at += taken
            else:
                at += 1
            place, found = known
            if found is not None:
                page.found.append(found)
        if place is not self._root:
            raise MalformedHtml(f"<{place.name}> is not closed")
        return page

    def _read_lines(self, place: Place, lines: list[bytes], at: int) -> tuple[Read, int]:
        """Read the line at `at`, with as many of those behind it as it takes to finish what it begins; how many."""
        taken = 1
        while True:
            text = b"".join(lines[at : at + taken])
            try:
                read = place.lines[text] = self._read_text(place, text.decode())
            except Unfinished as problem:
                if at + taken >= len(lines):
                    raise MalformedHtml(str(problem)) from None
                taken *= 2
            else:
                self._remembered += len(text)
                return read, taken

    def _read_text(self, place: Place, text: str) -> Read:
        """Lines differ, but are made of the same pieces."""
        for start in _CUT_BEFORE:
            text = text.replace(start, f"\0{start}")
        pieces = text.split("\0")
        at, every = 0, []
        while at < len(pieces):
            known = place.pieces.get(pieces[at])
            if known is None:
                known, taken = self._read_pieces(place, pieces, at)
                at += taken
            else:
                at += 1
            place, found = known
            if found is not None:
                every.append(found)
        return place, joined(every)

    def _read_pieces(self, place: Place, pieces: list[str], at: int) -> tuple[Read, int]:
        taken = 1
        while True:
            piece = "".join(pieces[at : at + taken])
            try:
                read = place.pieces[piece] = PieceReader(place, self._tags).read(piece)
            except Unfinished:
                if at + taken >= len(pieces):
                    raise
                taken *= 2
            else:
                return read, taken

    def _forget(self) -> None:
        self._root.forget()
        self._tags.clear()
        self._remembered = 0


def read_page(path: Path, *, is_evidence: bool) -> Page:
    """Read one page.

    Raises
    ------
    MalformedHtml
    UnicodeDecodeError
    """
    return PageReader(is_evidence=is_evidence).read(path.read_bytes())
