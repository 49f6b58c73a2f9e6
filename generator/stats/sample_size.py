"""How many runs a comparison needs before it is made."""

from dataclasses import dataclass
from fractions import Fraction
from math import ceil, sqrt
from typing import Literal

from generator.stats.parameters import Exactable, closed_unit, normal_quantile, open_unit

SampleSizeForm = Literal[
    "two_sided_baseline_variance",
    "one_sided_unpooled",
    "one_sided_pooled_mean",
    "one_sided_worst_case",
    "one_sample_one_sided",
]


@dataclass(frozen=True, slots=True)
class SampleSize:
    """`n` = ⌈raw⌉ runs; in each group, but for `one_sample_one_sided`, where there is one group."""

    raw: float
    n: int


def sample_size(
    rate: Exactable,
    delta: Exactable,
    alpha: Exactable = 0.05,
    beta: Exactable = 0.1,
    form: SampleSizeForm = "one_sided_unpooled",
) -> SampleSize:
    """Runs that find a drop from `rate` to `rate − delta` with power 1 − beta.

    Parameters
    ----------
    rate : float or Fraction
        The baseline's rate p_b, in [0, 1]; p_c = p_b − delta.
    delta : float or Fraction
        The drop to be found, in (0, 1), not above `rate`.
    alpha, beta : float or Fraction
        Errors of the first and second kind, in (0, 1).
    form : str
        `one_sided_unpooled`, (z₁₋α + z₁₋β)²(p_b q_b + p_c q_c)/δ², is the form of the regression verdict.
        `two_sided_baseline_variance`, (z₁₋α/₂ + z₁₋β)²·2 p_b q_b/δ², takes the baseline's variance twice.
        `one_sided_pooled_mean` takes 2 p̄ q̄ with p̄ = (p_b + p_c)/2, `one_sided_worst_case` p̄ = ½.
        `one_sample_one_sided`, (z₁₋α √(p_b q_b) + z₁₋β √(p_c q_c))²/δ², compares with a known rate.

    Returns
    -------
    SampleSize.

    Raises
    ------
    ValueError
        A value outside its range.

    Source
    ------
    Fleiss, Levin & Paik (2003), §4.2; AgentAssay eq. 1 and 6.
    """
    before, drop = closed_unit(rate, "rate"), open_unit(delta, "delta")
    if drop > before:
        raise ValueError(f"delta must not be above the rate, got {delta} of {rate}")
    after = before - drop
    level, miss = open_unit(alpha, "alpha"), open_unit(beta, "beta")
    z_level = normal_quantile(1 - (level / 2 if form == "two_sided_baseline_variance" else level))
    z_miss = normal_quantile(1 - miss)
    variance_before, variance_after = before * (1 - before), after * (1 - after)
    mean = (before + after) / 2
    if form == "one_sample_one_sided":
        spread = (z_level * sqrt(variance_before) + z_miss * sqrt(variance_after)) ** 2
    else:
        variance = {
            "two_sided_baseline_variance": 2 * variance_before,
            "one_sided_unpooled": variance_before + variance_after,
            "one_sided_pooled_mean": 2 * mean * (1 - mean),
            "one_sided_worst_case": Fraction(1, 2),
        }[form]
        spread = (z_level + z_miss) ** 2 * float(variance)
    raw = spread / float(drop**2)
    return SampleSize(raw=raw, n=ceil(raw))
