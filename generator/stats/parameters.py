"""What the functions of this package accept: counts, levels, and exact values of configured numbers."""

from fractions import Fraction
from statistics import NormalDist

from generator.model.formatting import exact

Exactable = int | float | Fraction
"""A number that is taken exactly: a float is its decimal text, so that 0.1 is 1/10."""


def exact_value(value: Exactable) -> Fraction:
    """The exact value of a number: of a float that of its decimal text, because 0.1 was written and 1/10 was meant."""
    return value if isinstance(value, Fraction) else exact(value)


def check_counts(hits: int, n: int, hits_name: str = "hits", n_name: str = "n") -> None:
    """Raise ValueError unless 0 ≤ hits ≤ n."""
    if not 0 <= hits <= n:
        raise ValueError(f"{hits_name} must lie in [0, {n_name}], got {hits} of {n}")


def open_unit(value: Exactable, name: str) -> Fraction:
    """The exact value of a level; ValueError unless it lies in (0, 1)."""
    exactly = exact_value(value)
    if not 0 < exactly < 1:
        raise ValueError(f"{name} must lie in (0, 1), got {value}")
    return exactly


def closed_unit(value: Exactable, name: str) -> Fraction:
    """The exact value of a rate; ValueError unless it lies in [0, 1]."""
    exactly = exact_value(value)
    if not 0 <= exactly <= 1:
        raise ValueError(f"{name} must lie in [0, 1], got {value}")
    return exactly


def normal_quantile(p: Fraction) -> float:
    """The standard normal quantile of p in (0, 1)."""
    return NormalDist().inv_cdf(float(p))


def normal_tail(z: float) -> float:
    """P(Z > z), without the loss of 1 − Φ(z) far out."""
    return NormalDist().cdf(-z)
