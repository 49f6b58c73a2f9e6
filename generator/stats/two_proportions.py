"""Two independent proportions: tests of a drop, and effect sizes."""

from dataclasses import dataclass
from fractions import Fraction
from math import sqrt

from generator.stats.fisher import fisher_one_sided
from generator.stats.parameters import check_counts, normal_tail


@dataclass(frozen=True, slots=True)
class TwoProportions:
    """A baseline and a current proportion. All p-values are one-sided: the alternative is a drop.

    `difference` is baseline − current, so a drop is positive. z and its p are None where their variance is 0,
    `odds_ratio` (baseline odds over current odds) where its denominator is 0.
    """

    baseline_rate: Fraction
    current_rate: Fraction
    difference: Fraction
    fisher_p: Fraction
    z_pooled: float | None
    p_pooled: float | None
    z_unpooled: float | None
    p_unpooled: float | None
    cohens_h: float
    odds_ratio: Fraction | None


def compare_proportions(baseline_hits: int, baseline_n: int, hits: int, n: int) -> TwoProportions | None:
    """Tests and effect sizes of a drop from a baseline proportion.

    Parameters
    ----------
    baseline_hits, baseline_n, hits, n : int
        Runs of the two groups; 0 ≤ hits ≤ n in each.

    Returns
    -------
    TwoProportions; None when a group is empty.

    Raises
    ------
    ValueError
        hits outside [0, n] in a group.

    Source
    ------
    Fisher (1935); z with pooled and with unpooled variance, Agresti (2013), §3.1 and §3.2; h = 2·asin√p_b − 2·asin√p_c,
    Cohen (1988), §6.2.
    """
    from statsmodels.stats.proportion import proportion_effectsize, proportions_ztest

    check_counts(baseline_hits, baseline_n, "baseline_hits", "baseline_n")
    check_counts(hits, n)
    if baseline_n == 0 or n == 0:
        return None
    before, after = Fraction(baseline_hits, baseline_n), Fraction(hits, n)
    z_pooled = z_unpooled = None
    if 0 < baseline_hits + hits < baseline_n + n:
        z_pooled = float(proportions_ztest([baseline_hits, hits], [baseline_n, n], alternative="larger")[0])
    # statsmodels' Wald test divides by odds and warns where a rate is 0 or 1.
    variance = before * (1 - before) / baseline_n + after * (1 - after) / n
    if variance:
        z_unpooled = float(before - after) / sqrt(variance)
    lost, current_odds = baseline_hits * (n - hits), (baseline_n - baseline_hits) * hits
    return TwoProportions(
        baseline_rate=before,
        current_rate=after,
        difference=before - after,
        fisher_p=fisher_one_sided(baseline_hits, baseline_n, hits, n),
        z_pooled=z_pooled,
        p_pooled=None if z_pooled is None else normal_tail(z_pooled),
        z_unpooled=z_unpooled,
        p_unpooled=None if z_unpooled is None else normal_tail(z_unpooled),
        cohens_h=float(proportion_effectsize(float(before), float(after))),
        odds_ratio=Fraction(lost, current_odds) if current_odds else None,
    )
