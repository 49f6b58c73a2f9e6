from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generator.stats.fisher import fisher_one_sided
from generator.stats.regression import regression_verdict

GROUP = st.integers(1, 80).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))


def test_the_drop_is_compared_on_exact_counts() -> None:
    # 180/200 − 160/200 is 1/10; in floats 0.9 − 0.8 < 0.1.
    verdict = regression_verdict(180, 200, 160, 200, delta=0.1)
    assert verdict.difference == Fraction(1, 10)
    assert verdict.outcome == "fail"


def test_a_p_value_at_the_level_is_not_below_it() -> None:
    # 3 of 3 against 0 of 3: p = 1/20 exactly.
    assert regression_verdict(3, 3, 0, 3, alpha=0.05).outcome == "inconclusive"
    assert regression_verdict(3, 3, 0, 3, alpha=0.051).outcome == "fail"

    # Nor is it against a pass, where there are runs enough.
    p_value = fisher_one_sided(360, 400, 350, 400)
    assert regression_verdict(360, 400, 350, 400, alpha=p_value).outcome == "pass"


def test_equal_samples_pass_only_with_enough_runs() -> None:
    assert regression_verdict(30, 30, 30, 30).outcome == "inconclusive"
    assert regression_verdict(400, 400, 400, 400).outcome == "pass"


def test_power_is_planned_and_does_not_grow_with_what_was_seen() -> None:
    near, far = regression_verdict(24, 30, 23, 30), regression_verdict(24, 30, 12, 30)
    assert near.power == far.power
    assert near.planned_alternative == Fraction(7, 10)


def test_a_baseline_below_the_drop_is_planned_against_zero() -> None:
    verdict = regression_verdict(1, 40, 1, 40, delta=0.1)
    assert verdict.planned_alternative == 0
    # A baseline of 0 cannot drop, so nothing shows that a drop would have been found.
    assert regression_verdict(0, 40, 0, 40).power is None
    assert regression_verdict(0, 40, 0, 40).outcome == "inconclusive"


def test_without_runs_nothing_is_known() -> None:
    verdict = regression_verdict(0, 0, 10, 10)
    assert (verdict.outcome, verdict.p_value, verdict.difference, verdict.power) == ("inconclusive", None, None, None)


@settings(deadline=None, derandomize=True, max_examples=150)
@given(GROUP, GROUP)
def test_the_rule_and_its_order(baseline: tuple[int, int], current: tuple[int, int]) -> None:
    verdict = regression_verdict(*baseline, *current)
    assert verdict.p_value is not None
    assert verdict.difference is not None
    if verdict.outcome == "fail":
        assert verdict.p_value < Fraction(1, 20)
        assert verdict.difference >= Fraction(1, 10)
        # Fewer passes than a failure fail as well.
        if current[0]:
            assert regression_verdict(*baseline, current[0] - 1, current[1]).outcome == "fail"
    if verdict.outcome == "pass":
        assert verdict.p_value >= Fraction(1, 20)
        assert verdict.power is not None
        assert verdict.power >= 0.9


@pytest.mark.parametrize("name", ["delta", "alpha", "beta"])
def test_values_outside_their_range_are_refused(name: str) -> None:
    with pytest.raises(ValueError, match=rf"{name} must lie in \(0, 1\), got 1"):
        regression_verdict(1, 2, 1, 2, **{name: 1})
    with pytest.raises(ValueError, match=r"hits must lie in \[0, n\], got 3 of 2"):
        regression_verdict(1, 2, 3, 2)
