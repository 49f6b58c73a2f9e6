from fractions import Fraction
from math import sqrt

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import beta

from generator.stats.proportions import IntervalMethod
from generator.stats.thresholds import runs_to_decide, threshold_verdict

COUNTS = st.integers(1, 300).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))
THETAS = st.integers(1, 99).map(lambda percent: Fraction(percent, 100))
METHODS: tuple[IntervalMethod, ...] = ("wilson", "clopper_pearson")
Z = 1.959963984540054


def held_rate_decides(rate: float, n: int, theta: float, method: IntervalMethod) -> bool:
    """Whether the interval at this rate lies on one side of theta; hits may be a fraction of a run."""
    if method == "wilson":
        centre = (rate + Z**2 / (2 * n)) / (1 + Z**2 / n)
        half = Z * sqrt(rate * (1 - rate) / n + Z**2 / (4 * n * n)) / (1 + Z**2 / n)
        low, high = centre - half, centre + half
    else:
        hits = rate * n
        low = beta.ppf(0.025, hits, n - hits + 1) if hits else 0.0
        high = beta.ppf(0.975, hits + 1, n - hits) if hits < n else 1.0
    return bool(low >= theta or high < theta)


def test_the_two_intervals_disagree_where_they_may() -> None:
    # 180 of 200 against 0.85: Wilson's lower end is 0.8506, the exact one 0.8498.
    assert threshold_verdict(180, 200, 0.85).outcome == "pass"
    assert threshold_verdict(180, 200, 0.85, method="clopper_pearson").outcome == "inconclusive"


def test_a_bound_on_the_threshold_passes() -> None:
    # No hit: the lower end is exactly 0, and 0 ≥ 0.
    assert threshold_verdict(0, 5, 0).outcome == "pass"
    # Every hit: the upper end is exactly 1, which is not below 1.
    assert threshold_verdict(5, 5, 1).outcome == "inconclusive"
    # One miss leaves the upper end below 1.
    assert threshold_verdict(4, 5, 1).outcome == "fail"


def test_without_runs_nothing_is_known() -> None:
    verdict = threshold_verdict(0, 0, 0.85)
    assert (verdict.outcome, verdict.low, verdict.high) == ("inconclusive", None, None)
    assert runs_to_decide(0, 0, 0.85) is None


@settings(deadline=None, derandomize=True, max_examples=100)
@given(COUNTS, THETAS, st.sampled_from(METHODS))
def test_more_hits_never_make_the_verdict_worse(
    counts: tuple[int, int], theta: Fraction, method: IntervalMethod
) -> None:
    hits, n = counts
    order = ["fail", "inconclusive", "pass"]
    own = order.index(threshold_verdict(hits, n, theta, method=method).outcome)
    if hits < n:
        assert own <= order.index(threshold_verdict(hits + 1, n, theta, method=method).outcome)
    # A stricter threshold never helps.
    assert own >= order.index(threshold_verdict(hits, n, min(Fraction(1), theta * 2), method=method).outcome)


@settings(deadline=None, derandomize=True, max_examples=60)
@given(COUNTS, THETAS, st.sampled_from(METHODS))
def test_so_many_more_runs_decide_and_one_fewer_does_not(
    counts: tuple[int, int], theta: Fraction, method: IntervalMethod
) -> None:
    hits, n = counts
    more = runs_to_decide(hits, n, theta, method=method)
    decided = threshold_verdict(hits, n, theta, method=method).outcome != "inconclusive"
    if decided:
        assert more == 0
    elif Fraction(hits, n) == theta:
        assert more is None
    else:
        assert more is not None
        assert more > 0
        assert held_rate_decides(hits / n, n + more, float(theta), method)
        assert not held_rate_decides(hits / n, n + more - 1, float(theta), method)


def test_runs_to_decide_by_hand() -> None:
    # 90 of 100 against 0.85: z²·0.85·0.15/0.05² = 3.841459·51 = 195.9, so 196 runs in all.
    assert runs_to_decide(90, 100, 0.85) == 96
    # The exact interval needs more.
    assert runs_to_decide(90, 100, 0.85, method="clopper_pearson") == 102
    # At the threshold itself no number of runs decides.
    assert runs_to_decide(85, 100, 0.85) is None


@pytest.mark.parametrize(
    ("theta", "alpha", "message"),
    [(1.5, 0.05, r"theta must lie in \[0, 1\], got 1.5"), (0.5, 0.0, r"alpha must lie in \(0, 1\), got 0.0")],
)
def test_values_outside_their_range_are_refused(theta: float, alpha: float, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        threshold_verdict(1, 2, theta, alpha)
    with pytest.raises(ValueError, match=message):
        runs_to_decide(1, 2, theta, alpha)


@pytest.mark.parametrize("method", METHODS)
def test_impossible_counts_are_refused(method: IntervalMethod) -> None:
    with pytest.raises(ValueError, match=r"hits must lie in \[0, n\], got 3 of 2"):
        threshold_verdict(3, 2, 0.5, method=method)
