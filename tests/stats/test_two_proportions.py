from fractions import Fraction
from math import asin, pi, sqrt
from statistics import NormalDist

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generator.stats.two_proportions import compare_proportions

GROUP = st.integers(1, 60).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))


def test_by_hand() -> None:
    result = compare_proportions(9, 10, 5, 10)
    assert result is not None
    assert result.difference == Fraction(2, 5)
    # Pooled rate 0.7: z = 0.4/√(0.7·0.3·0.2). Unpooled: z = 0.4/√(0.9·0.1/10 + 0.5·0.5/10).
    assert result.z_pooled == pytest.approx(0.4 / sqrt(0.042))
    assert result.z_unpooled == pytest.approx(0.4 / sqrt(0.034))
    assert result.p_unpooled == pytest.approx(1 - NormalDist().cdf(0.4 / sqrt(0.034)))
    assert result.cohens_h == pytest.approx(2 * asin(sqrt(0.9)) - pi / 2)
    # Odds 9 to 1 against 1 to 1.
    assert result.odds_ratio == 9


@pytest.mark.parametrize(
    ("counts", "pooled", "unpooled", "odds"),
    [
        ((7, 7, 0, 7), True, False, None),
        ((7, 7, 7, 7), False, False, None),
        ((0, 7, 0, 7), False, False, None),
        ((0, 7, 3, 7), True, True, 0),
    ],
)
def test_what_has_no_variance_has_no_z(
    counts: tuple[int, int, int, int], pooled: bool, unpooled: bool, odds: int | None
) -> None:
    result = compare_proportions(*counts)
    assert result is not None
    assert (result.z_pooled is not None, result.p_pooled is not None) == (pooled, pooled)
    assert (result.z_unpooled is not None, result.p_unpooled is not None) == (unpooled, unpooled)
    assert result.odds_ratio == odds


def test_an_empty_group_compares_with_nothing() -> None:
    assert compare_proportions(0, 0, 3, 4) is None
    assert compare_proportions(3, 4, 0, 0) is None


def test_impossible_counts_are_refused() -> None:
    with pytest.raises(ValueError, match=r"baseline_hits must lie in \[0, baseline_n\]"):
        compare_proportions(5, 4, 1, 3)


@settings(deadline=None, derandomize=True, max_examples=40)
@given(GROUP, GROUP)
def test_turning_the_groups_turns_the_signs(baseline: tuple[int, int], current: tuple[int, int]) -> None:
    result, turned = compare_proportions(*baseline, *current), compare_proportions(*current, *baseline)
    assert result is not None
    assert turned is not None
    assert result.difference == -turned.difference
    assert result.cohens_h == pytest.approx(-turned.cohens_h, abs=1e-12)
    for one, other in ((result.z_pooled, turned.z_pooled), (result.z_unpooled, turned.z_unpooled)):
        assert (one is None) == (other is None)
        if one is not None and other is not None:
            assert one == pytest.approx(-other, abs=1e-12)
    if result.p_pooled is not None and turned.p_pooled is not None:
        assert result.p_pooled + turned.p_pooled == pytest.approx(1)
    if result.odds_ratio and turned.odds_ratio:
        assert result.odds_ratio * turned.odds_ratio == 1
