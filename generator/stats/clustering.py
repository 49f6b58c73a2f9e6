"""How much less the runs of a group say because several of them are of one case."""

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from math import sqrt

from generator.stats.parameters import Exactable, closed_unit, normal_quantile, open_unit
from generator.stats.proportions import IntervalMethod


@dataclass(frozen=True, slots=True)
class Clustering:
    """`correlation` is that of two runs of one case (below 0 where cases are more even than chance makes them);
    `design_effect`, at least 1, is by what the variance of the rate grows; `effective` = runs ÷ design effect."""

    cases: int
    runs: int
    correlation: Fraction
    design_effect: Fraction
    effective: Fraction


def clustering(cases: Iterable[tuple[int, int]]) -> Clustering | None:
    """Intraclass correlation of outcomes within cases, by analysis of variance, and what follows for the rate.

    Parameters
    ----------
    cases : pairs (hits, runs)
        One a case; cases without runs are left out.

    Returns
    -------
    Clustering; None with fewer than two cases, where no case has two runs, and where all outcomes are the same.

    Notes
    -----
    With cases of unlike size n the design effect is 1 + (Σn²/N − 1)·correlation (Kish). It is that of a rate that is to
    hold for *other* cases like these; for these very cases the plain interval is too wide rather than too narrow.

    Source
    ------
    Donner & Koval (1980), Ridout, Demétrio & Firth (1999), eq. 2; Kish (1965), §8.2.
    """
    counted = [(hits, n) for hits, n in cases if n]
    k, total = len(counted), sum(n for _, n in counted)
    passed = sum(hits for hits, _ in counted)
    if k < 2 or total == k or passed in (0, total):
        return None
    of_cases = sum((Fraction(hits * hits, n) for hits, n in counted), Fraction(0))
    between = (of_cases - Fraction(passed * passed, total)) / (k - 1)
    within = (passed - of_cases) / (total - k)
    squares = Fraction(sum(n * n for _, n in counted), total)
    usual = (total - squares) / (k - 1)
    correlation = (between - within) / (between + (usual - 1) * within)
    design_effect = max(Fraction(1), 1 + (squares - 1) * correlation)
    return Clustering(k, total, correlation, design_effect, total / design_effect)


def interval_of_rate(
    rate: Exactable, n: Exactable, level: Exactable, method: IntervalMethod = "wilson"
) -> tuple[float, float]:
    """Interval of a rate that rests on so many independent runs; `n` > 0 need not be whole.

    Source
    ------
    Wilson (1927) with the effective sample size; Korn & Graubard (1998) for `clopper_pearson`.
    """
    share, size = float(closed_unit(rate, "rate")), float(n)
    two_sided = open_unit(level, "level")
    if method == "clopper_pearson":
        from scipy.special import betainccinv, betaincinv

        tail, hits = float((1 - two_sided) / 2), share * size
        low = 0.0 if share == 0 else float(betaincinv(hits, size - hits + 1, tail))
        return low, 1.0 if share == 1 else float(betainccinv(hits + 1, size - hits, tail))
    z = normal_quantile((1 + two_sided) / 2)
    weight = z * z / size
    centre = (share + weight / 2) / (1 + weight)
    half_width = z * sqrt(share * (1 - share) / size + weight / (4 * size)) / (1 + weight)
    return 0.0 if share == 0 else centre - half_width, 1.0 if share == 1 else centre + half_width
