from fractions import Fraction
from typing import Any

import numpy
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generator.stats.quantiles import defining_positions, percentile_cont, quantile_rank
from tests.stats.golden import Entry, close, entries, label


def observed(data: dict[str, Any]) -> list[int | float]:
    """The values of an entry, its frequency table written out; null values are missing, decimals are texts."""
    table = data.get("table") or [[value, 1] for value in data["values"]]
    values = [value for value, frequency in table for _ in range(frequency) if value is not None]
    return [float(value) if isinstance(value, str) else value for value in values]


@pytest.mark.parametrize("entry", entries("quantiles"), ids=label)
def test_percentile_cont_agrees_with_the_reference(entry: Entry) -> None:
    values = observed(entry["input"])
    assert len(values) == entry["expected"]["n"]
    wanted = entry["expected"]["fractions"]
    got = [percentile_cont(values, Fraction(p)) for p in entry["input"]["p"]]
    assert got == [None if fraction is None else Fraction(fraction) for fraction in wanted]


@pytest.mark.parametrize("entry", entries("quantile_rank"), ids=label)
def test_rank_agrees_with_the_reference(entry: Entry) -> None:
    expected = entry["expected"]
    rank = quantile_rank(entry["input"]["n"], Fraction(entry["input"]["p"]))
    assert rank is not None
    assert rank.h == Fraction(expected["h_fraction"])
    assert rank.low == expected["j"]
    assert close(float(rank.weight), expected["a"], entry["tolerance"])


def test_decimal_records_are_taken_as_written() -> None:
    # 0.1 + 0.5·(0.4 − 0.1) = 1/4; the binary floats behind 0.1 and 0.4 would not give it.
    assert percentile_cont([0.4, 0.1], Fraction(1, 2)) == Fraction(1, 4)


def test_no_values_have_no_quantile() -> None:
    assert percentile_cont([], Fraction(1, 2)) is None
    assert quantile_rank(0, Fraction(1, 2)) is None
    assert defining_positions([], Fraction(1, 2)) == ()


@pytest.mark.parametrize("p", [Fraction(-1, 10), Fraction(11, 10)])
def test_p_outside_its_range_is_refused(p: Fraction) -> None:
    with pytest.raises(ValueError, match=r"p must lie in \[0, 1\]"):
        percentile_cont([1], p)


def test_the_runs_that_define_it() -> None:
    # Ordered 10, 20, 20, 40: h = 1.5, so ranks 1 and 2, the two twenties in the order given.
    assert defining_positions([20, 10, 40, 20], Fraction(1, 2)) == (0, 3)
    # h = 2 is a rank itself: one record.
    assert defining_positions([5, 1, 4, 2, 3], Fraction(1, 2)) == (4,)


@settings(deadline=None, derandomize=True, max_examples=100)
@given(st.lists(st.integers(-(10**6), 10**6), min_size=1, max_size=50), st.fractions(0, 1, max_denominator=100))
def test_it_lies_among_the_values_and_agrees_with_numpy(values: list[int], p: Fraction) -> None:
    quantile = percentile_cont(values, p)
    assert quantile is not None
    assert min(values) <= quantile <= max(values)
    assert float(quantile) == pytest.approx(float(numpy.quantile(values, float(p))), rel=1e-9, abs=1e-6)
