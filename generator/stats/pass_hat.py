"""pass^k: how likely k runs of one case all pass."""

from collections.abc import Iterable
from fractions import Fraction
from math import comb


def pass_hat(passed: int, valid: int, k: int) -> Fraction | None:
    """The chance that k of the valid runs of a case, drawn without replacement, all passed.

    Parameters
    ----------
    passed, valid : int
        Runs of one case; 0 ≤ passed ≤ valid.
    k : int
        Runs drawn, ≥ 1.

    Returns
    -------
    C(passed, k) ÷ C(valid, k), in [0, 1]; None when valid < k, because k runs cannot be drawn.

    Raises
    ------
    ValueError
        passed outside [0, valid], or k below 1.

    Source
    ------
    Yao et al. (2024), τ-bench, §4: the unbiased estimate of p^k.
    """
    if not 0 <= passed <= valid:
        raise ValueError(f"passed must lie in [0, valid], got {passed} of {valid}")
    if k < 1:
        raise ValueError(f"k must be at least 1, got {k}")
    return Fraction(comb(passed, k), comb(valid, k)) if valid >= k else None


def mean_pass_hat(cases: Iterable[tuple[int, int]], k: int) -> tuple[Fraction | None, int]:
    """Mean of `pass_hat` over the cases that have at least k valid runs.

    Parameters
    ----------
    cases : iterable of (passed, valid)
        One pair a case, in any order.
    k : int
        Runs drawn, ≥ 1.

    Returns
    -------
    (mean, cases counted); the mean is None when no case counts.

    Raises
    ------
    ValueError
        As `pass_hat`.
    """
    shares = [share for passed, valid in cases if (share := pass_hat(passed, valid, k)) is not None]
    return (sum(shares, Fraction(0)) / len(shares) if shares else None), len(shares)
