"""What verdicts and intervals take for granted of the runs of a variant, held against the runs.

Each detail has an `outcome`: `doubtful` where the runs speak against it, `holds` where they could have and do not,
`unknown` where they cannot tell.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import combinations
from typing import Literal

from generator.aggregate.made import Detail, Made
from generator.model.formatting import exact, published_float
from generator.model.publication import Thresholds
from generator.model.rows import RunRow
from generator.stats.clustering import clustering, interval_of_rate
from generator.stats.drift import drift_within_cases

_SPENT = ("tokens", "duration_ms")

Outcome = Literal["holds", "doubtful", "unknown"]

LARGE_DESIGN_EFFECT = Fraction(3, 2)
"""From here on a standard error is too small by more than a fifth."""
FAST = Fraction(1, 10)
"""Of the time that the same answer took before: a repeat that took no longer was hardly computed."""


def judged(metric: str, runs: Iterable[RunRow]) -> list[tuple[RunRow, bool]]:
    """The runs to which a ratio applies, in the order in which they were executed, and whether they hit."""
    found = []
    for run in sorted(runs, key=lambda run: (run.sequence, run.run_id)):
        assertion = run.assertions.get(metric)
        if assertion is not None and assertion.outcome in ("hit", "miss"):
            found.append((run, assertion.outcome == "hit"))
    return found


def order_drift(metric: str, levels: Thresholds, runs: Sequence[RunRow]) -> Made:
    """The value is the p-value of a drift."""
    ordered = judged(metric, runs)
    counted = tuple(run for run, _ in ordered)
    found = drift_within_cases(_by_case(ordered).values())
    if found is None:
        return _unknown(counted, "no_valid_runs" if not runs else "no_case_with_both" if ordered else "not_judged")
    half = len(ordered) // 2
    alpha = exact(levels.alpha)
    detail: Detail = {
        "outcome": _outcome(found.p_value < alpha, found.smallest < alpha),
        "method": found.method,
        "cases": found.cases,
        "pairs": found.pairs,
        "later": found.later,
        "smallest_p": published_float(found.smallest),
        "first_hits": sum(hit for _, hit in ordered[:half]),
        "first_runs": half,
        "second_hits": sum(hit for _, hit in ordered[half:]),
        "second_runs": len(ordered) - half,
    }
    return Made(exact(published_float(found.p_value)), counted, None, detail)


def identical_answers(runs: Sequence[RunRow]) -> Made:
    """The value is the share of pairs of complete runs of one case with the same answer, word for word: failed runs end
    alike, and at once, without anything being reused."""
    counted = tuple(run for run in runs if run.recorded.answer is not None and run.state == "COMPLETE")
    by_case: dict[str, list[RunRow]] = defaultdict(list)
    for run in sorted(counted, key=lambda run: (run.sequence, run.run_id)):
        by_case[run.case_id].append(run)
    pairs = [pair for of_case in by_case.values() for pair in combinations(of_case, 2)]
    if not pairs:
        return _unknown(counted, "no_valid_runs" if not runs else "no_case_repeated" if counted else "no_record")
    same = [(first, second) for first, second in pairs if first.recorded.answer == second.recorded.answer]
    signs = {
        "declared": sum(run.recorded.is_cached for run in counted),
        "without_tokens": sum(run.recorded.tokens == 0 for run in counted),
        "fast": len({second.run_id for first, second in same if _is_fast(first, second)}),
        "copies": sum(_is_copy(first, second) for first, second in same),
    }
    is_recorded = all(any(getattr(run.recorded, name) is not None for run in counted) for name in _SPENT)
    detail: Detail = {
        "outcome": _outcome(any(signs.values()), is_recorded),
        "pairs": len(pairs),
        "identical": len(same),
        **signs,
    }
    return Made(Fraction(len(same), len(pairs)), counted, None, detail)


def effective_runs(metric: str, levels: Thresholds, runs: Sequence[RunRow]) -> Made:
    """The value is how many independent runs the judged ones are worth."""
    ordered = judged(metric, runs)
    counted = tuple(run for run, _ in ordered)
    outcomes = _by_case(ordered)
    found = clustering((sum(hits), len(hits)) for hits in outcomes.values())
    if found is None:
        return _unknown(counted, _why_no_clustering(runs, outcomes))
    passed = sum(hit for _, hit in ordered)
    rate = Fraction(passed, len(ordered))
    low, high = interval_of_rate(rate, found.effective, 1 - exact(levels.alpha), levels.interval)
    theta = exact(levels.theta)
    detail: Detail = {
        "outcome": _outcome(found.design_effect >= LARGE_DESIGN_EFFECT, True),
        "cases": found.cases,
        "correlation": published_float(found.correlation),
        "design_effect": published_float(found.design_effect),
        "low": published_float(low),
        "high": published_float(high),
        "verdict": "pass" if low >= theta else "fail" if high < theta else "inconclusive",
    }
    return Made(exact(published_float(found.effective)), counted, None, detail)


def judge_agreement(runs: Sequence[RunRow]) -> Made:
    """The value is the share of pairs of verdicts on one run that agree."""
    counted = tuple(run for run in runs if len(run.recorded.verdicts) > 1)
    if not counted:
        return _unknown(counted, "no_valid_runs" if not runs else "judged_once")
    pairs = [pair for run in counted for pair in combinations(run.recorded.verdicts, 2)]
    agree = sum(first is second for first, second in pairs)
    detail: Detail = {"outcome": _outcome(agree < len(pairs), True), "pairs": len(pairs), "agree": agree}
    return Made(Fraction(agree, len(pairs)), counted, None, detail)


def _by_case(ordered: Iterable[tuple[RunRow, bool]]) -> Mapping[str, list[bool]]:
    outcomes: dict[str, list[bool]] = defaultdict(list)
    for run, hit in ordered:
        outcomes[run.case_id].append(hit)
    return outcomes


def _outcome(is_against: bool, could_tell: bool) -> Outcome:
    return "doubtful" if is_against else "holds" if could_tell else "unknown"


def _unknown(counted: tuple[RunRow, ...], reason: str) -> Made:
    return Made(None, counted, reason, {"outcome": "unknown"})


def _why_no_clustering(runs: Sequence[RunRow], outcomes: Mapping[str, list[bool]]) -> str:
    if not outcomes:
        return "not_judged" if runs else "no_valid_runs"
    if len(outcomes) == 1:
        return "single_case"
    return "no_case_repeated" if all(len(hits) == 1 for hits in outcomes.values()) else "no_outcome_varies"


def _is_fast(first: RunRow, second: RunRow) -> bool:
    """Whether the second run of a case took a small part of the time that the same answer had taken. Times of waiting
    (a queue, an approval) say nothing."""
    before, after = first.recorded, second.recorded
    if before.duration_ms is None or after.duration_ms is None or {before.event, after.event} != {"execution"}:
        return False
    return exact(after.duration_ms) <= exact(before.duration_ms) * FAST


def _is_copy(first: RunRow, second: RunRow) -> bool:
    """Whether tokens and duration are the same as well, to the last digit."""
    one, other = first.recorded, second.recorded
    if one.tokens is None or one.duration_ms is None:
        return False
    return (one.tokens, one.duration_ms) == (other.tokens, other.duration_ms)
