from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generator.stats.richness import chao1

COUNTS = st.lists(st.integers(0, 6), max_size=25)


def test_by_hand() -> None:
    # Four kinds, two seen once, one twice: 4 + 2²/(2·1) = 6, 4 + 2·1/(2·2) = 4½, 4 + 2·6/7 = 40/7.
    result = chao1([3, 1, 2, 1])
    assert result.classic == 6
    assert result.bias_corrected == Fraction(9, 2)
    assert result.classic_n_corrected == Fraction(40, 7)
    assert (result.coverage_classic, result.coverage) == (Fraction(2, 3), Fraction(8, 9))


@settings(deadline=None, derandomize=True, max_examples=150)
@given(COUNTS)
def test_it_never_estimates_fewer_than_were_seen(counts: list[int]) -> None:
    result = chao1(counts)
    if not any(counts):
        assert (result.observed, result.classic, result.coverage, result.coverage_classic) == (0, None, None, None)
        return
    assert result.classic is not None
    assert result.bias_corrected is not None
    assert result.classic_n_corrected is not None
    assert result.coverage is not None
    assert result.observed <= result.bias_corrected <= result.classic
    assert result.observed <= result.classic_n_corrected <= result.classic
    assert 0 < result.coverage <= 1
    assert chao1([*reversed(counts), 0]) == result
    # What was seen often says nothing of what is unseen.
    assert chao1([*counts, 9]).bias_corrected == result.bias_corrected + 1


def test_negative_counts_are_refused() -> None:
    with pytest.raises(ValueError, match="counts must not be negative, got -2"):
        chao1([3, -2])
