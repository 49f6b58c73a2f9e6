"""The loss of a factor, and the losses of a run as one."""

import math
from collections.abc import Sequence


def soft_square(t: float) -> float:
    """softplus(t)²."""
    return (math.log1p(math.exp(t)) if t <= 0 else t + math.log1p(math.exp(-t))) ** 2


def together(method: str, losses: Sequence[float]) -> float:
    """By `l2_norm`, `max` or `sum`."""
    if method == "l2_norm":
        return math.sqrt(math.fsum(loss * loss for loss in losses))
    return max(losses) if method == "max" else math.fsum(losses)
