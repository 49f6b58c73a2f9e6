"""What numbers decide, once more: verdicts, tests over shared cases, the sequential replay."""

import hashlib
import math
from collections import defaultdict
from collections.abc import Iterator
from fractions import Fraction
from statistics import NormalDist
from typing import Any

from generator.verify.distributions import beta_share, student_quantile
from generator.verify.levels import Levels
from generator.verify.recompute import Batch, Recomputed
from generator.verify.result import VerifyResult

_CLOSE = Fraction(1, 10**9)
_MOST_STRATIFIED_RUNS, _MOST_DRAWN_CASES = 5000, 500
"""Beyond them the site leaves these tests out."""
_CELLS = dict[tuple[str, int], bool]


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
            tests = list(_tests_over_cases(batch, number, numbers, levels))
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
    names = "outcome method alpha theta more_runs delta beta p p_adjusted power family family_size"
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
        p_values = {name: _drop_p([counts]) for name, counts in members if counts[1] and counts[3]}
        adjusted = _step_down(p_values)
        for name, counts in members:
            yield (
                name,
                _regression(counts, p_values.get(name), adjusted.get(name), len(p_values), levels)
                | {
                    "family": family,
                    "family_size": len(p_values),
                },
            )


def _good(number: Recomputed, metric: dict[str, Any]) -> tuple[int, int]:
    """Runs that the metric's direction calls good, and all that were judged."""
    hits, n = number.numerator or 0, number.denominator or 0
    return (hits if metric["direction"] == "higher" else n - hits), n


def _regression(
    counts: tuple[int, int, int, int], p: Fraction | None, adjusted: Fraction | None, size: int, levels: Levels
) -> dict[str, Any]:
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


def _drop_p(strata: list[tuple[int, int, int, int]]) -> Fraction:
    """P(good runs of the variant ≤ those seen), given the good runs of each stratum: Fisher's test for one stratum."""
    ways: dict[int, int] = {0: 1}
    for before, before_n, good, n in strata:
        longer: dict[int, int] = defaultdict(int)
        for x, dealt in _dealings(before + good, before_n, n):
            for sum_so_far, count in ways.items():
                longer[sum_so_far + x] += count * dealt
        ways = longer
    seen = sum(good for _, _, good, _ in strata)
    return Fraction(sum(count for x, count in ways.items() if x <= seen), sum(ways.values()))


def _dealings(total: int, before_n: int, n: int) -> Iterator[tuple[int, int]]:
    """In how many ways x of `total` good runs fall to the variant; each from the one before."""
    lowest, highest = max(0, total - before_n), min(total, n)
    ways = math.comb(n, lowest) * math.comb(before_n, total - lowest)
    for x in range(lowest, highest + 1):
        yield x, ways
        ways = ways * (n - x) * (total - x) // ((x + 1) * (before_n - total + x + 1))


def _step_down(p_values: dict[str, Fraction]) -> dict[str, Fraction]:
    """Holm (1979): the largest so far of p times the hypotheses left, at most 1."""
    adjusted: dict[str, Fraction] = {}
    left, largest = len(p_values), Fraction(0)
    for name, p in sorted(p_values.items(), key=lambda entry: entry[1]):
        largest = max(largest, min(Fraction(1), left * p))
        adjusted[name] = largest
        left -= 1
    return adjusted


def _passed(batch: Batch, variant: str) -> list[tuple[int, str, tuple[str, int], bool]]:
    """Place in the order, run id, cell and outcome of every judged run, in recorded order."""
    found = []
    for run in batch.runs:
        judged = run.assertions.get(batch.head["pass_metric"])
        if run.variant == variant and judged is not None and judged.outcome in ("hit", "miss"):
            found.append((run.sequence, run.run_id, (run.case, run.repeat), judged.outcome == "hit"))
    return sorted(found)


def _tests_over_cases(
    batch: Batch, number: dict[str, Any], numbers: list[dict[str, Any]], levels: Levels
) -> Iterator[dict[str, Any]]:
    variants = {other["id"]: other["variant"] for other in numbers}
    own, base = ({cell: ok for _, _, cell, ok in _passed(batch, variants[side])} for side in number["compares"])
    of_own, of_base = _of_cases(own), _of_cases(base)
    shared = sorted(of_own.keys() & of_base.keys())
    if not shared:
        return
    strata = [(*of_base[case], *of_own[case]) for case in shared]
    both = own.keys() & base.keys()
    lost, gained = (sum(base[cell] is was and own[cell] is not was for cell in both) for was in (True, False))
    nothing = dict.fromkeys(("p", "lost", "gained", "interval", "seed", "replicates"))
    common = nothing | {"cases": len(shared)}
    tail = Fraction(sum(math.comb(lost + gained, x) for x in range(lost, lost + gained + 1)), 2 ** (lost + gained))
    yield common | {"method": "mcnemar", "p": tail, "lost": lost, "gained": gained}
    if sum(stratum[1] + stratum[3] for stratum in strata) <= _MOST_STRATIFIED_RUNS:
        yield common | {"method": "stratified", "p": _drop_p(strata)}
    if 1 < len(shared) <= _MOST_DRAWN_CASES:
        replicates = next((test["replicates"] for test in number["tests"] if test["replicates"]), 0)
        level = 1 - levels.alpha
        low, high = _drawn_interval(strata, number["id"], replicates, float(level)) if replicates else (0.0, 0.0)
        interval = {"method": "cluster_bootstrap", "level": level, "low": low, "high": high}
        drawn = {"method": "cluster_bootstrap", "interval": interval, "seed": number["id"], "replicates": replicates}
        yield common | drawn


def _of_cases(cells: _CELLS) -> dict[str, tuple[int, int]]:
    outcomes: dict[str, list[bool]] = defaultdict(list)
    for (case, _), ok in cells.items():
        outcomes[case].append(ok)
    return {case: (sum(found), len(found)) for case, found in outcomes.items()}


def _drawn_interval(
    strata: list[tuple[int, int, int, int]], seed: str, replicates: int, level: float
) -> tuple[float, float]:
    """Whole cases drawn from the documented stream; widened for few cases by Student's t."""
    m = len(strata)
    stream = _drawn_words(seed, m)
    differences = []
    for _ in range(replicates):
        drawn = [strata[next(stream) % m] for _ in range(m)]
        before, before_n, good, n = (sum(column) for column in zip(*drawn, strict=True))
        differences.append(Fraction(good, n) - Fraction(before, before_n))
    differences.sort()
    t = student_quantile((1 - level) / 2, m - 1)
    k = max(1, int((replicates + 1) * NormalDist().cdf(math.sqrt(m / (m - 1)) * t)))
    return float(differences[k - 1]), float(differences[replicates - k])


def _drawn_words(seed: str, m: int) -> Iterator[int]:
    """Words of 64 bits of SHA-256 of `seed:i`, without those that would favour some remainders of m."""
    fair = 2**64 - 2**64 % m
    block = 0
    while True:
        digest = hashlib.sha256(f"{seed}:{block}".encode()).digest()
        words = (int.from_bytes(digest[start : start + 8], "big") for start in range(0, 32, 8))
        yield from (word for word in words if word < fair)
        block += 1


def _replay(batch: Batch, variant: str, levels: Levels) -> dict[str, Any] | None:
    outcomes = [ok for _, _, _, ok in _passed(batch, variant)]
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
