"""Power of the comparison of two proportions, one-sided: the chance that a drop of given size is found significant."""

from math import sqrt
from statistics import NormalDist
from typing import Literal

from generator.stats.parameters import Exactable, closed_unit, normal_quantile, open_unit

PowerMethod = Literal["unpooled", "pooled_null", "arcsine", "fisher_exact"]


def power_two_proportions(
    baseline: Exactable,
    current: Exactable,
    baseline_n: int,
    n: int,
    alpha: Exactable = 0.05,
    method: PowerMethod = "unpooled",
) -> float | None:
    """The chance that the test of `current < baseline` is significant, were these the true rates.

    Parameters
    ----------
    baseline, current : float or Fraction
        True rates, in [0, 1].
    baseline_n, n : int
        Runs of the two groups, ≥ 0.
    alpha : float or Fraction
        Level of the one-sided test, in (0, 1).
    method : str
        `unpooled`: Φ((p_b − p_c)/SE₁ − z) with SE₁² = p_b q_b/n_b + p_c q_c/n_c, the planned power of a regression
        verdict. `pooled_null`: the null's standard error from the pooled rate. `arcsine`: by Cohen's h. `fisher_exact`:
        every outcome enumerated; n_b·n tests, for a few hundred runs a group.

    Returns
    -------
    A chance in [0, 1]; None when a group is empty, and for `unpooled` and `pooled_null` where both rates are 0 or 1:
    nothing varies, so there is no standard error.

    Raises
    ------
    ValueError
        A rate outside [0, 1], n negative, or alpha outside (0, 1).

    Source
    ------
    Fleiss, Levin & Paik (2003), ch. 4; Cohen (1988), §6.3; AgentAssay §3, theorem 3.2 (`unpooled`).
    """
    p_b, p_c = (float(closed_unit(rate, name)) for rate, name in ((baseline, "baseline"), (current, "current")))
    level = open_unit(alpha, "alpha")
    if baseline_n < 0 or n < 0:
        raise ValueError(f"runs must not be negative, got {baseline_n} and {n}")
    if baseline_n == 0 or n == 0:
        return None
    if method == "fisher_exact":
        return _fisher_power(p_b, p_c, baseline_n, n, float(level))
    if method == "arcsine":
        return _arcsine_power(p_b, p_c, baseline_n, n, float(level))
    error = sqrt(p_b * (1 - p_b) / baseline_n + p_c * (1 - p_c) / n)
    if error == 0:
        return None
    if method == "pooled_null":
        return _pooled_null_power(p_b, p_c, baseline_n, n, float(level))
    return NormalDist().cdf((p_b - p_c) / error - normal_quantile(1 - level))


def _pooled_null_power(p_b: float, p_c: float, baseline_n: int, n: int, alpha: float) -> float:
    from statsmodels.stats.proportion import power_proportions_2indep

    power = power_proportions_2indep(
        p_b - p_c, p_c, baseline_n, ratio=n / baseline_n, alpha=alpha, alternative="larger", return_results=False
    )
    return float(power)


def _arcsine_power(p_b: float, p_c: float, baseline_n: int, n: int, alpha: float) -> float:
    from statsmodels.stats.power import NormalIndPower
    from statsmodels.stats.proportion import proportion_effectsize

    effect = float(proportion_effectsize(p_b, p_c))
    return float(NormalIndPower().power(effect, baseline_n, alpha, n / baseline_n, alternative="larger"))


def _fisher_power(p_b: float, p_c: float, baseline_n: int, n: int, alpha: float) -> float:
    import numpy
    from scipy.stats import binom, hypergeom

    before, after = numpy.arange(baseline_n + 1)[:, None], numpy.arange(n + 1)[None, :]
    p_values = hypergeom.cdf(after, baseline_n + n, before + after, n)
    chances = binom.pmf(before, baseline_n, p_b) * binom.pmf(after, n, p_c)
    # p = α is not significant, but in floats it may fall below: no other p of such counts is this close.
    return float(min(1.0, numpy.sum(chances[p_values < alpha * (1 - 1e-10)])))
