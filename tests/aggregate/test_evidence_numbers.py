"""Numbers on aggregate evidence: worked by hand, and against the reference values."""

from fractions import Fraction
from pathlib import Path
from typing import Any

import msgspec
import pytest

from generator.aggregate.evidence_numbers import evidence_numbers
from generator.aggregate.frequencies import made_of_tables
from generator.aggregate.published import Published, made_of_figures
from generator.model.formatting import exact
from generator.model.metrics import Metric
from generator.model.numbers import Number
from generator.model.register import EvidenceData, EvidenceNumber
from generator.read.source import read_source
from tests.stats.golden import Entry, all_entries, close, label
from tests.support.audit_files import row, with_audit
from tests.support.small_source import write_small_source

WORDS = {"zh": "名", "en": "name"}


def metric(operation: str, unit: str = "ratio", **changes: Any) -> Metric:
    return msgspec.convert(row("made", unit, operation, **changes), Metric)


def of_figures(operation: str, **fields: list[Any]) -> Published:
    """Each list of values as figures, and what the operation makes of them."""
    figures, named = [], {}
    for name, values in fields.items():
        named[name] = [f"{name}{place}" for place in range(len(values))]
        figures += [
            {"id": identifier, "name": WORDS, "value": value, "unit": "cases"}
            for identifier, value in zip(named[name], values, strict=True)
        ]
    data = msgspec.convert({"figures": figures}, EvidenceData)
    wanted = msgspec.convert({"metric": "made", **named}, EvidenceNumber)
    return made_of_figures(data, wanted, metric(operation))


def of_table(operation: str, table: list[Any], **changes: Any) -> Published:
    cap = changes.pop("cap", None)
    stated = {"id": "t", "name": WORDS, "counts": "records", "unit": "ms", "rows": table, "cap": cap}
    data = msgspec.convert({"tables": [stated]}, EvidenceData)
    wanted = EvidenceNumber(metric="made", tables=["t"], at_most=changes.pop("at_most", None))
    return made_of_tables(data, wanted, metric(operation, "ms", **changes))


def golden(operation: str, *prefixes: str) -> list[Entry]:
    found = [entry for entry in all_entries() if entry["op"] == operation and entry["id"].startswith(prefixes)]
    assert found
    return found


@pytest.fixture(scope="module")
def numbers(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Number]:
    root: Path = tmp_path_factory.mktemp("source")
    source, findings = read_source(write_small_source(root, with_audit))
    assert source is not None
    assert findings == []
    return {name.removeprefix("evidence/e02/"): number for name, number in evidence_numbers(source).items()}


@pytest.mark.parametrize(
    ("name", "value", "counts"),
    [
        ("case_count", 10, (None, None)),
        ("case_count--category-hard", 6, (None, None)),
        ("case_pass_rate", Fraction(7, 10), (7, 10)),
        ("case_pass_rate--category-hard", Fraction(1, 2), (3, 6)),
        ("gap", Fraction(1, 5), (None, None)),
        ("reduction", Fraction(3, 4), (None, None)),
        ("growth", Fraction(1, 4), (None, None)),
        ("seconds", Fraction(400, 31), (None, None)),
        ("quoted_median", Fraction(31, 2), (None, 10)),
        ("time_mean", 190, (None, 10)),
        ("time_p95", 900, (None, 10)),
        ("time_missing", 2, (None, None)),
        ("time_saturated", 2, (None, None)),
        ("time_low", Fraction(5, 12), (5, 12)),
        ("time_high", Fraction(7, 12), (7, 12)),
    ],
)
def test_values_worked_by_hand(
    numbers: dict[str, Number], name: str, value: Fraction | int, counts: tuple[int | None, int | None]
) -> None:
    number = numbers[name]
    assert number.exact == value
    assert (number.numerator, number.denominator) == counts
    assert number.runset is None
    assert number.excluded == {}
    assert number.evidence == "E02"


def test_a_difference_is_made_of_its_parts(numbers: dict[str, Number]) -> None:
    gap = numbers["gap"]
    assert gap.compares == ("evidence/e02/case_pass_rate", "evidence/e02/case_pass_rate--category-hard")
    assert gap.detail is not None
    assert gap.detail["products"] == {"0": 0.4, "1": 0.3, "sum": 0.7}
    assert gap.change is None


def test_what_is_not_given_has_no_value_and_says_so(numbers: dict[str, Number]) -> None:
    assert (numbers["reduction--category-whole"].value, numbers["reduction--category-whole"].reason) == (
        None,
        "not_in_source",
    )


def test_marks(numbers: dict[str, Number]) -> None:
    assert numbers["quoted_median"].marks == ("quoted",)
    assert numbers["time_p95"].marks == ("censored",)
    assert numbers["time_missing"].marks == ()


def test_missing_records_are_counted_and_never_zero(numbers: dict[str, Number]) -> None:
    missing = numbers["time_mean"].missing
    assert missing is not None
    assert (missing.count, missing.runset) == (2, None)


def test_an_interval_stands_where_it_is_asked_for(numbers: dict[str, Number]) -> None:
    interval = numbers["case_pass_rate"].interval
    assert interval is not None
    assert interval.method == "wilson"
    assert numbers["case_pass_rate--category-hard"].interval is None


@pytest.mark.parametrize("entry", golden("ratio", "praxa."), ids=label)
def test_reference_ratios(entry: Entry) -> None:
    made = of_figures("published_ratio", numerator=[entry["input"]["num"]], denominator=[entry["input"]["den"]])
    assert made.value == Fraction(entry["expected"]["fraction"])


@pytest.mark.parametrize("entry", golden("relative_change", "praxa."), ids=label)
def test_reference_changes(entry: Entry) -> None:
    given = {name: entry["input"][name] for name in ("before", "after")}
    change, reduction = of_figures("relative_change", **given), of_figures("relative_reduction", **given)
    assert change.value is not None
    assert reduction.value == -change.value
    assert close(float(change.value), entry["expected"]["change"], entry["tolerance"])


@pytest.mark.parametrize("entry", golden("freq_moments", "moments."), ids=label)
def test_reference_moments(entry: Entry) -> None:
    table, expected = entry["input"]["table"], entry["expected"]
    wanted = {"table_mean": "mean", "table_deviation": "std", "table_min": "min", "table_max": "max"}
    for operation, name in wanted.items():
        _same(of_table(operation, table), expected[name], entry)
    for p, name in ((0.25, "q1"), (0.5, "median"), (0.75, "q3"), (0.9, "p90"), (0.95, "p95"), (0.99, "p99")):
        _same(of_table("table_quantile", table, p=p), expected[name], entry)
    assert of_table("table_missing", table).value == expected["missing"]
    assert of_table("table_observed", table).value == expected["n"]


@pytest.mark.parametrize("entry", golden("quantiles", "quantile.weighted"), ids=label)
def test_reference_quantiles(entry: Entry) -> None:
    for p, fraction in zip(entry["input"]["p"], entry["expected"]["fractions"], strict=True):
        if 0 < exact(p) < 1:
            made = of_table("table_quantile", entry["input"]["table"], p=float(p))
            assert made.value == (None if fraction is None else Fraction(fraction))


@pytest.mark.parametrize("entry", golden("missingness_bounds", "praxa.", "bounds."), ids=label)
def test_reference_bounds(entry: Entry) -> None:
    given, expected = entry["input"], entry["expected"]
    above = given["observed"] - given["count_le"]
    table = [[1, given["count_le"]], [9, above], [None, given["missing"]]]
    for operation, name in (
        ("table_share_low", "lower"),
        ("table_share_high", "upper"),
        ("table_share_observed", "observed_only"),
    ):
        _same(of_table(operation, table, at_most=5), expected[name], entry)


def test_values_at_a_cap_below_the_threshold_are_open() -> None:
    """Of 12 records 8 are within 900 for certain; the two at the cap of 900 and the two missing ones may be."""
    rows = [[0, 1], [10, 4], [20, 3], [900, 2], [None, 2]]
    shares = {name: of_table(f"table_share_{name}", rows, cap=900, at_most=900) for name in ("observed", "low", "high")}
    assert {name: made.value for name, made in shares.items()} == {"observed": 1, "low": Fraction(8, 12), "high": 1}
    below = of_table("table_share_low", rows, cap=900, at_most=899)
    assert (below.value, below.numerator, below.denominator) == (Fraction(8, 12), 8, 12)


def _same(made: Published, expected: float | None, entry: Entry) -> None:
    if expected is None or made.value is None:
        assert made.value is None
        assert expected is None
        assert made.reason is not None
    else:
        assert close(float(made.value), expected, entry["tolerance"])
