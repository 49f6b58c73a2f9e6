"""Distributions that the standard library lacks, from the incomplete beta function."""

import math
from collections.abc import Callable

_STEPS = 500
_HALVINGS = 200


def beta_share(a: float, b: float, x: float) -> float:
    """The regularised incomplete beta function I_x(a, b), by its continued fraction (modified Lentz)."""
    if x <= 0 or x >= 1:
        return 0.0 if x <= 0 else 1.0
    if x > (a + 1) / (a + b + 2):
        return 1 - beta_share(b, a, 1 - x)
    log_front = math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log1p(-x)
    c, d = 1.0, 1 / _not_zero(1 - (a + b) * x / (a + 1))
    fraction = d
    for m in range(1, _STEPS):
        even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        for part in (even, odd):
            d = 1 / _not_zero(1 + part * d)
            c = _not_zero(1 + part / c)
            fraction *= c * d
        if abs(c * d - 1) < 1e-16:
            break
    return math.exp(log_front) * fraction / a


def student_quantile(tail: float, degrees: int) -> float:
    """The t with a share `tail` (below ½) of Student's distribution under it; negative."""

    def below(t: float) -> float:
        return beta_share(degrees / 2, 0.5, degrees / (degrees + t * t)) / 2

    return -crossing(lambda t: tail - below(t), 0.0, 1e6)


def crossing(rising: Callable[[float], float], low: float, high: float) -> float:
    """Where a rising function passes zero, by halving."""
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        if rising(middle) < 0:
            low = middle
        else:
            high = middle
    return (low + high) / 2


def clopper_pearson(hits: float, n: float, level: float) -> tuple[float, float] | None:
    """Ends at which the chance of so many hits or more, or of so many or fewer, is the tail."""
    if n == 0:
        return None
    tail = (1 - level) / 2
    low = crossing(lambda p: beta_share(hits, n - hits + 1, p) - tail, 0.0, 1.0) if hits else 0.0
    high = crossing(lambda p: beta_share(hits + 1, n - hits, p) - (1 - tail), 0.0, 1.0) if hits < n else 1.0
    return low, high


def _not_zero(value: float) -> float:
    return value if abs(value) > 1e-300 else 1e-300
