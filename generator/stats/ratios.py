"""Ratios and their differences, exact until they are written down."""

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

from generator.stats.means import exact_sum


@dataclass(frozen=True, slots=True)
class RelativeChange:
    """`change` = Σafter/Σbefore − 1, None where Σbefore is 0. A saving is a negative change; `reduction` is −change."""

    before: Fraction
    after: Fraction
    change: Fraction | None

    @property
    def reduction(self) -> Fraction | None:
        return None if self.change is None else -self.change


def ratio(numerator: int, denominator: int) -> Fraction | None:
    """numerator ÷ denominator; None for a denominator of 0, which has no ratio, not even 0. ValueError below 0."""
    if denominator < 0:
        raise ValueError(f"the denominator must not be negative, got {denominator}")
    return Fraction(numerator, denominator) if denominator else None


def difference(one: tuple[int, int], other: tuple[int, int]) -> Fraction | None:
    """The first ratio minus the second, on their own scale (times 100: percentage points); None where one is undefined.

    Subtracted before anything is rounded: 80.58 − 64.47 would give 16.11 where the difference is 16.10.
    """
    left, right = ratio(*one), ratio(*other)
    return None if left is None or right is None else left - right


def relative_change(before: Iterable[int | float], after: Iterable[int | float]) -> RelativeChange:
    """How a total changed, relative to what it was.

    Parameters
    ----------
    before, after : iterables of numbers
        Parts of the two totals, in one unit; floats count as their decimal text.

    Returns
    -------
    RelativeChange.

    Source
    ------
    Praxa audit §5.4: of sums, never a mean of the changes of the parts.
    """
    old, new = exact_sum(before), exact_sum(after)
    return RelativeChange(old, new, new / old - 1 if old else None)
