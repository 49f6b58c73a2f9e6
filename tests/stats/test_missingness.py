from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generator.stats.missingness import missingness_bounds

RECORDS = st.lists(st.sampled_from([True, False, None]), max_size=8)


@settings(deadline=None, derandomize=True, max_examples=100)
@given(RECORDS)
def test_the_bounds_are_what_the_missing_could_make_of_it(records: list[bool | None]) -> None:
    count, missing = records.count(True), records.count(None)
    bounds = missingness_bounds(count, len(records) - missing, missing)
    if not records:
        assert (bounds.low, bounds.high, bounds.observed_only, bounds.width) == (None, None, None, None)
        return
    shares = [Fraction(count + filled, len(records)) for filled in range(missing + 1)]
    assert (bounds.low, bounds.high) == (min(shares), max(shares))
    assert bounds.width == Fraction(missing, len(records))
    if bounds.observed_only is not None:
        assert min(shares) <= bounds.observed_only <= max(shares)


def test_impossible_counts_are_refused() -> None:
    with pytest.raises(ValueError, match=r"count must lie in \[0, observed\], got 4 of 3"):
        missingness_bounds(4, 3, 0)
    with pytest.raises(ValueError, match="missing must not be negative, got -1"):
        missingness_bounds(1, 3, -1)
