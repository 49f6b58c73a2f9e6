from itertools import product
from math import log

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generator.stats.sequential import sprt_operation, sprt_plan, sprt_run

PLAN = sprt_plan(0.9, 0.1)


def test_bounds_and_steps_by_hand() -> None:
    assert PLAN.lower == pytest.approx(log(0.1 / 0.95))
    assert PLAN.upper == pytest.approx(log(0.9 / 0.05))
    assert PLAN.step_pass == pytest.approx(log(8 / 9))
    assert PLAN.step_fail == pytest.approx(log(2))


@settings(deadline=None, derandomize=True, max_examples=100)
@given(st.lists(st.booleans(), max_size=80), st.none() | st.integers(1, 60))
def test_the_path_lies_between_the_bounds_until_it_ends(outcomes: list[bool], n_max: int | None) -> None:
    run = sprt_run(PLAN, outcomes, n_max)
    assert run.path[0] == 0
    assert len(run.path) == run.n_used + 1
    assert run.llr == run.path[-1]
    assert all(PLAN.lower < llr < PLAN.upper for llr in run.path[:-1])
    assert run.n_used <= len(outcomes) if n_max is None else run.n_used <= min(n_max, len(outcomes))
    assert (run.decision == "pass") == (run.llr <= PLAN.lower)
    assert (run.decision == "fail") == (run.llr >= PLAN.upper)
    assert (run.decision == "continue") == (
        PLAN.lower < run.llr < PLAN.upper and run.n_used == len(outcomes) and run.n_used != n_max
    )
    # What comes after the decision is not looked at.
    assert sprt_run(PLAN, [*outcomes[: run.n_used], False, False, False], run.n_used or None).path == run.path or (
        run.n_used == 0
    )


def test_perfect_agents_stop_where_the_plan_says() -> None:
    for theta, expected in ((0.9, 20), (0.95, 21), (0.99, 22)):
        plan = sprt_plan(theta, 0.1)
        run = sprt_run(plan, [True] * 100)
        assert (run.decision, run.n_used, plan.all_pass_n) == ("pass", expected, expected)


def test_enumeration_agrees_with_every_sequence() -> None:
    # All 2¹⁰ sequences of a plan that decides early.
    plan, rate = sprt_plan(0.8, 0.4, 0.1, 0.2), 0.7
    ends = {"pass": 0.0, "fail": 0.0, "inconclusive": 0.0}
    expected_n = 0.0
    for outcomes in product((True, False), repeat=10):
        chance = rate ** sum(outcomes) * (1 - rate) ** (10 - sum(outcomes))
        run = sprt_run(plan, outcomes, 10)
        ends[run.decision] += chance
        expected_n += chance * run.n_used
    found = sprt_operation(plan, rate, 10)
    assert (found.passes, found.fails, found.inconclusive) == pytest.approx(tuple(ends.values()))
    assert found.expected_n == pytest.approx(expected_n)


def test_a_cap_of_thirty_leaves_much_undecided() -> None:
    # The reference's enumeration for θ = 0.90, δ = 0.15: undecided in 39% and 37%, failed in 58% of regressed agents.
    plan = sprt_plan(0.9, 0.15)
    good, bad = sprt_operation(plan, 0.9, 30), sprt_operation(plan, 0.75, 30)
    assert (round(good.inconclusive, 2), round(bad.inconclusive, 2), round(bad.fails, 2)) == (0.39, 0.37, 0.58)


def test_certain_agents_have_one_path() -> None:
    perfect = sprt_operation(PLAN, 1, 50)
    assert (perfect.passes, perfect.expected_n) == (1.0, 20.0)
    broken = sprt_operation(PLAN, 0, 50)
    assert (broken.fails, broken.expected_n) == (1.0, 5.0)


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ((1.0, 0.1, 0.05, 0.1), r"theta must lie in \(0, 1\), got 1.0"),
        ((0.2, 0.2, 0.05, 0.1), "delta must be below theta, got 0.2 of 0.2"),
        ((0.9, 0.1, 0.6, 0.4), r"alpha \+ beta must be below 1, got 0.6 and 0.4"),
    ],
)
def test_impossible_plans_are_refused(values: tuple[float, float, float, float], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        sprt_plan(*values)


def test_impossible_caps_and_rates_are_refused() -> None:
    with pytest.raises(ValueError, match="n_max must be at least 1, got 0"):
        sprt_run(PLAN, [True], 0)
    with pytest.raises(ValueError, match="n_max must be at least 1, got 0"):
        sprt_operation(PLAN, 0.5, 0)
    with pytest.raises(ValueError, match=r"rate must lie in \[0, 1\], got 2"):
        sprt_operation(PLAN, 2, 5)
