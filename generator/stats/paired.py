"""Two variants on the same cases: tests of a drop that hold although runs of one case are alike.

Both condition on the cases, so it does not matter how much harder one case is than another, nor how many runs it has.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import comb
from typing import NamedTuple

from generator.stats.parameters import check_counts


class CaseCounts(NamedTuple):
    """Hits and valid runs of one case under the baseline and under the current variant."""

    baseline_hits: int
    baseline_n: int
    hits: int
    n: int


@dataclass(frozen=True, slots=True)
class McNemar:
    """`lost`: pairs that passed under the baseline only; `gained`: under the current variant only. `p_value` is
    one-sided: the alternative is a drop. Without discordant pairs it is 1."""

    lost: int
    gained: int
    p_value: float


def mcnemar_exact(lost: int, gained: int) -> McNemar:
    """Exact test of a drop over matched pairs of runs.

    Parameters
    ----------
    lost, gained : int
        Discordant pairs, ≥ 0: the same case and repeat, passed under one variant only.

    Returns
    -------
    McNemar, with P(X ≥ lost), X binomial of lost + gained pairs at ½.

    Raises
    ------
    ValueError
        A negative count.

    Source
    ------
    McNemar (1947); exact form, Agresti (2013), §11.1.2.
    """
    if lost < 0 or gained < 0:
        raise ValueError(f"pairs must not be negative, got {lost} lost and {gained} gained")
    from scipy.stats import binomtest

    discordant = lost + gained
    p_value = float(binomtest(lost, discordant, 0.5, alternative="greater").pvalue) if discordant else 1.0
    return McNemar(lost, gained, p_value)


def stratified_exact(cases: Sequence[CaseCounts]) -> Fraction:
    """The p-value of "no case passes less often than before" against a drop, with cases as strata.

    Given the hits of each case under both variants together, the hits under the current variant are a sum of
    independent hypergeometric counts: all arrangements are counted, in whole numbers. Unlike McNemar's test it needs no
    pairing of repeats; with one case it is Fisher's test.

    Parameters
    ----------
    cases : sequence of CaseCounts
        In any order. A case without runs on one side says nothing, and neither does one that always or never passed.

    Returns
    -------
    P(X ≤ hits) exactly; 1 without cases. The work grows with the square of the runs: seconds at a thousand.

    Raises
    ------
    ValueError
        hits outside [0, n] in a case.

    Source
    ------
    Exact conditional test of a common odds ratio of 1, Agresti (2013), §7.3.5; Mehta, Patel & Gray (1985).
    """
    ways = [1]
    # ways[x]: arrangements in which the current variant has x hits more than it must have.
    hits = 0
    for case in cases:
        check_counts(case.baseline_hits, case.baseline_n, "baseline_hits", "baseline_n")
        check_counts(case.hits, case.n)
        both = case.baseline_hits + case.hits
        lowest, highest = max(0, both - case.baseline_n), min(both, case.n)
        hits += case.hits - lowest
        own = [comb(case.n, x) * comb(case.baseline_n, both - x) for x in range(lowest, highest + 1)]
        ways = _product(ways, own)
    return Fraction(sum(ways[: hits + 1]), sum(ways))


def _product(left: list[int], right: list[int]) -> list[int]:
    """The coefficients of the product of two polynomials."""
    if len(right) == 1:
        return left if right[0] == 1 else [right[0] * each for each in left]
    result = [0] * (len(left) + len(right) - 1)
    for i, a in enumerate(left):
        for j, b in enumerate(right):
            result[i + j] += a * b
    return result
