"""What numbers decide, once more: verdicts, tests over shared cases, the sequential replay."""

import math
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from statistics import NormalDist
from typing import Any

from generator.verify.case_tests import drop_p, judged_runs, tests_over_cases
from generator.verify.distributions import beta_share
from generator.verify.levels import Levels
from generator.verify.recompute import Batch, Recomputed
from generator.verify.result import VerifyResult

_CLOSE = Fraction(1, 10**9)


def check_decisions(
    batch: Batch,
    numbers: list[dict[str, Any]],
    metrics: dict[str, Any],
    values: dict[str, Recomputed],
    levels: Levels,
    result: VerifyResult,
) -> None:
    """Every verdict, test and replay of a batch is the one that its runs give; none is missing and none is added."""
    regressions = dict(_regressions(batch, numbers, metrics, values, levels))
    for number in numbers:
        is_group = number["compares"] is None and number["metric"] == batch.head["pass_metric"]
        verdict: dict[str, Any] | None = regressions.get(number["id"])
        tests: list[dict[str, Any]] = []
        replay: dict[str, Any] | None = None
        if is_group:
            verdict = _threshold(values[number["id"]], levels)
            replay = _replay(batch, number["variant"], levels) if number["slice"] is None else None
        elif verdict is not None and number["metric"] == batch.head["pass_metric"]:
            tests = list(tests_over_cases(batch, number, numbers, levels))
        elif metrics[number["metric"]]["operation"] == "violation_rate" and number["slice"] is not None:
            verdict = _relation(values[number["id"]], levels)
        for name, made in (("verdict", verdict), ("tests", tests), ("sequential", replay)):
            match(number["id"], name, number[name], made, result)


def match(place: str, what: str, published: Any, made: Any, result: VerifyResult) -> None:
    """Objects field by field, values to nine decimals."""
    if isinstance(published, dict) and isinstance(made, dict):
        for name in sorted(published.keys() | made.keys()):
            match(place, f"{what}.{name}", published.get(name), made.get(name), result)
    elif isinstance(published, list) and isinstance(made, list) and len(published) == len(made):
        for position, (one, other) in enumerate(zip(published, made, strict=True)):
            match(place, f"{what}[{position}]", one, other, result)
    elif isinstance(made, float | Fraction) and isinstance(published, int | Fraction):
        result.checked["decisions"] += 1
        if abs(published - Fraction(made)) > _CLOSE * max(Fraction(1), abs(Fraction(made))):
            result.differ(place, what, published, made)
    else:
        result.compare("decisions", place, what, published, made)


def _no_verdict(kind: str) -> dict[str, Any]:
    names = "outcome method alpha theta more_runs delta beta p p_adjusted power family family_size epsilon"
    return {"kind": kind} | dict.fromkeys(names.split())


def _threshold(number: Recomputed, levels: Levels) -> dict[str, Any]:
    hits, n = number.numerator or 0, number.denominator or 0
    ends = levels.interval_of(hits, n)
    outcome = "inconclusive"
    if ends is not None and ends[0] >= levels.theta:
        outcome = "pass"
    elif ends is not None and ends[1] < levels.theta:
        outcome = "fail"
    return _no_verdict("threshold") | {
        "outcome": outcome,
        "method": levels.interval,
        "alpha": levels.alpha,
        "theta": levels.theta,
        "more_runs": 0 if outcome != "inconclusive" else _more_runs(hits, n, levels),
    }


def _relation(number: Recomputed, levels: Levels) -> dict[str, Any]:
    """Pairs that keep their relation against 1 − (ε + δ)."""
    least = replace(levels, theta=1 - levels.epsilon - levels.delta)
    n = number.denominator or 0
    kept = _threshold(Recomputed(numerator=n - (number.numerator or 0), denominator=n), least)
    own = {"kind": "relation", "theta": None, "epsilon": levels.epsilon, "delta": levels.delta}
    return kept | own


def _more_runs(hits: int, n: int, levels: Levels) -> int | None:
    """Runs until the interval clears θ, the rate held."""
    if n == 0 or Fraction(hits, n) == levels.theta:
        return None
    rate = Fraction(hits, n)
    z = NormalDist().inv_cdf(1 - float(levels.alpha) / 2)
    enough = math.floor(z * z * float(levels.theta * (1 - levels.theta) / (rate - levels.theta) ** 2)) + 1
    if levels.interval == "clopper_pearson":
        enough = _fewest(rate, levels)
    return max(enough - n, 1)


def _fewest(rate: Fraction, levels: Levels) -> int:
    theta, tail = float(levels.theta), float(levels.alpha) / 2

    def is_clear(n: int) -> bool:
        hits = float(rate) * n
        if rate > levels.theta:
            return beta_share(hits, n - hits + 1, theta) <= tail
        return 1 - beta_share(hits + 1, n - hits, theta) < tail

    high = 1
    while not is_clear(high):
        high *= 2
    low = high // 2
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if is_clear(middle) else (middle, high)
    return high


def _regressions(
    batch: Batch, numbers: list[dict[str, Any]], metrics: dict[str, Any], values: dict[str, Recomputed], levels: Levels
) -> Iterator[tuple[str, dict[str, Any]]]:
    families: dict[str, list[tuple[str, tuple[int, int, int, int]]]] = defaultdict(list)
    for number in numbers:
        metric = metrics[number["metric"]]
        if number["compares"] is None or metric["aggregate"] != "proportion" or metric["direction"] == "neutral":
            continue
        good = [_good(values[side], metric) for side in number["compares"]]
        family = "pass_metric" if number["metric"] == batch.head["pass_metric"] else "other_metrics"
        families[family].append((number["id"], (*good[1], *good[0])))
    for family, members in families.items():
        p_values = {name: drop_p([counts]) for name, counts in members if counts[1] and counts[3]}
        adjusted = step_down(p_values)
        for name, counts in members:
            yield (
                name,
                regression(counts, p_values.get(name), adjusted.get(name), len(p_values), levels)
                | {
                    "family": family,
                    "family_size": len(p_values),
                },
            )


def _good(number: Recomputed, metric: dict[str, Any]) -> tuple[int, int]:
    """Runs that the metric's direction calls good, and all that were judged."""
    hits, n = number.numerator or 0, number.denominator or 0
    return (hits if metric["direction"] == "higher" else n - hits), n


def regression(
    counts: tuple[int, int, int, int], p: Fraction | None, adjusted: Fraction | None, size: int, levels: Levels
) -> dict[str, Any]:
    """The verdict of one comparison; `counts` are good and all runs before, then of the variant."""
    good_before, before_n, good, n = counts
    verdict = _no_verdict("regression") | {"outcome": "inconclusive", "method": "fisher"}
    verdict |= {"alpha": levels.alpha, "beta": levels.beta, "delta": levels.delta}
    if p is None or adjusted is None:
        return verdict
    before = Fraction(good_before, before_n)
    planned = max(Fraction(0), before - levels.delta)
    variance = before * (1 - before) / before_n + planned * (1 - planned) / n
    power = None
    if variance:
        z = NormalDist().inv_cdf(float(1 - levels.alpha / size))
        power = NormalDist().cdf(float(before - planned) / math.sqrt(variance) - z)
    if adjusted < levels.alpha and before - Fraction(good, n) >= levels.delta:
        verdict["outcome"] = "fail"
    elif p >= levels.alpha and power is not None and power >= 1 - levels.beta:
        verdict["outcome"] = "pass"
    return verdict | {"p": p, "p_adjusted": adjusted, "power": power}


def step_down(p_values: dict[str, Fraction]) -> dict[str, Fraction]:
    """Holm (1979): the largest so far of p times the hypotheses left, at most 1."""
    adjusted: dict[str, Fraction] = {}
    left, largest = len(p_values), Fraction(0)
    for name, p in sorted(p_values.items(), key=lambda entry: entry[1]):
        largest = max(largest, min(Fraction(1), left * p))
        adjusted[name] = largest
        left -= 1
    return adjusted


def _replay(batch: Batch, variant: str, levels: Levels) -> dict[str, Any] | None:
    outcomes = [ok for _, _, _, ok in judged_runs(batch, variant)]
    if not outcomes:
        return None
    good, bad = float(levels.theta), float(levels.theta - levels.delta)
    alpha, beta = float(levels.alpha), float(levels.beta)
    lower, upper = math.log(beta / (1 - alpha)), math.log((1 - beta) / alpha)
    up, down = math.log((1 - bad) / (1 - good)), math.log(bad / good)
    passes, stopped, ratio = 0, None, 0.0
    for place, ok in enumerate(outcomes, start=1):
        passes += ok
        ratio = passes * down + (place - passes) * up
        if ratio <= lower or ratio >= upper:
            stopped = place
            break

    def expected(rate: float, share_low: float) -> float:
        return (share_low * lower + (1 - share_low) * upper) / (rate * down + (1 - rate) * up)

    return {
        "outcome": "continue" if stopped is None else "pass" if ratio <= lower else "fail",
        "theta": levels.theta,
        "delta": levels.delta,
        "alpha": levels.alpha,
        "beta": levels.beta,
        "lower": lower,
        "upper": upper,
        "ratio": ratio,
        "recorded": len(outcomes),
        "stopped_at": stopped,
        "expected_pass": expected(good, 1 - alpha),
        "expected_fail": expected(bad, beta),
    }
