"""Means that do not depend on the order of summation."""

from collections.abc import Iterable, Sequence
from fractions import Fraction

from generator.model.formatting import exact


def exact_sum(values: Iterable[int | float]) -> Fraction:
    """Sum of finite numbers, each taken as its decimal text (0.1 is 1/10); 0 when there are none."""
    whole = 0
    rest = Fraction(0)
    for value in values:
        # Counts and tokens are integers: adding them as such is ten times faster than as fractions.
        if isinstance(value, int):
            whole += value
        else:
            rest += exact(value)
    return whole + rest


def exact_mean(values: Sequence[int | float]) -> Fraction | None:
    """Arithmetic mean in the unit of the values, exact on their decimal texts; None when there are none."""
    return exact_sum(values) / len(values) if values else None
