"""Plans for further runs, worked by hand, and tried in simulations."""

from fractions import Fraction
from math import sqrt
from random import Random
from statistics import variance

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generator.stats.planning import adaptive_plan, agreement, fidelity_plan, warm_start
from generator.stats.sample_size import sample_size
from generator.stats.sequential import sprt_plan


def test_the_reference_sizes() -> None:
    # (1.6449 + 1.2816)² = 8.5639 times variances: 0.09 + 0.16 at 0.9, 2·¼ where nothing is known; ÷ 0.01.
    plan = adaptive_plan(Fraction(9, 10), (0.8, 0.95), Fraction(1, 10))
    assert plan is not None
    assert (plan.observed, plan.fixed) == (215, 429)
    # 0.8 and 0.7: 0.16 + 0.21.
    assert plan.careful == 317


def test_an_agent_that_never_failed_still_needs_a_careful_plan() -> None:
    plan = adaptive_plan(1, (0.9, 1.0), Fraction(1, 10))
    assert plan is not None
    # 8.5639·(0 + 0.09)/0.01 = 77.07
    assert (plan.observed, plan.careful) == (78, 215)


def test_the_least_favourable_rate_lies_between() -> None:
    plan = adaptive_plan(Fraction(1, 2), (0.3, 0.8), Fraction(1, 10))
    assert plan is not None
    # At (1 + δ)/2 = 0.55: 2·0.55·0.45 = 0.495, times 856.39.
    assert plan.careful == 424


def test_a_rate_below_the_drop_has_no_plan() -> None:
    assert adaptive_plan(Fraction(1, 20), (0.0, 0.2), Fraction(1, 10)) is None
    low = adaptive_plan(Fraction(1, 10), (0.02, 0.3), Fraction(1, 10))
    assert low is not None
    # 0.1·0.9 + 0 = 0.09
    assert low.observed == 78


@settings(deadline=None, derandomize=True, max_examples=100)
@given(st.integers(10, 100), st.integers(0, 30), st.integers(0, 30))
def test_careful_lies_between_observed_and_fixed(percent: int, below: int, above: int) -> None:
    rate = Fraction(percent, 100)
    interval = (max(0.0, (percent - below) / 100), min(1.0, (percent + above) / 100))
    plan = adaptive_plan(rate, interval, Fraction(1, 10))
    assert plan is not None
    assert plan.observed <= plan.careful <= plan.fixed
    assert plan.observed == sample_size(rate, Fraction(1, 10)).n


def test_agreement_by_hand() -> None:
    # Rates (1, 1) and (0, ¼): means ½ and 5/8, covariance ½ − 5/16 = 3/16, spreads ¼·15/64.
    found = agreement([(4, 4, 4, 4), (0, 4, 1, 4), (3, 0, 1, 1)])
    assert found is not None
    assert (found.cases, found.alike, found.squared) == (2, Fraction(7, 8), Fraction(3, 5))
    assert found.correlation == pytest.approx(sqrt(0.6))
    mirrored = agreement([(4, 4, 0, 4), (0, 4, 3, 4)])
    assert mirrored is not None
    assert mirrored.correlation == pytest.approx(-sqrt(0.6))


def test_agreement_without_ground() -> None:
    assert agreement([]) is None
    assert agreement([(1, 1, 0, 0)]) is None
    same = agreement([(2, 2, 1, 2), (2, 2, 0, 2)])
    assert same is not None
    assert (same.squared, same.correlation) == (None, None)


def test_a_split_by_hand() -> None:
    # ρ² = 0.8, w = 16: r = √(16·0.8/0.2) = 8; dear 100·(0.2 + 0.1) = 30; cheap 240; (30 + 15)/100.
    plan = fidelity_plan(100, Fraction(4, 5), 16)
    assert (plan.dear, plan.cheap, plan.share) == (30, 240, 0.45)


@pytest.mark.parametrize(("squared", "ratio"), [(0, 100), (Fraction(1, 10), 2), (Fraction(1, 2), 1)])
def test_a_variant_that_does_not_help(squared: Fraction | int, ratio: int) -> None:
    plan = fidelity_plan(50, squared, ratio)
    assert (plan.dear, plan.cheap, plan.share) == (50, 0, 1)


def test_a_perfect_stand_in() -> None:
    plan = fidelity_plan(40, 1, 10)
    assert (plan.dear, plan.cheap) == (1, 40)
    assert plan.share == pytest.approx((1 + 4) / 40)


def test_some_dear_runs_stay_in_any_case() -> None:
    # 20 of 40: 1/r = 20/40, r = 2, 40 cheap runs; (20 + 4)/40.
    plan = fidelity_plan(40, 1, 10, 20)
    assert (plan.dear, plan.cheap, plan.share) == (20, 40, 0.6)
    # ρ² = 0.8, 50 of 100: 0.8/r = 0.5 − 0.2, r = 8/3, 133.3 cheap runs.
    other = fidelity_plan(100, Fraction(4, 5), 16, 50)
    assert (other.dear, other.cheap) == (50, 134)
    assert fidelity_plan(40, 1, 10, 40).cheap == fidelity_plan(40, 1, 10, 60).cheap == 0


def test_the_split_is_as_precise_as_the_plain_plan() -> None:
    """Seeded: pairs of outcomes with a known correlation, the estimate m̄ + a(M̄′ − m̄′) against a plain mean."""
    draw = Random(17)
    # Equal with chance 0.95 at rate ½: correlation 0.9, ρ² = 0.81.
    plan = fidelity_plan(60, Fraction(81, 100), 20)

    def estimate() -> float:
        cheap = [draw.random() < 0.5 for _ in range(plan.cheap)]
        dear = [ok if draw.random() < 0.95 else not ok for ok in cheap[: plan.dear]]
        own = sum(dear) / plan.dear
        return own + 0.9 * (sum(cheap) / plan.cheap - sum(cheap[: plan.dear]) / plan.dear)

    assert plan.share < 0.6
    assert variance(estimate() for _ in range(3000)) == pytest.approx(0.25 / 60, rel=0.12)


def test_a_warm_start_never_decides() -> None:
    plan = sprt_plan(Fraction(9, 10), Fraction(1, 10))
    # 20 passes and 4 failures: 20·ln(8/9) + 4·ln 2 = 0.41693, a quarter of it.
    assert warm_start(plan, 20, 4, Fraction(1, 4)) == pytest.approx(0.104232, abs=1e-6)
    assert warm_start(plan, 10_000, 0, Fraction(1, 4)) == plan.lower / 2
    assert warm_start(plan, 0, 10_000, 1) == plan.upper / 2
    assert warm_start(plan, 50, 3, 0) == 0
