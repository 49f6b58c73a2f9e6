from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generator.model.formatting import decimal_text
from generator.stats.means import exact_mean, exact_sum
from tests.stats.golden import Entry, entries, label

NUMBERS = st.lists(st.integers(0, 10**9) | st.floats(0, 1e9, allow_nan=False), max_size=30)


@pytest.mark.parametrize("entry", entries("ratio"), ids=label)
def test_a_ratio_is_the_mean_of_its_hits(entry: Entry) -> None:
    hits, n = entry["input"]["num"], entry["input"]["den"]
    mean = exact_mean([1] * hits + [0] * (n - hits))
    if entry["expected"]["fraction"] is None:
        assert mean is None
        return
    assert mean == Fraction(entry["expected"]["fraction"])
    assert decimal_text(mean * 100, entry["input"]["decimals"]) + "%" == entry["expected"]["percent"].replace("-", "−")


@pytest.mark.parametrize("entry", entries("pp_difference"), ids=label)
def test_points_are_subtracted_before_rounding(entry: Entry) -> None:
    a, b = (Fraction(*entry["input"][side]) for side in ("a", "b"))
    assert a - b == Fraction(entry["expected"]["fraction"])
    assert decimal_text((a - b) * 100, entry["input"]["decimals"]) == entry["expected"]["points"]


def test_tenths_add_up_exactly() -> None:
    assert exact_sum([0.1, 0.2, 3]) == Fraction(33, 10)
    assert exact_mean([0.1, 0.2]) == Fraction(3, 20)


def test_nothing_has_no_mean() -> None:
    assert exact_mean([]) is None
    assert exact_sum([]) == 0


@settings(deadline=None, derandomize=True, max_examples=100)
@given(NUMBERS)
def test_the_order_of_summation_cannot_show(values: list[int | float]) -> None:
    shuffled = sorted(values, key=lambda value: (str(value)[::-1], value))
    assert exact_sum(values) == exact_sum(shuffled) == exact_sum(values[::-1])
