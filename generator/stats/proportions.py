"""Intervals of a proportion, and of the difference of two."""

from collections.abc import Callable
from math import sqrt
from typing import Literal

from generator.stats.parameters import Exactable, check_counts, normal_quantile, open_unit


def clopper_pearson_interval(hits: int, n: int, level: Exactable = 0.95) -> tuple[float, float] | None:
    """Exact interval of a proportion: what two one-sided binomial tests at (1 − level)/2 each would not reject.

    Parameters
    ----------
    hits, n : int
        Runs; 0 ≤ hits ≤ n.
    level : float
        Coverage, two-sided, in (0, 1); the true coverage is never below it.

    Returns
    -------
    (low, high) : fractions in [0, 1], exactly 0 at hits = 0 and exactly 1 at hits = n; None when n = 0.

    Raises
    ------
    ValueError
        hits outside [0, n], or level outside (0, 1).

    Source
    ------
    Clopper & Pearson (1934), by the quantiles of the beta distribution; Brown, Cai & DasGupta (2001), §4.2.1.
    """
    from scipy.special import betainccinv, betaincinv

    check_counts(hits, n)
    tail = float((1 - open_unit(level, "level")) / 2)
    if n == 0:
        return None
    low = 0.0 if hits == 0 else float(betaincinv(hits, n - hits + 1, tail))
    high = 1.0 if hits == n else float(betainccinv(hits + 1, n - hits, tail))
    return low, high


def wilson_interval(hits: int, n: int, level: Exactable = 0.95) -> tuple[float, float] | None:
    """Wilson score interval of a proportion.

    Parameters
    ----------
    hits, n : int
        Runs; 0 ≤ hits ≤ n.
    level : float
        Coverage, two-sided, in (0, 1).

    Returns
    -------
    (low, high) : fractions in [0, 1], exactly 0 at hits = 0 and exactly 1 at hits = n; None when n = 0.

    Raises
    ------
    ValueError
        hits outside [0, n], or level outside (0, 1).

    Source
    ------
    Wilson (1927); Brown, Cai & DasGupta (2001), eq. 4.
    """
    check_counts(hits, n)
    z = normal_quantile((1 + open_unit(level, "level")) / 2)
    if n == 0:
        return None
    share = hits / n
    weight = z * z / n
    centre = (share + weight / 2) / (1 + weight)
    half_width = z * sqrt(share * (1 - share) / n + weight / (4 * n)) / (1 + weight)
    # At the ends the formula is exactly 0 or 1, but floats leave about 3e-17: an interval must not exclude the value.
    low = 0.0 if hits == 0 else centre - half_width
    high = 1.0 if hits == n else centre + half_width
    return low, high


def newcombe_interval(
    hits: int, n: int, baseline_hits: int, baseline_n: int, level: Exactable = 0.95
) -> tuple[float, float] | None:
    """Hybrid score interval of `hits/n − baseline_hits/baseline_n`, for two independent groups.

    Parameters
    ----------
    hits, n, baseline_hits, baseline_n : int
        Runs of the two groups; 0 ≤ hits ≤ n in each.
    level : float
        Coverage, two-sided, in (0, 1); that of the two Wilson intervals it is made of.

    Returns
    -------
    (low, high) : in [−1, 1]; None when one group is empty.

    Raises
    ------
    ValueError
        hits outside [0, n], or level outside (0, 1).

    Source
    ------
    Newcombe (1998), method 10 (without continuity correction).
    """
    own = wilson_interval(hits, n, level)
    other = wilson_interval(baseline_hits, baseline_n, level)
    if own is None or other is None:
        return None
    share, base = hits / n, baseline_hits / baseline_n
    difference = share - base
    below = sqrt((share - own[0]) ** 2 + (other[1] - base) ** 2)
    above = sqrt((own[1] - share) ** 2 + (base - other[0]) ** 2)
    return max(-1.0, difference - below), min(1.0, difference + above)


IntervalMethod = Literal["wilson", "clopper_pearson"]

INTERVALS: dict[IntervalMethod, Callable[[int, int, Exactable], tuple[float, float] | None]] = {
    "wilson": wilson_interval,
    "clopper_pearson": clopper_pearson_interval,
}
"""How the interval of a proportion can be made: hits, n, level → its ends."""
