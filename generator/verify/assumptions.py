"""What verdicts take for granted, held against the runs once more."""

import math
from collections import Counter, defaultdict
from collections.abc import Iterable
from fractions import Fraction
from functools import lru_cache
from itertools import combinations

from generator.verify.case_tests import judged_runs
from generator.verify.distributions import clopper_pearson
from generator.verify.evidence import EvidenceRun
from generator.verify.exact import wilson
from generator.verify.levels import Levels
from generator.verify.made import DerivedDetail, Made, why
from generator.verify.recompute import Batch

_MOST_COUNTED_PAIRS = 1000
_LARGE_EFFECT = Fraction(3, 2)


def checked(operation: str, batch: Batch, variant: str, runs: list[EvidenceRun], levels: Levels) -> Made:
    """An assumption; `runs` are the valid ones of the variant."""
    if operation == "identical_answers":
        return _answers(runs)
    if operation == "judge_agreement":
        return _judge(runs)
    ordered = judged_runs(batch, variant)
    counted = [batch.by_id[run_id] for _, run_id, _, _ in ordered]
    by_case: dict[str, list[bool]] = defaultdict(list)
    for _, _, (case, _), ok in ordered:
        by_case[case].append(ok)
    if not ordered:
        return None, counted, why(runs, "not_judged"), {"outcome": "unknown"}
    made = _drift if operation == "order_drift" else _independent
    value, reason, detail = made(list(by_case.values()), [ok for _, _, _, ok in ordered], levels)
    return value, counted, reason, detail


_Checked = tuple[float | Fraction | None, str | None, DerivedDetail]


def _reading_of(is_against: bool, could_tell: bool) -> str:
    if is_against:
        return "doubtful"
    return "holds" if could_tell else "unknown"


def _drift(cases: list[list[bool]], ordered: list[bool], levels: Levels) -> _Checked:
    mixed = [case for case in cases if len(set(case)) == 2]
    if not mixed:
        return None, "no_case_with_both", {"outcome": "unknown"}
    pairs = sum(case.count(True) * case.count(False) for case in mixed)
    later = sum(not first and second for case in mixed for first, second in combinations(case, 2))
    away = abs(later - Fraction(pairs, 2))
    method, p, smallest = _chances(mixed, pairs, away)
    half = len(ordered) // 2
    detail = {
        "outcome": _reading_of(p < levels.alpha, smallest < levels.alpha),
        "method": method,
        "cases": len(mixed),
        "pairs": pairs,
        "later": later,
        "smallest_p": smallest,
        "first_hits": ordered[:half].count(True),
        "first_runs": half,
        "second_hits": ordered[half:].count(True),
        "second_runs": len(ordered) - half,
    }
    return p, None, detail


def _chances(mixed: list[list[bool]], pairs: int, away: Fraction) -> tuple[str, float | Fraction, float | Fraction]:
    """How the p-value is made, the p-value, and the least that it could have been."""
    half = Fraction(pairs, 2)
    if pairs > _MOST_COUNTED_PAIRS:
        spread = sum(case.count(True) * case.count(False) * (len(case) + 1) for case in mixed) / 12
        p, smallest = (math.erfc(max(0.0, float(u) - 0.5) / math.sqrt(2 * spread)) for u in (away, half))
        return "normal", p, smallest
    ways = Counter({0: 1})
    for case in mixed:
        ways = _summed(ways, orders_by_pairs(len(case), case.count(True)))
    total = sum(ways.values())
    as_far = sum(count for u, count in ways.items() if abs(u - half) >= away)
    return "exact", Fraction(as_far, total), Fraction(ways[0] + ways[pairs], total)


@lru_cache(maxsize=4096)
def orders_by_pairs(n: int, hits: int) -> Counter[int]:
    """Orders by how many failures stand before passes. Run by run: the last one passed, behind all failures so far, or
    it failed. Passes and failures change places in an order read backwards, so that the fewer ones may be counted."""
    few = min(hits, n - hits)
    ways = [Counter({0: 1}), *(Counter[int]() for _ in range(few))]
    for placed in range(1, n + 1):
        for passed in range(min(few, placed), 0, -1):
            for u, count in ways[passed - 1].items():
                ways[passed][u + placed - passed] += count
    return ways[few]


def _summed(first: Counter[int], second: Counter[int]) -> Counter[int]:
    made: Counter[int] = Counter()
    for u, count in first.items():
        for v, other in second.items():
            made[u + v] += count * other
    return made


def _answers(runs: list[EvidenceRun]) -> Made:
    counted = [run for run in runs if run.recorded.answer is not None and run.state == "COMPLETE"]
    by_case: dict[str, list[EvidenceRun]] = defaultdict(list)
    for run in sorted(counted, key=lambda run: (run.sequence, run.run_id)):
        by_case[run.case].append(run)
    pairs = sum(math.comb(len(of_case), 2) for of_case in by_case.values())
    if not pairs:
        return None, counted, why(runs, "no_case_repeated" if counted else "no_record"), {"outcome": "unknown"}
    identical = copies = fast = 0
    for of_case in by_case.values():
        identical += _equal_pairs(run.recorded.answer for run in of_case)
        copies += _equal_pairs(
            (known.answer, known.tokens, known.duration)
            for known in (run.recorded for run in of_case)
            if known.tokens is not None and known.duration is not None
        )
        longest: dict[str | None, Fraction] = {}
        for known in (run.recorded for run in of_case if run.recorded.event == "execution"):
            if known.duration is not None:
                fast += known.answer in longest and 10 * known.duration <= longest[known.answer]
                longest[known.answer] = max(Fraction(known.duration), longest.get(known.answer, Fraction(0)))
    signs = {
        "declared": sum(run.recorded.is_cached for run in counted),
        "without_tokens": sum(run.recorded.tokens == 0 for run in counted),
        "fast": fast,
        "copies": copies,
    }
    spent = [(run.recorded.tokens, run.recorded.duration) for run in counted]
    is_recorded = all(any(value is not None for value in column) for column in zip(*spent, strict=True))
    outcome = _reading_of(any(signs.values()), is_recorded)
    detail = {"outcome": outcome, "pairs": pairs, "identical": identical} | signs
    return Fraction(identical, pairs), counted, None, detail


def _equal_pairs(values: Iterable[object]) -> int:
    return sum(math.comb(count, 2) for count in Counter(values).values())


def _judge(runs: list[EvidenceRun]) -> Made:
    counted = [run for run in runs if len(run.recorded.verdicts) > 1]
    if not counted:
        return None, counted, why(runs, "judged_once"), {"outcome": "unknown"}
    pairs = sum(math.comb(len(run.recorded.verdicts), 2) for run in counted)
    agree = sum(_equal_pairs(run.recorded.verdicts) for run in counted)
    detail = {"outcome": _reading_of(agree < pairs, True), "pairs": pairs, "agree": agree}
    return Fraction(agree, pairs), counted, None, detail


def _independent(cases: list[list[bool]], ordered: list[bool], levels: Levels) -> _Checked:
    k, n = len(cases), len(ordered)
    rate = Fraction(ordered.count(True), n)
    if k == 1 or k == n or rate in (0, 1):
        reason = "single_case" if k == 1 else "no_case_repeated" if k == n else "no_outcome_varies"
        return None, reason, {"outcome": "unknown"}
    rates = [Fraction(case.count(True), len(case)) for case in cases]
    apart, inside = Fraction(0), Fraction(0)
    for case, own in zip(cases, rates, strict=True):
        apart += len(case) * (own - rate) ** 2
        inside += len(case) * own * (1 - own)
    between, within = apart / (k - 1), inside / (n - k)
    size = Fraction(sum(len(case) ** 2 for case in cases), n)
    usual = (n - size) / (k - 1)
    correlation = (between - within) / (between + (usual - 1) * within)
    effect = max(Fraction(1), 1 + (size - 1) * correlation)
    effective = n / effect
    make = {"wilson": wilson, "clopper_pearson": clopper_pearson}[levels.interval]
    low, high = make(float(rate * effective), float(effective), float(1 - levels.alpha)) or (0.0, 1.0)
    detail = {
        "outcome": _reading_of(effect >= _LARGE_EFFECT, True),
        "cases": k,
        "correlation": correlation,
        "design_effect": effect,
        "low": low,
        "high": high,
        "verdict": "pass" if low >= levels.theta else "fail" if high < levels.theta else "inconclusive",
    }
    return effective, None, detail
