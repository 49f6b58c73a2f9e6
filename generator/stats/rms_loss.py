"""The box scores of many runs as one loss, on the log scale."""

from collections.abc import Iterable
from dataclasses import dataclass
from math import expm1, fsum, log1p, sqrt
from statistics import median

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
