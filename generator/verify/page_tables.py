"""The tables of a page, cell by cell: what stands in a row beside the counts that a number is named for."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from html import unescape

from generator.verify.html_tokens import Attributes, attributes_of, tokens
from generator.verify.vocabulary import unmarked

_COUNT = "data-of"
_DEFINITION = "metrics.html#"
_NAMING = ("a", "span")
"""Elements that names stand in."""


@dataclass
class PageCell:
    """`tag` is `th` or `td`, `text` what is read in it, without spaces; `counts` are number and part of each count,
    `numbers` the ids of those that stand there. `variants` are the names in it that the style sets as those of
    variants, `metrics` the ids of metrics to whose definitions it leads, with the words that do."""

    tag: str
    text: str = ""
    counts: list[tuple[str, str]] = field(default_factory=list)
    numbers: list[str] = field(default_factory=list)
    variants: list[str] = field(default_factory=list)
    metrics: list[tuple[str, str]] = field(default_factory=list)


@dataclass
class PageTable:
    """`classes` of the table; `section` is the id that labels the section around it. `rows` leave out those of the
    head, `head` holds them; `groups` are the ids of table bodies."""

    classes: frozenset[str]
    section: str
    caption: PageCell = field(default_factory=lambda: PageCell("caption"))
    head: list[list[PageCell]] = field(default_factory=list)
    rows: list[list[PageCell]] = field(default_factory=list)

    @property
    def parts(self) -> Iterator[tuple[str, str]]:
        """Number and part of every count in the rows."""
        return (count for row in self.rows for cell in row for count in cell.counts)


def tables_of(html: str) -> list[PageTable]:
    """In the order of the page. What stands in comments is no part of it."""
    reader = _TableReader()
    for kind, name, written, after, text, _ in tokens(html):
        if name and kind != "=":
            reader.tag(name.lower(), written, is_end=kind == "/")
        reader.text(after if name else text)
    return reader.tables


class _TableReader:
    def __init__(self) -> None:
        self.tables: list[PageTable] = []
        self._section = ""
        self._table: PageTable | None = None
        self._cell: PageCell | None = None
        self._is_head = False
        self._names: list[str | None] = []

    def tag(self, name: str, written: str, *, is_end: bool) -> None:
        if name == "section":
            self._section = "" if is_end else attributes_of(written).get("aria-labelledby", "")
        elif name == "table":
            self._table = None if is_end else self._started(attributes_of(written))
            self._cell = None
        elif self._table is None:
            return
        elif name == "thead":
            self._is_head = not is_end
        elif name == "caption":
            self._cell = None if is_end else self._table.caption
        elif name == "tr" and not is_end:
            (self._table.head if self._is_head else self._table.rows).append([])
        elif name in ("th", "td"):
            self._cell = None if is_end else self._new_cell(self._table, name)
        elif self._cell is not None:
            if is_end and name in _NAMING:
                self._names.pop()
            elif not is_end:
                named = self._begun(self._cell, attributes_of(written))
                self._names += [named] if name in _NAMING else []

    def _begun(self, cell: PageCell, attributes: Attributes) -> str | None:
        """An element within a cell: as what its text is kept."""
        if _COUNT in attributes:
            cell.counts.append((attributes[_COUNT], attributes.get("data-part", "")))
        elif "data-num" in attributes:
            cell.numbers.append(attributes["data-num"])
        elif "rc-variant" in attributes.get("class", "").split():
            cell.variants.append("")
            return "variant"
        elif _DEFINITION in attributes.get("href", ""):
            cell.metrics.append((attributes["href"].partition(_DEFINITION)[2], ""))
            return "metric"
        return None

    def text(self, text: str) -> None:
        if self._cell is None:
            return
        bare = bare_text(unescape(text))
        self._cell.text += bare
        if "variant" in self._names:
            self._cell.variants[-1] += bare
        elif "metric" in self._names:
            metric, words = self._cell.metrics[-1]
            self._cell.metrics[-1] = metric, words + bare

    def _started(self, attributes: Attributes) -> PageTable:
        table = PageTable(frozenset(attributes.get("class", "").split()), self._section)
        self.tables.append(table)
        self._is_head = False
        return table

    def _new_cell(self, table: PageTable, name: str) -> PageCell:
        rows = table.head if self._is_head else table.rows
        if not rows:
            rows.append([])
        rows[-1].append(PageCell(name))
        self._names = []
        return rows[-1][-1]


def bare_text(text: str) -> str:
    """Without spaces, with characters that cannot be seen instead of their marks."""
    return "".join(unmarked(text).split())


def untagged(html: str) -> str:
    """What is read in a piece of a page, without spaces."""
    return bare_text(unescape(_TAGS_OF_PIECE.sub("", html)))


_ANCHOR_OF_COUNT = re.compile(r'<a\b[^>]*\bdata-part="([^"]*)"[^>]*>[^<]*</a>')
_TAGS_OF_PIECE = re.compile(r"<[^>]*>")


def words_before_counts(html: str) -> Iterator[tuple[str, str]]:
    """The part of each count in a piece of a page, with the text between it and the count before it."""
    place = 0
    for anchor in _ANCHOR_OF_COUNT.finditer(html):
        yield unescape(anchor[1]), untagged(html[place : anchor.start()])
        place = anchor.end()
