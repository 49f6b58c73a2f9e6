"""Whether the order of runs shows in their outcomes, case by case."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import comb, erfc, prod, sqrt
from typing import Literal

MOST_COUNTED_PAIRS = 1000
"""Beyond them the distribution is taken as normal: counting would take seconds, and the two agree to three digits."""


@dataclass(frozen=True, slots=True)
class Drift:
    """`cases` have both outcomes; in `later` of their `pairs` of a run that passed and one that did not, the one that
    passed came later. `p_value` is two-sided; `smallest` is the least that it could have been."""

    cases: int
    pairs: int
    later: int
    p_value: Fraction | float
    smallest: Fraction | float
    method: Literal["exact", "normal"]


def drift_within_cases(cases: Iterable[Sequence[bool]]) -> Drift | None:
    """Wilcoxon's rank sum test of outcomes against their order, with cases as strata, two-sided.

    Parameters
    ----------
    cases : sequences of bool
        Of each case the outcomes of its runs, in the order in which they were executed.

    Returns
    -------
    Drift; None where no case has both outcomes, because then no order can be told from another.

    Notes
    -----
    Without drift the runs of a case can be exchanged, so every order of its outcomes is equally likely; cases may be as
    unlike as they want, and may have been executed in blocks. The statistic is symmetric around half the pairs; p is
    the chance of one at least as far from there.

    Source
    ------
    Wilcoxon (1945); Mann & Whitney (1947); van Elteren (1960) for strata, here with equal weight for each pair.
    """
    orders = [order for order in cases if 0 < sum(order) < len(order)]
    if not orders:
        return None
    sizes = [(sum(order), len(order)) for order in orders]
    pairs = sum(hits * (n - hits) for hits, n in sizes)
    later = sum(_later(order) for order in orders)
    away = abs(2 * later - pairs)
    if pairs > MOST_COUNTED_PAIRS:
        variance = sum(Fraction(hits * (n - hits) * (n + 1), 12) for hits, n in sizes)
        scale = 2 * sqrt(2 * variance)
        # The continuity correction: half of a step of one pair.
        p_value, smallest = (erfc(max(0, distance - 1) / scale) for distance in (away, pairs))
        return Drift(len(orders), pairs, later, p_value, smallest, "normal")
    ways = [1]
    for hits, n in sizes:
        ways = _product(ways, arrangements(hits, n))
    total = prod(comb(n, hits) for hits, n in sizes)
    as_far = sum(count for place, count in enumerate(ways) if abs(2 * place - pairs) >= away)
    return Drift(len(orders), pairs, later, Fraction(as_far, total), Fraction(2, total), "exact")


def arrangements(hits: int, n: int) -> list[int]:
    """In how many orders of `hits` passed of `n` runs a pass comes later in u of the pairs, u = 0, 1, …: the
    coefficients of the Gaussian binomial, which are the same for as many failures."""
    few = min(hits, n - hits)
    ways = [1]
    for place in range(1, few + 1):
        ways = _quotient(_product(ways, _ones(n - few + place)), _ones(place))
    return ways


def _later(order: Sequence[bool]) -> int:
    failed = later = 0
    for passed in order:
        later += failed if passed else 0
        failed += not passed
    return later


def _ones(length: int) -> list[int]:
    return [1] * length


def _product(first: Sequence[int], second: Sequence[int]) -> list[int]:
    made = [0] * (len(first) + len(second) - 1)
    for i, one in enumerate(first):
        for j, other in enumerate(second):
            made[i + j] += one * other
    return made


def _quotient(dividend: Sequence[int], ones: Sequence[int]) -> list[int]:
    """Of a polynomial that 1 + q + … divides without rest."""
    made: list[int] = []
    window = 0
    for place in range(len(dividend) - len(ones) + 1):
        window = sum(made[max(0, place - len(ones) + 1) :])
        made.append(dividend[place] - window)
    return made
