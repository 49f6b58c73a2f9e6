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
from generator.validate.evidence_wanted import check_wanted

MAX_ROWS = 100_000
MAX_NUMBERS = 2000
MAX_DIGITS = 15

_NAME = re.compile(r"[a-z][a-z0-9_-]{0,47}")
_DECIMAL = re.compile(r"-?\d+(?:\.\d+)?")
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
            yield from _check_decimal(figure.value, place_of(at, f"{path}.value"))
        elif figure.why is None:
            remedy = "say why the evidence does not give the value"
            yield finding(
                "RC163", place_of(at, f"{path}.why"), "a reason for a value that is not given", "none", remedy
            )


def _check_decimal(value: int | str, place: Place) -> Iterator[Finding]:
    text = str(value)
    if _DECIMAL.fullmatch(text) is None or sum(map(str.isdigit, text)) > MAX_DIGITS:
        expected = f'an integer, or a decimal such as "38118.31", of at most {MAX_DIGITS} digits'
        remedy = "write it without commas and units, in quotes where it has a point"
        yield finding("RC163", place, expected, f"`{visible_id(text)}`", remedy)


def _check_tables(data: EvidenceData, at: Located) -> Iterator[Finding]:
    """RC164: values are exact decimals, counts are counts, no value lies above the cap."""
    for place, table in enumerate(data.tables):
        path = f"tables[{place}]"
        if table.cap is not None:
            yield from _check_decimal(table.cap, place_of(at, f"{path}.cap"))
        for row, (value, count) in enumerate(table.rows[:MAX_ROWS]):
            where = place_of(at, f"{path}.rows[{row}]")
            problems = [] if value is None else list(_check_decimal(value, where))
            yield from problems
            if count < 0:
                yield finding("RC164", where, "a count of 0 or more", str(count), "correct the count")
            if not problems and _is_above(value, table):
                remedy = "correct the value or the cap: nothing above it can be stored"
                yield finding("RC164", where, f"at most the cap {table.cap}", str(value), remedy)
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
