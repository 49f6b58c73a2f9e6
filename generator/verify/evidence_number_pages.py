"""Pages of numbers that rest on aggregate evidence: the figures and tables that they show are those of the evidence."""

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from generator.verify.exact import decimal_text
from generator.verify.found import Found
from generator.verify.page_parts import blocks_of, sections_of
from generator.verify.result import Finding
from generator.verify.shown import Published

ROWS_SHOWN = 300
_NOT_GIVEN = "—"


def evidence_page_findings(known: Published, entry: dict[str, Any], found: list[Found]) -> Iterator[Finding]:
    """What the tables of a page say otherwise; of a long frequency table a page shows the beginning."""
    sections = sections_of(found)
    detail = known.number["detail"]
    named = detail.get("figures", {})
    figures = {figure["id"]: figure["value"] for figure in entry["data"]["figures"]}
    rows = [["" if value is None else _stated_text(value)] for name, value in figures.items() if name in named]
    yield from _compared("figures", sections.get("figures", []), [row for row in rows if row != [""]])
    tables = [table for table in entry["data"]["tables"] if table["id"] in detail.get("tables", ())]
    counted = [
        [_NOT_GIVEN if value is None else _stated_text(value), f"{count:,}"]
        for table in tables
        for value, count in sorted(table["rows"], key=_by_value)[:ROWS_SHOWN]
    ]
    yield from _compared("frequencies", sections.get("frequencies", []), counted)


def _by_value(row: list[Any]) -> tuple[bool, Fraction]:
    """In the order of the values, missing records last."""
    return row[0] is None, Fraction(row[0] or 0)


def _stated_text(value: int | str) -> str:
    text = str(value)
    return decimal_text(Fraction(text), len(text.partition(".")[2]))


def _compared(what: str, section: Any, expected: list[list[str]]) -> Iterator[Finding]:
    shown = [[text for kind, text in row if kind == "code"] for _, rows in blocks_of(section) for row in rows]
    shown = [row for row in shown if row]
    if len(shown) != len(expected):
        yield f"rows of {what}", f"{len(shown)} rows", f"{len(expected)} rows"
    for place, (row, wanted) in enumerate(zip(shown, expected, strict=False)):
        if row != wanted:
            yield f"row {place + 1} of {what}", ", ".join(row), ", ".join(wanted)
