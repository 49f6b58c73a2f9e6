from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generator.model.kinds import Expectation
from generator.stats.metamorphic import is_kept, violation_verdict

LEVELS: dict[str, Any] = {"epsilon": 0.05, "delta": 0.1}
PAIRS = [(True, True), (True, False), (False, True), (False, False)]
"""Whether the source meets the metric, and whether the run that follows does."""


@pytest.mark.parametrize(
    ("expects", "kept"),
    [
        ("same", [True, False, False, True]),
        ("not_better", [None, None, False, True]),
        ("follows", [True, False, None, None]),
        ("holds", [True, False, True, False]),
    ],
)
def test_what_each_relation_asks_of_a_pair(expects: Expectation, kept: list[bool | None]) -> None:
    assert [is_kept(expects, source, follow_up) for source, follow_up in PAIRS] == kept


def test_the_upper_end_decides_a_pass() -> None:
    # Wilson's upper end of 0 of n is z²/(n + z²), z² = 3.8415: 0.1611 at 20, 0.1487 at 22; ε + δ is 0.15.
    assert violation_verdict(0, 20, **LEVELS).outcome == "inconclusive"
    passed = violation_verdict(0, 22, **LEVELS)
    assert (passed.outcome, passed.low, passed.more_pairs) == ("pass", 0, 0)
    assert passed.high == pytest.approx(3.8414588 / 25.8414588)
    assert violation_verdict(0, 20, **LEVELS).more_pairs == 2


def test_the_lower_end_decides_a_failure() -> None:
    # Wilson's lower end of n of n is n/(n + z²): 0.2066 at 1, where ε + δ = 0.15, and 0.4385 at 3.
    assert violation_verdict(1, 1, **LEVELS).outcome == "fail"
    failed = violation_verdict(3, 3, epsilon=0.1, delta=0.1)
    assert (failed.outcome, failed.high) == ("fail", 1)
    assert failed.low == pytest.approx(3 / 6.8414588)
    assert violation_verdict(3, 3, epsilon=0.4, delta=0.1).outcome == "inconclusive"


def test_without_pairs_nothing_is_decided() -> None:
    found = violation_verdict(0, 0, **LEVELS)
    assert (found.outcome, found.low, found.high, found.more_pairs) == ("inconclusive", None, None, None)
    # At 15 of 100 the rate is the bound itself.
    assert violation_verdict(15, 100, **LEVELS).more_pairs is None


def test_the_exact_interval_asks_for_more() -> None:
    # 0 of 22 by Clopper–Pearson: 1 − 0.025^(1/22) = 0.1544 is above 0.15.
    assert violation_verdict(0, 22, **LEVELS, method="clopper_pearson").outcome == "inconclusive"
    assert violation_verdict(0, 23, **LEVELS, method="clopper_pearson").outcome == "pass"


@pytest.mark.parametrize(
    ("epsilon", "delta", "message"),
    [
        (0.9, 0.1, r"epsilon \+ delta must lie in \(0, 1\)"),
        (-0.1, 0.1, r"epsilon must lie in \[0, 1\]"),
        (0.1, 0, r"delta must lie in \(0, 1\)"),
    ],
)
def test_impossible_levels_are_refused(epsilon: float, delta: float, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        violation_verdict(1, 4, epsilon=epsilon, delta=delta)


RANK = {"pass": 0, "inconclusive": 1, "fail": 2}


@settings(deadline=None, derandomize=True, max_examples=60)
@given(st.integers(1, 60), st.data())
def test_more_violations_never_make_it_better(n: int, data: st.DataObject) -> None:
    violated = data.draw(st.integers(0, n - 1))
    epsilon = Fraction(data.draw(st.integers(0, 60)), 100)
    one, other = (violation_verdict(count, n, epsilon=epsilon, delta=0.1) for count in (violated, violated + 1))
    assert RANK[one.outcome] <= RANK[other.outcome]
    assert one.low is not None
    assert one.high is not None
    assert one.low <= violated / n <= one.high
