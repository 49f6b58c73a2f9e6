"""Rules of aggregate evidence: figures, frequency tables, groups, and the numbers that are to be made of them."""

import re
from collections.abc import Iterator, Sequence
from fractions import Fraction

from generator.errors import Finding, Place
from generator.model.base import Text
from generator.model.metrics import MetricTable
from generator.model.prose import figures as figures_of_text
from generator.model.register import (
    DATA_FOLDER,
    REGISTER_FILE,
    EvidenceData,
    EvidenceEntry,
    EvidenceNumber,
    Frequencies,
    number_tail,
    slice_of,
)
from generator.model.rules import finding, visible_id
from generator.model.words import in_words
from generator.validate.common import repeated
from generator.validate.decimals import check_decimal
from generator.validate.evidence_wanted import check_wanted

MAX_ROWS = 100_000
MAX_NUMBERS = 2000
MAX_COUNT = 2**53 - 1
"""A larger one is no exact number for readers of JSON."""

_NAME = re.compile(r"[a-z][a-z0-9_-]{0,47}")
Located = tuple[str, str]
"""A file, and what stands before the path of a field of the data in it."""


def check_data(entry: EvidenceEntry, path: str, metrics: MetricTable) -> Iterator[Finding]:
    """All rules of the data of one entry; `path` is that of the entry in the register."""
    data = entry.data
    assert data is not None
    at = (REGISTER_FILE, f"{path}.data.") if entry.file is None else (f"{DATA_FOLDER}/{entry.file}", "")
    problems = [*_check_names(data, at), *_check_figures(data, at), *_check_tables(data, at), *_check_sizes(data, at)]
    yield from problems
    yield from _check_texts(data, at)
    if not problems:
        yield from _check_numbers(data, at, metrics)


def place_of(at: Located, field: str) -> Place:
    return Place(at[0], field=f"{at[1]}{field}")


def _check_names(data: EvidenceData, at: Located) -> Iterator[Finding]:
    """RC163: ids of figures, tables and groups."""
    lists = {
        "figures": [figure.id for figure in data.figures],
        "tables": [table.id for table in data.tables],
        "groups": [group.id for group in data.groups],
    }
    for name, ids in lists.items():
        for place, identifier in enumerate(ids):
            if _NAME.fullmatch(identifier) is None or "--" in identifier:
                expected = "a lower case letter, then lower case letters, digits, `_` and single `-`, at most 48"
                found = f"`{visible_id(identifier)}`"
                yield finding("RC163", place_of(at, f"{name}[{place}].id"), expected, found, "choose another id")
        for again in repeated(ids):
            found = f"`{again.id}` again, as in {name}[{again.first}]"
            remedy = "rename one of them"
            yield finding("RC163", place_of(at, f"{name}[{again.position}].id"), "each id once", found, remedy)


def _check_figures(data: EvidenceData, at: Located) -> Iterator[Finding]:
    """RC163: values are exact decimals; one that is not given says why."""
    for place, figure in enumerate(data.figures):
        path = f"figures[{place}]"
        if figure.value is not None:
            yield from check_decimal(figure.value, place_of(at, f"{path}.value"))
        elif figure.why is None:
            remedy = "say why the evidence does not give the value"
            yield finding(
                "RC163", place_of(at, f"{path}.why"), "a reason for a value that is not given", "none", remedy
            )


def _check_tables(data: EvidenceData, at: Located) -> Iterator[Finding]:
    """RC164: values are exact decimals, counts are counts, no value lies above the cap."""
    for place, table in enumerate(data.tables):
        path = f"tables[{place}]"
        of_cap = [] if table.cap is None else list(check_decimal(table.cap, place_of(at, f"{path}.cap")))
        yield from of_cap
        for row, (value, count) in enumerate(table.rows[:MAX_ROWS]):
            where = place_of(at, f"{path}.rows[{row}]")
            problems = [] if value is None else list(check_decimal(value, where))
            yield from problems
            if not 0 <= count <= MAX_COUNT:
                expected = f"a count from 0 to {MAX_COUNT:,}"
                yield finding("RC164", where, expected, str(count), "correct the count")
            if not problems and value is not None and table.unit == "ms" and Fraction(str(value)) < 0:
                yield finding("RC164", where, "a time of 0 or more", str(value), "correct the value")
            if not problems and not of_cap and _is_above(value, table):
                remedy = "correct the value or the cap: nothing above it can be stored"
                yield finding("RC164", where, f"at most the cap {table.cap}", str(value), remedy)
        values = ["missing" if value is None else str(value) for value, _ in table.rows[:MAX_ROWS]]
        for again in repeated(values):
            where, remedy = place_of(at, f"{path}.rows[{again.position}]"), "add up the counts: a value has one row"
            yield finding("RC164", where, "each value once", f"`{visible_id(again.id)}` again", remedy)
        if not table.rows:
            remedy = "write [value, count] rows; null is the bin of missing records"
            yield finding("RC164", place_of(at, f"{path}.rows"), "one row or more", "none", remedy)


def _is_above(value: int | str | None, table: Frequencies) -> bool:
    return value is not None and table.cap is not None and Fraction(str(value)) > Fraction(str(table.cap))


def _check_sizes(data: EvidenceData, at: Located) -> Iterator[Finding]:
    """RC178."""
    rows = sum(len(table.rows) for table in data.tables)
    for what, count, limit in (("rows", rows, MAX_ROWS), ("numbers", len(data.numbers), MAX_NUMBERS)):
        if count > limit:
            remedy = "split the evidence into several entries"
            yield finding(
                "RC178",
                place_of(at, "tables" if what == "rows" else what),
                f"at most {limit} {what}",
                str(count),
                remedy,
            )


def _check_texts(data: EvidenceData, at: Located) -> Iterator[Finding]:
    """RC173: reasons and notes state no figure; names may hold configured values."""
    texts: list[tuple[str, Text | None]] = [(f"figures[{n}].why", figure.why) for n, figure in enumerate(data.figures)]
    texts += [(f"numbers[{n}].note", number.note) for n, number in enumerate(data.numbers)]
    for path, text in texts:
        for lang in () if text is None else ("zh", "en"):
            found = figures_of_text(getattr(text, lang))
            if found:
                quoted = in_words(f"`{visible_id(figure)}`" for figure in found)
                remedy = "say it without the figure: the page of the number shows it"
                yield finding("RC173", place_of(at, f"{path}.{lang}"), "prose without figures", quoted, remedy)


def _check_numbers(data: EvidenceData, at: Located, metrics: MetricTable) -> Iterator[Finding]:
    """RC165, RC166, RC167, RC169."""
    first: dict[str, int] = {}
    known = _tails(data)
    for place, wanted in enumerate(data.numbers):
        path = f"numbers[{place}]"
        yield from check_wanted(data, wanted, metrics, known, (at[0], f"{at[1]}{path}."))
        tail = _tail(data, wanted)
        earlier = first.setdefault(tail, place) if tail is not None else place
        if earlier != place:
            remedy = "give one of them a group of its own, or remove it"
            found = f"`{tail}` again, as in numbers[{earlier}]"
            yield finding("RC167", place_of(at, path), "each number once", found, remedy)


def _tails(data: EvidenceData) -> Sequence[str]:
    """Numbers by what stands behind the evidence in their ids; differences aside, of which there are no differences."""
    tails = (_tail(data, wanted) for wanted in data.numbers if wanted.compares is None)
    return [tail for tail in tails if tail is not None]


def _tail(data: EvidenceData, wanted: EvidenceNumber) -> str | None:
    try:
        return number_tail(wanted.metric, slice_of(data, wanted.group))
    except KeyError:
        return None
