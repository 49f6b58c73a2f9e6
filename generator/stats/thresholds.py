"""Is a rate at or above a threshold: a verdict from an interval, and how far off a decision is."""

from dataclasses import dataclass
from fractions import Fraction
from math import floor

from generator.stats.parameters import Exactable, closed_unit, normal_quantile, open_unit
from generator.stats.proportions import INTERVALS, IntervalMethod
from generator.stats.verdicts import Verdict


@dataclass(frozen=True, slots=True)
class ThresholdVerdict:
    """`low` and `high` are the ends of the interval of coverage 1 − α; None without runs."""

    outcome: Verdict
    low: float | None
    high: float | None
    method: IntervalMethod


def threshold_verdict(
    hits: int, n: int, theta: Exactable, alpha: Exactable = 0.05, method: IntervalMethod = "wilson"
) -> ThresholdVerdict:
    """Whether the rate behind `hits` of `n` reaches `theta`.

    Parameters
    ----------
    hits, n : int
        Runs; 0 ≤ hits ≤ n.
    theta : float or Fraction
        The threshold, in [0, 1].
    alpha : float or Fraction
        Two-sided, in (0, 1): the interval has coverage 1 − α, so each wrong decision has about α/2.
    method : str
        `wilson`, or `clopper_pearson`, whose wrong decisions are at most α/2 whatever the rate is.

    Returns
    -------
    `pass` if the interval lies at or above theta, `fail` if wholly below it, else (and without runs) `inconclusive`.

    Raises
    ------
    ValueError
        hits outside [0, n], theta outside [0, 1], or alpha outside (0, 1).

    Source
    ------
    AgentAssay (arXiv:2603.02601), §3, example 3.1; its theorem 3.1 rests on the exact interval.
    """
    floor_rate = closed_unit(theta, "theta")
    interval = INTERVALS[method](hits, n, 1 - open_unit(alpha, "alpha"))
    if interval is None:
        return ThresholdVerdict("inconclusive", None, None, method)
    low, high = interval
    outcome: Verdict = "pass" if low >= floor_rate else "fail" if high < floor_rate else "inconclusive"
    return ThresholdVerdict(outcome, low, high, method)


def runs_to_decide(
    hits: int, n: int, theta: Exactable, alpha: Exactable = 0.05, method: IntervalMethod = "wilson"
) -> int | None:
    """How many more runs would end an `inconclusive` verdict if the rate stayed exactly what it is.

    The rate is held, so the hits of a longer batch may be a fraction of a run: the answer is then free of the jumps
    that whole runs make, and it falls when the rate moves away from the threshold.

    Parameters
    ----------
    hits, n, theta, alpha, method
        As `threshold_verdict`.

    Returns
    -------
    Runs to add, 0 where the verdict is decided already; None without runs (there is no rate), and where the rate
    equals the threshold (no number of runs decides).

    Raises
    ------
    ValueError
        As `threshold_verdict`.

    Source
    ------
    Wilson: the score test inverted, n ≥ z²θ(1 − θ)/(p̂ − θ)². Clopper–Pearson: bisection on n, because its bounds close
    in on a rate that is held.
    """
    if threshold_verdict(hits, n, theta, alpha, method).outcome != "inconclusive":
        return 0
    goal = closed_unit(theta, "theta")
    if n == 0 or Fraction(hits, n) == goal:
        return None
    rate, tail = Fraction(hits, n), open_unit(alpha, "alpha") / 2
    score = normal_quantile(1 - tail) ** 2 * float(goal * (1 - goal) / (rate - goal) ** 2)
    # A failure needs the bound strictly below theta, a pass at or above it; score is irrational, so one rule serves.
    enough = floor(score) + 1
    if method == "clopper_pearson":
        enough = _exact_runs(rate, goal, float(tail), enough)
    return max(enough - n, 1)


def _exact_runs(rate: Fraction, theta: Fraction, tail: float, guess: int) -> int:
    """The fewest runs at a held rate whose Clopper–Pearson bound clears theta."""
    from scipy.special import betainc, betaincc

    share, goal = float(rate), float(theta)

    def decided(n: int) -> bool:
        hits = share * n
        if rate > theta:
            # low ≥ θ: the chance of so many hits or more at θ is at most the tail.
            return bool(betainc(hits, n - hits + 1, goal) <= tail)
        return bool(betaincc(hits + 1, n - hits, goal) < tail)

    # The exact interval is wider than Wilson's, so the guess is below the answer but for rounding.
    below, above = 0, max(guess, 1)
    while not decided(above):
        below, above = above, 2 * above
    while above - below > 1:
        middle = (below + above) // 2
        below, above = (below, middle) if decided(middle) else (middle, above)
    return above
