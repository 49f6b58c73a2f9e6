"""Drift against enumeration of every order, and against SciPy's rank sum test."""

from fractions import Fraction
from itertools import combinations, permutations, product
from math import comb
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from generator.stats import drift
from generator.stats.drift import arrangements, drift_within_cases

CASES = st.lists(st.lists(st.booleans(), max_size=5), max_size=3)


def later_pairs(order: tuple[bool, ...]) -> int:
    return sum(not first and second for first, second in combinations(order, 2))


def enumerated(cases: list[list[bool]]) -> Fraction:
    """The chance of a statistic at least as far from its mean, over every order of every case."""
    orders = [sorted(set(permutations(case))) for case in cases]
    mean = Fraction(sum(case.count(True) * case.count(False) for case in cases), 2)
    seen = abs(sum(later_pairs(tuple(case)) for case in cases) - mean)
    all_of_them = list(product(*orders))
    as_far = sum(abs(sum(map(later_pairs, one)) - mean) >= seen for one in all_of_them)
    return Fraction(as_far, len(all_of_them))


def test_by_hand() -> None:
    # Two passes of four, both late: all 4 pairs. One order of six is as far, and its mirror: 2/6.
    found = drift_within_cases([[False, False, True, True]])
    assert found is not None
    assert (found.cases, found.pairs, found.later) == (1, 4, 4)
    assert (found.p_value, found.smallest, found.method) == (Fraction(1, 3), Fraction(1, 3), "exact")


def test_cases_without_both_outcomes_say_nothing() -> None:
    assert drift_within_cases([[True, True], [False], []]) is None
    mixed = [[False, True], [True, False, True]]
    assert drift_within_cases([*mixed, [True] * 9, [False]]) == drift_within_cases(mixed)


def test_harder_cases_in_blocks_are_no_drift() -> None:
    """All of the first case fail and all of the last pass; pooled, that would be a perfect trend."""
    found = drift_within_cases([[False] * 5, [False, True, True, False], [True] * 5])
    assert found is not None
    assert (found.p_value, found.pairs) == (1, 4)


@settings(deadline=None, derandomize=True, max_examples=80)
@given(CASES)
def test_it_is_the_enumeration(cases: list[list[bool]]) -> None:
    found = drift_within_cases(cases)
    mixed = [case for case in cases if len(set(case)) == 2]
    if not mixed:
        assert found is None
        return
    assert found is not None
    assert found.p_value == enumerated(mixed)
    backwards = drift_within_cases([case[::-1] for case in cases])
    assert backwards is not None
    assert (backwards.p_value, backwards.later) == (found.p_value, found.pairs - found.later)
    assert found.smallest <= found.p_value <= 1


def test_orders_of_seven_runs() -> None:
    counts = [0] * 13
    for places in combinations(range(7), 3):
        counts[later_pairs(tuple(place in places for place in range(7)))] += 1
    assert arrangements(3, 7) == counts
    assert sum(arrangements(30, 60)) == comb(60, 30)


def test_a_single_failure_can_stand_anywhere_in_a_thousand() -> None:
    assert arrangements(999, 1000) == arrangements(1, 1000) == [1] * 1000


def test_of_one_case_it_is_the_rank_sum_test_of_scipy() -> None:
    draw = Random(5)
    order = [draw.random() < 0.3 + place / 60 for place in range(30)]
    passed, failed = ([place for place, ok in enumerate(order) if ok is which] for which in (True, False))
    found = drift_within_cases([order])
    expected = stats.mannwhitneyu(passed, failed, method="exact").pvalue
    assert found is not None
    assert float(found.p_value) == pytest.approx(float(expected), rel=1e-12)


def test_many_pairs_are_taken_as_normal_and_come_close(monkeypatch: pytest.MonkeyPatch) -> None:
    draw = Random(11)
    cases = [[draw.random() < 0.5 for _ in range(8)] for _ in range(40)]
    exact = drift_within_cases(cases)
    monkeypatch.setattr(drift, "MOST_COUNTED_PAIRS", 10)
    normal = drift_within_cases(cases)
    assert exact is not None
    assert normal is not None
    assert (exact.method, normal.method) == ("exact", "normal")
    assert float(normal.p_value) == pytest.approx(float(exact.p_value), abs=0.002)


def test_the_level_is_held_though_cases_differ() -> None:
    """Seeded: 400 sequences without drift, cases from hopeless to sure, executed case by case."""
    draw = Random(3)
    alarms = 0
    for _ in range(400):
        found = drift_within_cases([[draw.random() < case / 11 for _ in range(5)] for case in range(12)])
        alarms += found is not None and found.p_value < Fraction(1, 20)
    # The level is exact: above 0.05 only by the draw, whose standard error is 0.011.
    assert alarms / 400 <= 0.08


def test_a_drift_is_found() -> None:
    """Seeded: a rate that falls from 0.9 to 0.5 over five rounds of twenty cases."""
    draw = Random(3)
    alarms = 0
    for _ in range(100):
        found = drift_within_cases([[draw.random() < 0.9 - 0.1 * repeat for repeat in range(5)] for _ in range(20)])
        alarms += found is not None and found.p_value < Fraction(1, 20)
    assert alarms >= 60
