"""Quantiles by linear interpolation, exactly as PostgreSQL's `percentile_cont` defines them."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from generator.model.formatting import exact


@dataclass(frozen=True, slots=True)
class Rank:
    """Where a quantile stands among n ordered values, counted from 0.

    `h` = (n − 1)·p; the quantile is (1 − weight)·x[low] + weight·x[high]. `low` = `high` at the last value; where
    `weight` is 0, x[low] alone defines it.
    """

    h: Fraction
    low: int
    high: int
    weight: Fraction

    @property
    def defining(self) -> tuple[int, ...]:
        """The one or two ranks whose values make the quantile."""
        return (self.low,) if self.weight == 0 else (self.low, self.high)


def quantile_rank(n: int, p: Fraction) -> Rank | None:
    """The rank(s) that define the quantile `p` of n ordered values.

    Parameters
    ----------
    n : int
        Values, ≥ 0.
    p : Fraction
        In [0, 1].

    Returns
    -------
    Rank, or None when n = 0.

    Raises
    ------
    ValueError
        p outside [0, 1], or n negative.

    Source
    ------
    Praxa audit §4.3: h = (n − 1)·p, j = ⌊h⌋, a = h − j, with the neighbour min(j + 1, n − 1).
    """
    if not 0 <= p <= 1:
        raise ValueError(f"p must lie in [0, 1], got {p}")
    if n < 0:
        raise ValueError(f"n must not be negative, got {n}")
    if n == 0:
        return None
    h = (n - 1) * p
    low = h.numerator // h.denominator
    return Rank(h=h, low=low, high=min(low + 1, n - 1), weight=h - low)


def percentile_cont(values: Sequence[int | float], p: Fraction) -> Fraction | None:
    """The quantile `p` of `values`, exact on their decimal texts.

    Parameters
    ----------
    values : sequence of finite numbers
        In any order and unit; missing records are not among them.
    p : Fraction
        In [0, 1].

    Returns
    -------
    Fraction in the unit of the values; None when there are none.

    Raises
    ------
    ValueError
        p outside [0, 1].

    Source
    ------
    PostgreSQL, `percentile_cont`; the same as NumPy's method "linear".
    """
    rank = quantile_rank(len(values), p)
    if rank is None:
        return None
    ordered = sorted(values)
    low, high = exact(ordered[rank.low]), exact(ordered[rank.high])
    return low + rank.weight * (high - low)


def defining_positions(values: Sequence[int | float], p: Fraction) -> tuple[int, ...]:
    """Positions in `values` of the one or two that define the quantile; of equal values the earlier comes first.

    Empty when there are no values. Raises ValueError as `quantile_rank` does.
    """
    rank = quantile_rank(len(values), p)
    if rank is None:
        return ()
    order = sorted(range(len(values)), key=lambda position: values[position])
    return tuple(order[place] for place in rank.defining)
