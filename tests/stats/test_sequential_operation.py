from itertools import product

import pytest

from generator.stats.sequential import sprt_plan, sprt_run
from generator.stats.sequential_operation import sprt_operation

PLAN = sprt_plan(0.9, 0.1)


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


def test_impossible_caps_and_rates_are_refused() -> None:
    with pytest.raises(ValueError, match="n_max must be at least 1, got 0"):
        sprt_operation(PLAN, 0.5, 0)
    with pytest.raises(ValueError, match=r"rate must lie in \[0, 1\], got 2"):
        sprt_operation(PLAN, 2, 5)
