"""Where the order of two groups turns, on cases whose turn can be found by hand."""

from math import log1p

import pytest

from generator.stats.box import BoxFactor
from generator.stats.box_margin import Turns, box_margin
from generator.stats.rms_loss import rms_loss

EVEN = [BoxFactor("lower", 10, 2, 1), BoxFactor("lower", 5, 2, 1)]


def scores(runs: list[list[float]], limits: tuple[float, float], weights: tuple[float, float]) -> list[float]:
    """By the definition, with x recomputed from values at other limits."""

    def loss(x: float) -> float:
        return log1p(2.718281828459045 ** (2 * (x - 1))) ** 2

    at_limits = ((weights[0] * loss(1)) ** 2 + (weights[1] * loss(1)) ** 2) ** 0.5
    made = []
    for run in runs:
        parts = [weight * loss(x / limit) for x, limit, weight in zip(run, limits, weights, strict=True)]
        made.append((parts[0] ** 2 + parts[1] ** 2) ** 0.5 / at_limits)
    return made


def test_mirrored_groups_turn_where_their_roles_do() -> None:
    """One group exceeds the first limit a little more than the other exceeds the second: at the turn both are alike."""
    own, base = [[1.2, 0.5]], [[0.5, 1.1]]
    found = box_margin(own, base, EVEN)
    assert found is not None
    first, second = found.turns
    # A first limit of 10 · 1.2 / 1.1 would not do: the 0.5 of the other group moves with it, so the turn is searched.
    assert first.tau_up is not None
    assert first.tau_down is None
    ratio = first.tau_up / 10
    sides = [rms_loss(scores(runs, (ratio, 1), (1, 1))) for runs in (own, base)]
    assert sides[0] is not None
    assert sides[1] is not None
    assert sides[0].rmsl == pytest.approx(sides[1].rmsl, rel=1e-9)
    assert second.tau_down is not None
    assert second.tau_down < 5


def test_a_weight_at_which_both_losses_balance() -> None:
    """loss(1.2) w against loss(1.1): the rest of both runs has x = 0 and the same loss, which the weights move too."""
    found = box_margin([[1.2, 0.0]], [[0.0, 1.1]], EVEN)
    assert found is not None
    turn = found.turns[0].lambda_down
    assert turn is not None
    own, base = (scores(runs, (1, 1), (turn, 1)) for runs in ([[1.2, 0.0]], [[0.0, 1.1]]))
    assert own[0] == pytest.approx(base[0], rel=1e-9)
    assert found.ratio == pytest.approx(min(max(r, 1 / r) for r in _ratios(found.turns)), rel=1e-12)


def _ratios(turns: list[Turns]) -> list[float]:
    limits = [10, 5]
    found = []
    for turn, tau in zip(turns, limits, strict=True):
        found += [value / tau for value in (turn.tau_down, turn.tau_up) if value is not None]
        found += [value for value in (turn.lambda_down, turn.lambda_up) if value is not None]
    return found


def test_a_group_that_is_worse_in_everything_stays_worse() -> None:
    found = box_margin([[3.0, 3.0]], [[0.1, 0.1]], EVEN)
    assert found is not None
    assert found.ratio is None
    assert found.turns == [Turns(None, None, None, None)] * 2


def test_a_share_moves_its_room() -> None:
    """x = 5 · (1 − v) at τ = 0.8: the first group is right and slow, the second fast and wrong. With more room for
    mistakes, which is a lower τ, the second becomes the better one."""
    factors = [BoxFactor("lower", 10, 2, 1), BoxFactor("higher", 0.8, 2, 1)]
    found = box_margin([[2.0, 0.0]], [[0.0, 2.5]], factors)
    assert found is not None
    share = found.turns[1]
    assert share.tau_up is None
    assert share.tau_down is not None
    assert 0 <= share.tau_down < 0.8
    assert [2.5 * 0.2 / (1 - share.tau_down)] == [pytest.approx(2.0, rel=0.05)]


def test_no_group_and_no_difference_have_no_order() -> None:
    assert box_margin([], [[1.0, 1.0]], EVEN) is None
    assert box_margin([[1.0, 1.0], [2.0, 0.5]], [[2.0, 0.5], [1.0, 1.0]], EVEN) is None


def test_a_weight_of_zero_has_no_turn() -> None:
    found = box_margin([[2.0, 1.0]], [[2.0, 1.5]], [BoxFactor("lower", 1, 2, 0), BoxFactor("lower", 1, 2, 1)])
    assert found is not None
    assert (found.turns[0].lambda_down, found.turns[0].lambda_up) == (None, None)
    assert found.turns[0].tau_up is None
