from math import log

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generator.stats.sequential import sprt_plan, sprt_run

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


def test_impossible_caps_are_refused() -> None:
    with pytest.raises(ValueError, match="n_max must be at least 1, got 0"):
        sprt_run(PLAN, [True], 0)
