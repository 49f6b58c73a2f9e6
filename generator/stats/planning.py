"""What trials to plan for, from those that are there: as many as the variance asks for, some of them on a cheaper
variant, begun where earlier runs left off."""

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, sqrt

from generator.stats.parameters import Exactable, closed_unit, exact_value, open_unit
from generator.stats.sample_size import sample_size
from generator.stats.sequential import SprtPlan

_ROUNDING = 1e-9
"""Of floats, in runs: it must not make another run."""


@dataclass(frozen=True, slots=True)
class AdaptivePlan:
    """Runs of each group: at the observed rate, at the least favourable rate that its interval allows, and of a plan
    that knows nothing of the rate."""

    observed: int
    careful: int
    fixed: int


def adaptive_plan(
    rate: Exactable,
    interval: tuple[float, float],
    delta: Exactable,
    alpha: Exactable = 0.05,
    beta: Exactable = 0.1,
) -> AdaptivePlan | None:
    """Runs of each group that find a drop of `delta` with power 1 − beta, by what calibration runs say of the variance.

    Parameters
    ----------
    rate : float or Fraction
        That of the calibration runs, in [0, 1].
    interval : (low, high)
        Of that rate.
    delta, alpha, beta
        As `sample_size`.

    Returns
    -------
    AdaptivePlan; None where the rate is below delta, because it cannot drop by so much.

    Notes
    -----
    The variance of both groups, p(1 − p) + (p − δ)(1 − p + δ), is largest at p = (1 + δ)/2 and falls off to both sides,
    so the least favourable rate is that of the interval nearest to there.

    Source
    ------
    AgentAssay §7.2 (theorem 7.2), with the one-sided form of the regression verdict.
    """
    share, drop = closed_unit(rate, "rate"), open_unit(delta, "delta")
    if share < drop:
        return None
    low, high = (max(Fraction(end), drop) for end in interval)
    worst = min(max((1 + drop) / 2, low), high)
    plans = [
        sample_size(share, drop, alpha, beta),
        sample_size(worst, drop, alpha, beta),
        sample_size(1, drop, alpha, beta, "one_sided_worst_case"),
    ]
    return AdaptivePlan(*(plan.n for plan in plans))


@dataclass(frozen=True, slots=True)
class Agreement:
    """Of two variants over the cases that both have: how often a run of one and a run of the other come out alike, and
    the correlation of their outcomes over cases (None where the outcomes of one do not vary)."""

    cases: int
    alike: Fraction
    squared: Fraction | None
    is_positive: bool

    @property
    def correlation(self) -> float | None:
        return None if self.squared is None else sqrt(self.squared) * (1 if self.is_positive else -1)


def agreement(cases: Iterable[tuple[int, int, int, int]]) -> Agreement | None:
    """How far a variant stands for another one.

    Parameters
    ----------
    cases : tuples (hits, runs, other hits, other runs)
        One a shared case; each counts the same, and every run of one is paired with every run of the other.

    Returns
    -------
    Agreement; None without a case that both have.

    Source
    ------
    The correlation is that of single outcomes, cov(p, p′)/√(p̄(1 − p̄)·p̄′(1 − p̄′)) over the rates of cases: what is
    common to both variants is the case.
    """
    shares = [(Fraction(hits, n), Fraction(other, m)) for hits, n, other, m in cases if n and m]
    if not shares:
        return None
    k = len(shares)
    mean, other_mean = (sum(column, Fraction(0)) / k for column in zip(*shares, strict=True))
    covariance = sum((p * q for p, q in shares), Fraction(0)) / k - mean * other_mean
    spread = mean * (1 - mean) * other_mean * (1 - other_mean)
    alike = sum((p * q + (1 - p) * (1 - q) for p, q in shares), Fraction(0)) / k
    return Agreement(k, alike, covariance**2 / spread if spread else None, covariance > 0)


@dataclass(frozen=True, slots=True)
class FidelityPlan:
    """Of `n` runs of the dear variant: how many stay (`dear`), how many runs the cheap one has (`cheap`), and what that
    costs as a share of the plain plan. No cheap runs and a share of 1 where the cheap variant does not help."""

    dear: int
    cheap: int
    share: float


def fidelity_plan(n: int, squared: Exactable, cost_ratio: Exactable, fewest: int = 1) -> FidelityPlan:
    """The split of runs that estimates the rate of the dear variant as well as `n` of its own, at the least cost.

    Parameters
    ----------
    n : int
        Runs of the plain plan, ≥ 1.
    squared : float or Fraction
        Square of the correlation of the two variants, in [0, 1].
    cost_ratio : float or Fraction
        Cost of a dear run ÷ cost of a cheap one, above 0.
    fewest : int
        Dear runs that stay in any case, ≥ 1: a correlation is known from few cases, and must be seen to hold.

    Returns
    -------
    FidelityPlan. With r cheap runs a dear one the variance is (σ²/m)(1 − ρ² + ρ²/r); the best r is √(wρ²/(1 − ρ²)), and
    below r = 1 there is nothing to gain.

    Source
    ------
    Peherstorfer, Willcox & Gunzburger (2016), theorem 3.4, for two models.
    """
    explained, ratio = float(closed_unit(squared, "squared")), float(exact_value(cost_ratio))
    if min(n, fewest) < 1 or ratio <= 0:
        raise ValueError(f"n and fewest must be at least 1, cost_ratio above 0, got {n}, {fewest} and {cost_ratio}")
    most = float(n)
    cheap_a_run = most if explained == 1 else min(most, sqrt(ratio * explained / (1 - explained)))
    if cheap_a_run <= 1:
        return FidelityPlan(n, 0, 1.0)
    dear = max(1, ceil(n * (1 - explained + explained / cheap_a_run)))
    if fewest > dear:
        # Solved for r: with more dear runs fewer cheap ones are as precise.
        dear, cheap_a_run = fewest, explained / max(fewest / n - 1 + explained, explained / cheap_a_run)
    cheap = ceil(cheap_a_run * dear - _ROUNDING)
    share = (dear + cheap / ratio) / n
    return FidelityPlan(dear, cheap, share) if share < 1 else FidelityPlan(n, 0, 1.0)


def warm_start(plan: SprtPlan, passed: int, failed: int, discount: Exactable) -> float:
    """Where a sequential test may begin that has earlier runs of the same variant.

    Parameters
    ----------
    plan : SprtPlan
    passed, failed : int
        Of the earlier runs.
    discount : float or Fraction
        What an earlier run counts, in [0, 1]: things may have changed since.

    Returns
    -------
    The log likelihood ratio to begin from: that of the earlier runs times the discount, but never more than half of the
    way to a bound, so that new runs decide.

    Source
    ------
    Ibrahim & Chen (2000), power priors; AgentAssay §7.3. The bound is ours.
    """
    weight = float(closed_unit(discount, "discount"))
    return min(max(weight * plan.llr(passed, failed), plan.lower / 2), plan.upper / 2)
