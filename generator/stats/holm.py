"""Several tests at once: the chance of any false alarm in the family stays at the level."""

from collections.abc import Sequence
from dataclasses import dataclass

from generator.stats.parameters import Exactable, closed_unit, open_unit


@dataclass(frozen=True, slots=True)
class HolmResult:
    """In the order of the p-values given: adjusted p-values, and whether each hypothesis is rejected."""

    adjusted: tuple[float, ...]
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
    plain = [float(closed_unit(p, "p")) for p in p_values]
    if not plain:
        return HolmResult((), ())
    from statsmodels.stats.multitest import multipletests

    reject, adjusted, _, _ = multipletests(plain, alpha=float(level), method="holm")
    return HolmResult(tuple(float(p) for p in adjusted), tuple(bool(no) for no in reject))
