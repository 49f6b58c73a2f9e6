"""Several tests at once: the chance of any false alarm in the family stays at the level.

statsmodels has this procedure, in floats and with a full garbage collection at every call (a quarter of a second inside
a large build); here it is exact, as the p-values of the exact tests are.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from generator.stats.parameters import Exactable, closed_unit, open_unit


@dataclass(frozen=True, slots=True)
class HolmResult:
    """In the order of the p-values given: adjusted p-values, and whether each hypothesis is rejected."""

    adjusted: tuple[Fraction, ...]
    reject: tuple[bool, ...]


def holm(p_values: Sequence[Exactable], alpha: Exactable = 0.05) -> HolmResult:
    """Holm's step-down procedure.

    Parameters
    ----------
    p_values : sequence of float or Fraction
        One a hypothesis, in any order, each in [0, 1]; the family is all of them.
    alpha : float or Fraction
        The family-wise error rate, in (0, 1).

    Returns
    -------
    HolmResult: adjusted is the running maximum of (m − j + 1)·p₍ⱼ₎, capped at 1; rejected are p₍ⱼ₎ ≤ α/(m − j + 1), up
    to the first that is not. Both empty for an empty family.

    Raises
    ------
    ValueError
        A p-value outside [0, 1], or alpha outside (0, 1).

    Source
    ------
    Holm (1979).
    """
    level = open_unit(alpha, "alpha")
    exactly = [closed_unit(p, "p") for p in p_values]
    adjusted = [Fraction(0)] * len(exactly)
    largest = Fraction(0)
    for rank, place in enumerate(sorted(range(len(exactly)), key=exactly.__getitem__)):
        largest = max(largest, min(Fraction(1), (len(exactly) - rank) * exactly[place]))
        adjusted[place] = largest
    # The running maximum is at most α just as long as every step down to here was rejected.
    return HolmResult(tuple(adjusted), tuple(p <= level for p in adjusted))
