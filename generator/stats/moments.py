"""Moments and quantiles of a frequency table, as published aggregates have them."""

from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate
from math import sqrt

from generator.stats.parameters import Exactable, exact_value
from generator.stats.quantiles import quantile_rank


@dataclass(frozen=True, slots=True)
class FrequencyTable:
    """Distinct values in ascending order with how often each occurs, and how many records have none.

    Exact throughout: two tables with the same n and sum may still differ, and `sum_of_squares` shows it.
    """

    values: tuple[Fraction, ...]
    frequencies: tuple[int, ...]
    missing: int

    @property
    def n(self) -> int:
        """Records with a value."""
        return sum(self.frequencies)

    @property
    def sum(self) -> Fraction:
        return sum((v * f for v, f in self._pairs()), Fraction(0))

    @property
    def sum_of_squares(self) -> Fraction:
        return sum((v * v * f for v, f in self._pairs()), Fraction(0))

    @property
    def mean(self) -> Fraction | None:
        return self.sum / self.n if self.n else None

    @property
    def variance(self) -> Fraction | None:
        """Sample variance, (n·S₂ − S₁²)/(n(n − 1)); None for n ≤ 1, where there is none, not 0."""
        n = self.n
        return (n * self.sum_of_squares - self.sum**2) / (n * (n - 1)) if n > 1 else None

    @property
    def standard_deviation(self) -> float | None:
        return None if self.variance is None else sqrt(self.variance)

    def quantile(self, p: Fraction) -> Fraction | None:
        """As `percentile_cont` of the records written out; None without any. ValueError for p outside [0, 1]."""
        rank = quantile_rank(self.n, p)
        if rank is None:
            return None
        ends = list(accumulate(self.frequencies))
        low, high = (self.values[bisect_right(ends, place)] for place in (rank.low, rank.high))
        return low + rank.weight * (high - low)

    def _pairs(self) -> Iterable[tuple[Fraction, int]]:
        return zip(self.values, self.frequencies, strict=True)


def frequency_table(rows: Iterable[tuple[Exactable | None, int]]) -> FrequencyTable:
    """The table of (value, frequency) rows.

    Parameters
    ----------
    rows : iterable of (value, frequency)
        In any order; a value may occur in several rows. None is the bin of missing records. Frequencies are ≥ 0.

    Returns
    -------
    FrequencyTable, without values of frequency 0.

    Raises
    ------
    ValueError
        A negative frequency.

    Source
    ------
    Praxa audit §4.3.
    """
    counts: dict[Fraction, int] = {}
    missing = 0
    for value, frequency in rows:
        if frequency < 0:
            raise ValueError(f"a frequency must not be negative, got {frequency}")
        if value is None:
            missing += frequency
        elif frequency:
            exactly = exact_value(value)
            counts[exactly] = counts.get(exactly, 0) + frequency
    ordered = sorted(counts.items())
    return FrequencyTable(tuple(v for v, _ in ordered), tuple(f for _, f in ordered), missing)
