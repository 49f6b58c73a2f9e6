"""Has the pass rate dropped against a baseline: a verdict that needs evidence for either answer."""

from dataclasses import dataclass
from fractions import Fraction

from generator.stats.fisher import fisher_one_sided
from generator.stats.parameters import Exactable, check_counts, closed_unit, open_unit
from generator.stats.power import power_two_proportions
from generator.stats.verdicts import Verdict


@dataclass(frozen=True, slots=True)
class RegressionVerdict:
    """`difference` is baseline − current, so a drop is positive. `power` is that of finding a drop of δ, planned from
    the baseline's rate (`planned_alternative` = max(0, p_b − δ)), never that of the drop that happened to be seen.
    All but the outcome are None when a group is empty."""

    outcome: Verdict
    p_value: Fraction | None
    difference: Fraction | None
    planned_alternative: Fraction | None
    power: float | None


def regression_verdict(
    baseline_hits: int,
    baseline_n: int,
    hits: int,
    n: int,
    *,
    delta: Exactable = 0.1,
    alpha: Exactable = 0.05,
    beta: Exactable = 0.1,
    adjusted: Exactable | None = None,
    comparisons: int = 1,
) -> RegressionVerdict:
    """Whether the current rate lies at least `delta` below the baseline's.

    Parameters
    ----------
    baseline_hits, baseline_n, hits, n : int
        Runs of the two groups; 0 ≤ hits ≤ n in each.
    delta : float or Fraction
        The smallest drop that matters, in (0, 1); compared on exact counts.
    alpha : float or Fraction
        Level of the one-sided exact test, in (0, 1).
    beta : float or Fraction
        Chance of missing a drop of delta that a `pass` may have, in (0, 1).
    adjusted : float or Fraction or None
        The p-value adjusted for the family that the comparison is one of, in [0, 1]; None: it stands alone.
    comparisons : int
        Size of that family, ≥ 1.

    Returns
    -------
    `fail` if the adjusted p < α and the drop is at least δ; `pass` if p ≥ α and the power that was planned at level
    α ÷ `comparisons` is at least 1 − β; else, and without runs, `inconclusive`. So a significant drop smaller than δ is
    inconclusive, and so are equal samples that are too small to have shown one. The unadjusted p decides a `pass`: a
    correction that makes alarms rarer must not make passes easier.

    Raises
    ------
    ValueError
        hits outside [0, n] in a group; delta, alpha or beta outside (0, 1); adjusted outside [0, 1]; comparisons
        below 1.

    Source
    ------
    AgentAssay §3, with planned in place of observed power: observed power grows with the drop it should excuse
    (Hoenig & Heisey 2001).
    """
    smallest, level, miss = open_unit(delta, "delta"), open_unit(alpha, "alpha"), open_unit(beta, "beta")
    if comparisons < 1:
        raise ValueError(f"comparisons must be at least 1, got {comparisons}")
    check_counts(baseline_hits, baseline_n, "baseline_hits", "baseline_n")
    check_counts(hits, n)
    if baseline_n == 0 or n == 0:
        return RegressionVerdict("inconclusive", None, None, None, None)
    before = Fraction(baseline_hits, baseline_n)
    difference = before - Fraction(hits, n)
    planned = max(Fraction(0), before - smallest)
    power = power_two_proportions(before, planned, baseline_n, n, level / comparisons)
    p_value = fisher_one_sided(baseline_hits, baseline_n, hits, n)
    decisive = p_value if adjusted is None else closed_unit(adjusted, "adjusted")
    outcome: Verdict = "inconclusive"
    if decisive < level and difference >= smallest:
        outcome = "fail"
    elif p_value >= level and power is not None and power >= 1 - miss:
        outcome = "pass"
    return RegressionVerdict(outcome, p_value, difference, planned, power)
