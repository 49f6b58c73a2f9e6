"""Interval of the difference of two variants by drawing whole cases, because runs of one case are not independent."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import sqrt
from statistics import NormalDist
from typing import TypeVar

from generator.stats.counter import CounterDraws
from generator.stats.paired import CaseCounts
from generator.stats.parameters import Exactable, check_counts, open_unit

C = TypeVar("C")

_SAME = 1e-12
"""Equal differences of other counts may be this far apart as floats."""


@dataclass(frozen=True, slots=True)
class ClusterInterval:
    """Interval of current − baseline (of rates, in [−1, 1]) from `replicates` draws of `cases` cases."""

    low: float
    high: float
    cases: int
    replicates: int


def cluster_bootstrap(
    cases: Sequence[CaseCounts], seed: str, replicates: int = 1999, level: Exactable = 0.95
) -> ClusterInterval | None:
    """Interval of the difference of two pooled rates, over the cases that might have been asked.

    Replicate r (r = 0, 1 …) draws m of the m cases with replacement, in turn, each by `CounterDraws(seed).below(m)` of
    one stream for all replicates, and takes pooled current rate − pooled baseline rate of what was drawn. Of the R
    sorted differences the ends are number k from either end, k = max(1, ⌊(R + 1)·a⌋), where a = Φ(√(m/(m − 1))·t) and
    t is the quantile (1 − level)/2 of Student's t with m − 1 degrees of freedom: the widening for few cases that the
    plain percentile interval lacks.

    Parameters
    ----------
    cases : sequence of CaseCounts
        In an order that the caller fixes (by case id), because draws are positions in it; each with runs on both sides.
    seed : str
        Names the stream; published beside the interval.
    replicates : int
        R ≥ 1.
    level : float or Fraction
        Coverage, two-sided, in (0, 1).

    Returns
    -------
    ClusterInterval; None for fewer than two cases, and where every draw gives the same difference: neither says
    anything of how cases differ.

    Raises
    ------
    ValueError
        hits outside [0, n], a case without runs on one side, replicates below 1, or level outside (0, 1).

    Source
    ------
    Davison & Hinkley (1997), §2.4 and §3.8; Hesterberg (2015), §4.3 (expanded percentile interval).
    """
    for case in cases:
        check_counts(case.baseline_hits, case.baseline_n, "baseline_hits", "baseline_n")
        check_counts(case.hits, case.n)
        if case.baseline_n == 0 or case.n == 0:
            raise ValueError("every case needs runs under both variants")
    return drawn_interval(cases, _difference, seed, replicates, level)


def drawn_interval(
    cases: Sequence[C],
    difference: Callable[[Sequence[C], Sequence[int]], float],
    seed: str,
    replicates: int = 1999,
    level: Exactable = 0.95,
) -> ClusterInterval | None:
    """As `cluster_bootstrap`, for any `difference` of the cases at some positions."""
    tail = (1 - open_unit(level, "level")) / 2
    if replicates < 1:
        raise ValueError(f"replicates must be at least 1, got {replicates}")
    m = len(cases)
    if m < 2:
        return None
    from scipy.special import stdtrit

    draws = CounterDraws(seed)
    differences = sorted(difference(cases, draws.many_below(m, m)) for _ in range(replicates))
    if differences[-1] - differences[0] < _SAME:
        return None
    widened = NormalDist().cdf(sqrt(m / (m - 1)) * float(stdtrit(m - 1, float(tail))))
    k = max(1, int((replicates + 1) * widened))
    return ClusterInterval(differences[k - 1], differences[-k], m, replicates)


def _difference(cases: Sequence[CaseCounts], drawn: Sequence[int]) -> float:
    """Pooled current rate − pooled baseline rate of the cases drawn."""
    baseline_hits = baseline_n = hits = n = 0
    for position in drawn:
        more_baseline_hits, more_baseline_n, more_hits, more = cases[position]
        baseline_hits += more_baseline_hits
        baseline_n += more_baseline_n
        hits += more_hits
        n += more
    return hits / n - baseline_hits / baseline_n
