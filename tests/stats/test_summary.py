"""Summaries by hand, and against NumPy."""

from fractions import Fraction
from math import isclose

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from generator.stats.summary import QUANTILES, is_saturated, summarise


def test_a_sample_by_hand() -> None:
    found = summarise([4000, 0, None, 2000, 1000, 3000], saturated=0)
    # Ranks (n − 1)·p of 5 values: q1 1, p50 2, q3 3; p90 3.6, p95 3.8, p99 3.96 lie between 3000 and 4000.
    assert (found.n, found.missing, found.zero, found.saturated) == (5, 1, 1, 0)
    assert (found.minimum, found.maximum, found.mean) == (Fraction(0), Fraction(4000), Fraction(2000))
    assert found.quantiles == {"q1": 1000, "p50": 2000, "q3": 3000, "p90": 3600, "p95": 3800, "p99": 3960}
    # Squared distances 4 + 1 + 0 + 1 + 4 million, over n − 1 = 4.
    assert found.deviation == Fraction(2_500_000) ** 0.5


def test_nothing_and_one_value_have_no_more_than_they_say() -> None:
    nothing, one = summarise([None, None], saturated=0), summarise([7], saturated=1)
    assert (nothing.n, nothing.missing, nothing.minimum, nothing.mean, nothing.deviation) == (0, 2, None, None, None)
    assert set(nothing.quantiles.values()) == {None}
    assert (one.mean, one.quantiles["p99"], one.deviation, one.saturated) == (Fraction(7), Fraction(7), None, 1)


def test_a_cap_is_met_exactly() -> None:
    caps = (2147483647, 600_000.5)
    assert [is_saturated(value, caps) for value in (2147483647, 2147483646, 600_000.5, 0)] == [True, False, True, False]


@settings(deadline=None, derandomize=True, max_examples=60)
@given(st.lists(st.integers(0, 2**31), min_size=2, max_size=30))
def test_numpy_agrees(values: list[int]) -> None:
    found = summarise(values, saturated=0)
    for name, level in QUANTILES.items():
        assert isclose(float(found.quantiles[name] or 0), float(np.quantile(values, float(level))), abs_tol=1e-3)
    assert found.deviation is not None
    assert isclose(found.deviation, float(np.std(values, ddof=1)), rel_tol=1e-9)
