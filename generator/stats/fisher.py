"""Fisher's exact test in whole numbers.

SciPy has this test, in floats. A verdict asks whether p < α, and p = α happens: 2 of 2 against 2 of 14 gives exactly
1/20, and floats say 0.04999999999999999. So the tail is summed in integers and compared as a fraction.
"""

from fractions import Fraction
from math import comb

from generator.stats.parameters import check_counts


def fisher_one_sided(baseline_hits: int, baseline_n: int, hits: int, n: int) -> Fraction:
    """The p-value of "the current rate is not below the baseline's" against "it is below".

    Parameters
    ----------
    baseline_hits, baseline_n, hits, n : int
        Runs of the two groups; 0 ≤ hits ≤ n in each.

    Returns
    -------
    P(X ≤ hits) exactly, X hypergeometric given all margins; 1 when a group is empty.

    Raises
    ------
    ValueError
        hits outside [0, n] in a group.

    Source
    ------
    Fisher (1935); one-sided in the direction of a drop, as AgentAssay §3 tests a regression.
    """
    check_counts(baseline_hits, baseline_n, "baseline_hits", "baseline_n")
    check_counts(hits, n)
    all_hits = baseline_hits + hits
    lowest = max(0, all_hits - baseline_n)
    # Each term from the one before, by an exact division: far cheaper than two binomials a term.
    term = comb(n, lowest) * comb(baseline_n, all_hits - lowest)
    total = term
    for x in range(lowest, hits):
        term = term * (n - x) * (all_hits - x) // ((x + 1) * (baseline_n - all_hits + x + 1))
        total += term
    return Fraction(total, comb(baseline_n + n, all_hits))
