"""Changes within accounting boundaries once more."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

from generator.verify.evidence import EvidenceRun
from generator.verify.levels import Levels
from generator.verify.made import DerivedDetail, Made
from generator.verify.timed import stratum_of

_UNITS = {"tokens": "tokens", "time": "ms", "cost": "usd"}
_Mean = tuple[Fraction | None, str | None]
"""The mean of what a boundary holds, and why it is not established."""


def call_tokens(runs: list[EvidenceRun]) -> Made:
    """Mean tokens of a model call, over runs that record all of theirs."""
    complete = [run for run in runs if run.timed.usage and None not in run.timed.usage]
    used = [value for run in complete for value in run.timed.usage or () if value is not None]
    if not used:
        return None, [], "no_record" if runs else "no_valid_runs", {}
    totals = [(run.recorded.tokens, sum(value or 0 for value in run.timed.usage or ())) for run in complete]
    mean, reason = _whole_runs("tokens", runs)
    detail = {
        "calls": len(used),
        "unlike_total": sum(total not in (None, of_calls) for total, of_calls in totals),
        "run": {"own_tokens": mean, "reason": reason},
    }
    return Fraction(sum(used), len(used)), complete, None, detail


def changes_within(own: list[EvidenceRun], base: list[EvidenceRun], levels: Levels) -> Made:
    """Of a variant against the baseline."""
    counted = [run for run in own + base if run.recorded.tokens is not None]
    if not own or not base:
        return None, counted, "no_valid_runs", {}
    detail: DerivedDetail = {}
    for measure, unit in _UNITS.items():
        detail[measure] = {}
        for boundary in ("call", "following", "pair", "run"):
            (ours, why), (theirs, why_base) = (_within_boundary(measure, boundary, runs) for runs in (own, base))
            reason = why or why_base or ("baseline_zero" if theirs == 0 else None)
            if (measure, boundary, reason) == ("time", "run", None) and _is_of_many(own + base, levels):
                reason = "strata_differ"
            detail[measure][boundary] = {
                f"own_{unit}": ours,
                f"baseline_{unit}": theirs,
                "relative_change": None if reason or ours is None or not theirs else ours / theirs - 1,
                "reason": reason,
            }
    whole = detail["tokens"]["run"]
    return whole["relative_change"], counted, "total_not_established" if whole["reason"] else None, detail


def _within_boundary(measure: str, boundary: str, runs: list[EvidenceRun]) -> _Mean:
    if boundary == "run":
        return _whole_runs(measure, runs)
    if measure == "cost":
        return None, "not_per_call"
    calls = [run.timed.usage if measure == "tokens" else run.timed.call_ms for run in runs]
    if any(of is None for of in calls):
        return None, "no_trace"
    held = [part for run, of in zip(runs, calls, strict=True) for part in _held(boundary, run, of or ())]
    if not held:
        return None, "no_model_call" if boundary == "call" else "no_compaction"
    values = [value for part in held for value in part]
    if None in values:
        return None, "call_missing"
    return sum(map(Fraction, values), Fraction(0)) / len(held), None


def _held(boundary: str, run: EvidenceRun, calls: Sequence[Any]) -> Iterator[list[Any]]:
    if boundary == "call":
        for value in calls:
            yield [value]
        return
    for place in run.timed.compacting:
        after = calls[place + 1 : place + 2]
        if after:
            yield [*after] if boundary == "following" else [calls[place], *after]


def _whole_runs(measure: str, runs: list[EvidenceRun]) -> _Mean:
    read = {"tokens": "tokens", "cost": "cost"}
    values: list[Any] = [
        run.timed.duration if measure == "time" else getattr(run.recorded, read[measure]) for run in runs
    ]
    known = [Fraction(value) for value in values if value is not None]
    if not known:
        return None, "total_missing"
    reason = "total_missing" if None in values else None
    if measure == "tokens" and reason is None and any(run.timed.estimated for run in runs):
        reason = "estimated"
    return sum(known, Fraction(0)) / len(known), reason


def _is_of_many(runs: list[EvidenceRun], levels: Levels) -> bool:
    """Whether the times of these runs, all of which have one, are not of one thing."""
    cut: dict[str, bool] = {}
    for run in runs:
        timed = run.timed
        key = stratum_of(timed.authority, timed.event, run.state)
        is_cut = timed.censored == "saturated" or timed.duration in levels.times["caps_ms"]
        cut[key] = cut.get(key, False) or is_cut
    return any(
        len(found) > 1
        for found in ({key.split("-")[0] for key in cut}, {key.split("-")[1] for key in cut}, set(cut.values()))
    )
