"""Wald's sequential probability ratio test of a pass rate: where a batch could have stopped."""

from collections.abc import Iterable
from dataclasses import dataclass
from math import ceil, log
from typing import Literal

from generator.stats.parameters import Exactable, open_unit

SprtDecision = Literal["pass", "fail", "inconclusive", "continue"]
"""`inconclusive`: the cap was reached undecided. `continue`: the runs ended first."""


@dataclass(frozen=True, slots=True)
class SprtPlan:
    """The test of p₀ = θ against p₁ = θ − δ, and what it is expected to cost.

    `lower`, `upper`: bounds of the log likelihood ratio, ln(β/(1 − α)) and ln((1 − β)/α). `step_pass`, `step_fail`:
    what one run adds, ln(p₁/p₀) and ln((1 − p₁)/(1 − p₀)). `asn_h0`, `asn_h1`: expected runs at p₀ and p₁, by Wald's
    formula without overshoot. `all_pass_n`, `all_fail_n`: runs to a decision when every run passes, or fails.
    """

    p0: float
    p1: float
    lower: float
    upper: float
    step_pass: float
    step_fail: float
    asn_h0: float
    asn_h1: float
    all_pass_n: int
    all_fail_n: int

    def llr(self, passed: int, failed: int) -> float:
        """Log likelihood ratio after so many runs, from the counts: it has no memory of rounding on the way."""
        return passed * self.step_pass + failed * self.step_fail

    def decision(self, llr: float) -> Literal["pass", "fail", "continue"]:
        """What a log likelihood ratio decides; on a bound it decides."""
        if llr <= self.lower:
            return "pass"
        return "fail" if llr >= self.upper else "continue"


@dataclass(frozen=True, slots=True)
class SprtRun:
    """`path[i]` is the log likelihood ratio after i runs, up to the decision; `n_used` = len(path) − 1."""

    decision: SprtDecision
    n_used: int
    llr: float
    path: tuple[float, ...]


def sprt_plan(theta: Exactable, delta: Exactable, alpha: Exactable = 0.05, beta: Exactable = 0.1) -> SprtPlan:
    """Bounds, steps and expected runs.

    Parameters
    ----------
    theta : float or Fraction
        The acceptable rate p₀, in (0, 1).
    delta : float or Fraction
        The drop that matters, in (0, θ): p₁ = θ − δ.
    alpha, beta : float or Fraction
        Chances of a `fail` at p₀ and of a `pass` at p₁, in (0, 1), α + β < 1. Wald's bounds hold them to at most
        α/(1 − β) and β/(1 − α).

    Returns
    -------
    SprtPlan.

    Raises
    ------
    ValueError
        A value outside its range.

    Source
    ------
    Wald (1947), ch. 3 and 5; AgentAssay §3, proposition 3.3.
    """
    good, drop = open_unit(theta, "theta"), open_unit(delta, "delta")
    level, miss = open_unit(alpha, "alpha"), open_unit(beta, "beta")
    if drop >= good:
        raise ValueError(f"delta must be below theta, got {delta} of {theta}")
    if level + miss >= 1:
        raise ValueError(f"alpha + beta must be below 1, got {alpha} and {beta}")
    bad = good - drop
    lower, upper = log(miss / (1 - level)), log((1 - miss) / level)
    step_pass, step_fail = log(bad / good), log((1 - bad) / (1 - good))

    def expected(rate: float, ends_low: float) -> float:
        return (ends_low * lower + (1 - ends_low) * upper) / (rate * step_pass + (1 - rate) * step_fail)

    return SprtPlan(
        p0=float(good),
        p1=float(bad),
        lower=lower,
        upper=upper,
        step_pass=step_pass,
        step_fail=step_fail,
        asn_h0=expected(float(good), float(1 - level)),
        asn_h1=expected(float(bad), float(miss)),
        all_pass_n=ceil(lower / step_pass),
        all_fail_n=ceil(upper / step_fail),
    )


def sprt_run(plan: SprtPlan, outcomes: Iterable[bool], n_max: int | None = None) -> SprtRun:
    """Runs in their recorded order, through the test up to its decision.

    Parameters
    ----------
    plan : SprtPlan
    outcomes : iterable of bool
        Passed or not, one a run. Runs of the baseline do not belong here: they are no trials of this variant.
    n_max : int or None
        The cap, ≥ 1; a bound crossed at the cap still decides.

    Returns
    -------
    SprtRun: `pass` at or below the lower bound, `fail` at or above the upper, at the first crossing; `inconclusive`
    when the cap is reached; `continue` when the runs end before.

    Raises
    ------
    ValueError
        n_max below 1.

    Source
    ------
    Wald (1947), ch. 3.
    """
    if n_max is not None and n_max < 1:
        raise ValueError(f"n_max must be at least 1, got {n_max}")
    passed = failed = 0
    path = [0.0]
    decision: SprtDecision = "continue"
    for outcome in outcomes:
        passed, failed = passed + outcome, failed + (not outcome)
        path.append(plan.llr(passed, failed))
        decision = plan.decision(path[-1])
        if decision == "continue" and len(path) - 1 == n_max:
            decision = "inconclusive"
        if decision != "continue":
            break
    return SprtRun(decision, len(path) - 1, path[-1], tuple(path))
