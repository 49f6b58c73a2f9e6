"""The facts of a page, by section, block and row."""

from collections.abc import Iterable

from generator.verify.found import Fact, Found

HEAD = ""
"""What stands in the main content outside of sections."""

Row = tuple[Fact, ...]
"""A row of a table, with its beginning. A line that is a row is the same object wherever it stands."""

Block = tuple[str, list[Row]]
"""The body of a table: its id, and its rows."""

_STRUCTURE = frozenset(("main", "section", "end", "tbody"))
_ROW: Fact = ("tr", "")


def sections_of(every: Iterable[Found]) -> dict[str, list[Row]]:
    """The facts of the main content, line by line, by what labels the section that they stand in."""
    sections: dict[str, list[Row]] = {}
    current: list[Row] | None = None
    for found in every:
        facts = found.facts
        if found.is_structured is None:
            found.is_structured = _is_structured(facts)
        if not found.is_structured:
            if current is not None and facts:
                current.append(facts)
            continue
        for fact in facts:
            if fact[0] == "main" or fact == ("end", "section"):
                current = sections.setdefault(HEAD, [])
            elif current is not None and fact[0] == "section":
                current = sections.setdefault(fact[1], [])
            elif current is not None:
                current.append((fact,))
    return sections


def facts_of(section: Iterable[Row]) -> list[Fact]:
    """All facts of a section, without the beginnings of rows and tables."""
    return [fact for row in section for fact in row if fact != _ROW and fact[0] not in _STRUCTURE]


def blocks_of(section: Iterable[Row]) -> list[Block]:
    """The bodies of tables with their rows."""
    blocks: list[Block] = []
    rows: list[Row] | None = None
    for facts in section:
        kind = facts[0][0]
        if rows is not None and kind == "tr":
            rows.append(facts)
        elif kind == "tbody":
            rows = []
            blocks.append((facts[0][1], rows))
        elif facts[0] == ("end", "table"):
            rows = None
        elif rows:
            rows[-1] += facts
    return blocks


def said_text(facts: Iterable[Fact]) -> str:
    """Facts in a message."""
    return " ".join(text for _, text in facts) or "nothing"


def _is_structured(facts: Row) -> bool:
    """Whether more than one row, or the beginning or end of more than a row, is among the facts."""
    return any(fact[0] in _STRUCTURE for fact in facts) or _ROW in facts[1:]
