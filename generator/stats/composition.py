"""How much of a difference between two pooled rates is composition, and how much is one of the rates."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from generator.stats.parameters import check_counts

Counts = tuple[int, int]
"""Hits, and of how many."""


@dataclass(frozen=True, slots=True)
class Split:
    """A category's part: `weight` is its share of the group, `composition` and `rate` its parts of the difference."""

    weight: Fraction
    baseline_weight: Fraction
    composition: Fraction
    rate: Fraction


@dataclass(frozen=True, slots=True)
class Composition:
    """`composition` + `rate` is the difference of the pooled rates, exactly. `differs`: some category has another
    weight in one group than in the other; else `composition` is 0."""

    composition: Fraction
    rate: Fraction
    categories: dict[str, Split]

    @property
    def differs(self) -> bool:
        return any(part.weight != part.baseline_weight for part in self.categories.values())


def decompose(own: Mapping[str, Counts], baseline: Mapping[str, Counts]) -> Composition | None:
    """Kitagawa's decomposition of Σ wᵥpᵥ − Σ w_b p_b over the categories of both groups.

    Parameters
    ----------
    own, baseline : mapping
        Category → (hits, n) with 0 ≤ hits ≤ n. A category that only one group has is composition alone: where there is
        no rate, none is compared.

    Returns
    -------
    Composition with the categories in the order of their names; None if a group is empty.

    Raises
    ------
    ValueError
        Impossible counts.

    Source
    ------
    Kitagawa (1955): composition Σ (wᵥ − w_b)(pᵥ + p_b)/2, rates Σ (pᵥ − p_b)(wᵥ + w_b)/2.
    """
    for hits, n in (*own.values(), *baseline.values()):
        check_counts(hits, n)
    total, base_total = (sum(n for _, n in counts.values()) for counts in (own, baseline))
    if not total or not base_total:
        return None
    categories = {}
    for name in sorted(own.keys() | baseline.keys()):
        (hits, n), (base_hits, base_n) = own.get(name, (0, 0)), baseline.get(name, (0, 0))
        if n or base_n:
            categories[name] = _split(hits, n, base_hits, base_n, total, base_total)
    return Composition(
        sum((part.composition for part in categories.values()), Fraction(0)),
        sum((part.rate for part in categories.values()), Fraction(0)),
        categories,
    )


def _split(hits: int, n: int, base_hits: int, base_n: int, total: int, base_total: int) -> Split:
    weight, base_weight = Fraction(n, total), Fraction(base_n, base_total)
    rate = Fraction(hits, n) if n else Fraction(base_hits, base_n)
    base_rate = Fraction(base_hits, base_n) if base_n else rate
    return Split(
        weight,
        base_weight,
        (weight - base_weight) * (rate + base_rate) / 2,
        (rate - base_rate) * (weight + base_weight) / 2,
    )
