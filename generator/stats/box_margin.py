"""How far the limits and weights of a box profile can move before two groups change places by RMSL."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from math import fsum, log1p

from generator.stats.box import AGGREGATES, AT_LIMIT, BoxFactor, BoxMethod, squared_softplus
from generator.stats.parameters import exact_value

REACH, STEPS, HALVINGS = 4, 16, 40
"""A parameter is tried from a quarter to four times what it is, in so many steps each way, evenly by ratio; the step in
which the order changes is halved so often."""


@dataclass(frozen=True, slots=True)
class Turns:
    """Values of a factor's parameters nearest to what they are at which the order changes; None where none does.
    `tau_down` is a smaller τ, `tau_up` a larger one."""

    tau_down: float | None
    tau_up: float | None
    lambda_down: float | None
    lambda_up: float | None


@dataclass(frozen=True, slots=True)
class Margin:
    """`turns`: one a factor. `ratio` ≥ 1 is that of the nearest of them, None where nothing changes the order."""

    turns: list[Turns]
    ratio: float | None


Run = Sequence[float]
"""The badness of a run, factor by factor."""


def box_margin(
    own: Sequence[Run], base: Sequence[Run], factors: Sequence[BoxFactor], method: BoxMethod = "l2_norm"
) -> Margin | None:
    """The smallest change of one τ or one λ that makes two groups of runs change places by RMSL.

    Parameters
    ----------
    own, base : sequence of runs
        Each the badness x of a run, one a factor, at the limits as they are.
    factors : sequence of BoxFactor
        `direction` decides what of τ moves: τ itself where lower is better, the room 1 − τ above it where higher is.
    method : str
        How the weighted losses of a run are aggregated.

    Returns
    -------
    Margin; None where a group is empty or both have the same RMSL: there is no order to change.
    """
    if not own or not base:
        return None
    order = _Order([*own], [*base], factors, method)
    if order.sign == 0:
        return None
    found = [(order.turns_of_limit(place), order.turns_of_weight(place)) for place in range(len(factors))]
    ratios = [max(ratio, 1 / ratio) for pair in found for turn in pair for ratio in turn if ratio is not None]
    turns = [_turns(factor, *pair) for factor, pair in zip(factors, found, strict=True)]
    return Margin(turns, min(ratios, default=None))


_Pair = tuple[float | None, float | None]
"""Ratios below and above 1 at which the order changes."""


class _Order:
    """Which of two groups has the larger RMSL, under changed parameters. Weights need not add up to 1: their sum is in
    the loss at all limits too."""

    def __init__(self, own: list[Run], base: list[Run], factors: Sequence[BoxFactor], method: BoxMethod) -> None:
        self._groups, self._factors, self._aggregate = (own, base), factors, AGGREGATES[method]
        self._weights = [float(exact_value(factor.weight)) for factor in factors]
        self._losses = [[self._of_factor(place, group, 1.0) for group in self._groups] for place in range(len(factors))]
        self.sign = self._compare(self._losses, self._weights)

    def turns_of_limit(self, place: int) -> _Pair:
        """By what the room of a limit is multiplied. τ of a share stays 0 or more."""
        factor = self._factors[place]
        largest = REACH if factor.direction == "lower" else 1 / (1 - float(exact_value(factor.tau)))

        def holds(ratio: float) -> bool:
            moved = [self._of_factor(place, group, ratio) for group in self._groups]
            return self._compare([*self._losses[:place], moved, *self._losses[place + 1 :]], self._weights) == self.sign

        return _turn(holds, -1, 1 / REACH), _turn(holds, 1, min(REACH, largest))

    def turns_of_weight(self, place: int) -> _Pair:
        def holds(ratio: float) -> bool:
            weights = [weight * ratio if at == place else weight for at, weight in enumerate(self._weights)]
            return self._compare(self._losses, weights) == self.sign

        if self._weights[place] == 0:
            return None, None
        return _turn(holds, -1, 1 / REACH), _turn(holds, 1, REACH)

    def _of_factor(self, place: int, group: Sequence[Run], ratio: float) -> list[float]:
        k = float(exact_value(self._factors[place].k))
        known = {x: squared_softplus(k * (x / ratio - 1)) for x in {run[place] for run in group}}
        return [known[run[place]] for run in group]

    def _compare(self, losses: Sequence[Sequence[list[float]]], weights: Sequence[float]) -> int:
        at_limits = self._aggregate([weight * AT_LIMIT for weight in weights])
        squares = []
        for side, group in enumerate(self._groups):
            runs = zip(*(of[side] for of in losses), strict=True)
            weighted = ([weight * loss for weight, loss in zip(weights, run, strict=True)] for run in runs)
            logs = [log1p(self._aggregate(run) / at_limits) for run in weighted]
            squares.append(fsum(each * each for each in logs) / len(group))
        return (squares[0] > squares[1]) - (squares[0] < squares[1])


def _turn(holds: Callable[[float], bool], way: int, limit: float) -> float | None:
    """The ratio nearest to 1 at which the order no longer holds, up to `limit`."""
    before = 1.0
    for step in _steps(way, limit):
        if holds(step):
            before = step
            continue
        for _ in range(HALVINGS):
            middle = (before * step) ** 0.5
            before, step = (middle, step) if holds(middle) else (before, middle)
        return step
    return None


def _steps(way: int, limit: float) -> Iterator[float]:
    for step in range(1, STEPS + 1):
        ratio: float = REACH ** (way * step / STEPS)
        if (ratio > limit) if way > 0 else (ratio < limit):
            return
        yield ratio


def _turns(factor: BoxFactor, limits: _Pair, weights: _Pair) -> Turns:
    """Ratios as values of the parameters. A smaller room is a larger τ where higher is better."""
    tau, weight = float(exact_value(factor.tau)), float(exact_value(factor.weight))
    if factor.direction == "lower":
        down, up = (None if ratio is None else tau * ratio for ratio in limits)
    else:
        up, down = (None if ratio is None else 1 - (1 - tau) * ratio for ratio in limits)
    return Turns(down, up, *(None if ratio is None else weight * ratio for ratio in weights))
