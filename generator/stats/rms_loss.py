"""The box scores of many runs as one loss, on the log scale."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import expm1, fsum, log1p, sqrt
from statistics import median
from typing import NamedTuple

from generator.stats.bootstrap import ClusterInterval, drawn_interval
from generator.stats.parameters import Exactable


@dataclass(frozen=True, slots=True)
class RmsLoss:
    """`rmsl` = expm1(√mean(log1p(s)²)) of the scores, beside their plain mean and median; mean and standard deviation
    (of the whole, not of a sample) on the log scale, whose squares add up to the square under the root."""

    rmsl: float
    mean: float
    median: float
    log1p_mean: float
    log1p_std: float


def rms_loss(scores: Iterable[Exactable]) -> RmsLoss | None:
    """Root mean square of box scores on the log scale: many runs as one loss.

    Parameters
    ----------
    scores : iterable of float or Fraction
        One a run, ≥ 0, in any order.

    Returns
    -------
    RmsLoss; None without scores. It rises with the spread on the log scale, but a long tail may leave it below the
    plain mean.

    Raises
    ------
    ValueError
        A negative score.

    Source
    ------
    The box-score article (source 004): RMSLoss.
    """
    plain = [float(score) for score in scores]
    if not plain:
        return None
    if min(plain) < 0:
        raise ValueError(f"scores must not be negative, got {min(plain)}")
    logs = [log1p(score) for score in plain]
    mean = fsum(logs) / len(logs)
    spread = sqrt(fsum((each - mean) ** 2 for each in logs) / len(logs))
    root = sqrt(fsum(each * each for each in logs) / len(logs))
    return RmsLoss(expm1(root), fsum(plain) / len(plain), float(median(plain)), mean, spread)


class CaseLogs(NamedTuple):
    """Of one case: sum of the squared ln(1 + score) and number of scores, under the baseline and under the variant."""

    baseline_squares: float
    baseline_n: int
    squares: float
    n: int


def rmsl_interval(cases: Sequence[CaseLogs], seed: str, level: Exactable = 0.95) -> ClusterInterval | None:
    """Interval of RMSL − RMSL of the baseline, over the cases that might have been asked.

    Parameters
    ----------
    cases : sequence of CaseLogs
        By case id; each with scores on both sides.
    seed : str
        Names the stream of draws.
    level : float or Fraction
        Coverage, two-sided, in (0, 1).

    Returns
    -------
    ClusterInterval of 1999 draws, as `cluster_bootstrap` makes it; None for fewer than two cases, and where all draws
    are alike.

    Source
    ------
    As `cluster_bootstrap`.
    """
    return drawn_interval(cases, _difference_of_rmsl, seed, level=level)


def _difference_of_rmsl(cases: Sequence[CaseLogs], drawn: Sequence[int]) -> float:
    chosen = [cases[position] for position in drawn]
    own = fsum(case.squares for case in chosen) / sum(case.n for case in chosen)
    base = fsum(case.baseline_squares for case in chosen) / sum(case.baseline_n for case in chosen)
    return expm1(sqrt(own)) - expm1(sqrt(base))
