"""Where the order of two groups by RMSL turns, once more: one limit or one weight moved, all else left."""

import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

from generator.verify.box_losses import soft_square, together

_FARTHEST_RATIO, _EVEN_STEPS, _BISECTIONS = 4, 16, 40

TurnsFound = dict[str, tuple[float, float]]
"""By part (`tau_down` …): the ratio, 1 or more, and the value of the parameter."""
_Groups = Sequence[Sequence[Sequence[float]]]


def nearest_turns(
    own: Sequence[Sequence[float]], base: Sequence[Sequence[float]], factors: Sequence[dict[str, Any]], method: str
) -> list[TurnsFound] | None:
    """Of each factor; None where both groups are equal. Runs are given by the badness of each factor."""
    ordered = _Ordered((own, base), factors, method)
    return None if ordered.before == 0 else [ordered.turns(place) for place in range(len(factors))]


class _Ordered:
    def __init__(self, groups: _Groups, factors: Sequence[dict[str, Any]], method: str) -> None:
        self._groups, self._factors, self._method = groups, factors, method
        self._steep = [float(Fraction(factor["k"])) for factor in factors]
        self._weights = [float(Fraction(factor["lambda"])) for factor in factors]
        self._losses = [self._column(place, 1.0) for place in range(len(factors))]
        self.before = self._order(self._losses, self._weights)

    def turns(self, place: int) -> TurnsFound:
        factor, weight = self._factors[place], self._weights[place]
        tau, is_share = float(Fraction(factor["tau"])), factor["direction"] == "higher"
        found: TurnsFound = {}
        for up in (False, True):
            room = min(_FARTHEST_RATIO, 1 / (1 - tau)) if is_share and up else _FARTHEST_RATIO
            ratio = _first_turn(lambda ratio: self._limit_turned(place, ratio), up, room)
            if ratio is not None:
                # Less room above a share is a higher limit.
                value = 1 - (1 - tau) * ratio if is_share else tau * ratio
                found["tau_up" if up != is_share else "tau_down"] = max(ratio, 1 / ratio), value
            ratio = (
                _first_turn(lambda ratio: self._weight_turned(place, ratio), up, _FARTHEST_RATIO) if weight else None
            )
            if ratio is not None:
                found["lambda_up" if up else "lambda_down"] = max(ratio, 1 / ratio), weight * ratio
        return found

    def _limit_turned(self, place: int, ratio: float) -> bool:
        losses = [*self._losses]
        losses[place] = self._column(place, ratio)
        return self._order(losses, self._weights) != self.before

    def _weight_turned(self, place: int, ratio: float) -> bool:
        weights = [*self._weights]
        weights[place] *= ratio
        return self._order(self._losses, weights) != self.before

    def _column(self, place: int, ratio: float) -> list[list[float]]:
        """The losses of a factor in both groups, with its limit so much farther away."""
        k = self._steep[place]
        return [[soft_square(k * (run[place] / ratio - 1)) for run in runs] for runs in self._groups]

    def _order(self, losses: Sequence[Sequence[Sequence[float]]], weights: Sequence[float]) -> int:
        """Sign of the mean square of the log scores of the first group less that of the second."""
        at_limits = together(self._method, [weight * math.log(2) ** 2 for weight in weights])
        means = []
        for side in range(2):
            squares = []
            for run in zip(*(column[side] for column in losses), strict=True):
                weighted = [weight * loss for weight, loss in zip(weights, run, strict=True)]
                squares.append(math.log1p(together(self._method, weighted) / at_limits) ** 2)
            means.append(math.fsum(squares) / len(squares))
        return (means[0] > means[1]) - (means[0] < means[1])


def _first_turn(turned: Callable[[float], bool], up: bool, reach: float) -> float | None:
    near = 1.0
    for step in range(1, _EVEN_STEPS + 1):
        far: float = _FARTHEST_RATIO ** ((step if up else -step) / _EVEN_STEPS)
        if max(far, 1 / far) > reach:
            return None
        if turned(far):
            for _ in range(_BISECTIONS):
                middle = math.sqrt(near * far)
                near, far = (near, middle) if turned(middle) else (middle, far)
            return far
        near = far
    return None
