"""Numbers on recorded times once more: strata of runs and of tool calls, shares within thresholds."""

import math
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from generator.verify.batches import NOT_GIVEN
from generator.verify.evidence import EvidenceRun
from generator.verify.exact import quantile
from generator.verify.levels import Levels
from generator.verify.made import DerivedDetail
from generator.verify.names import number_id, variant_name
from generator.verify.recompute import Batch, Recomputed
from generator.verify.result import VerifyResult
from generator.verify.timed import NOT_KNOWN, stratum_of

TIMES = ("time_strata_runs", "time_strata_calls", "time_within")
_INT32_MAX = 2**31 - 1
_LEVELS = {"q1": 25, "p50": 50, "q3": 75, "p90": 90, "p95": 95, "p99": 99}

_Time = tuple[str, Any, bool]
"""Stratum, ms (None where it is missing), whether it was cut off."""


def check_time_settings(place: str, times: dict[str, Any], metrics: dict[str, Any], result: VerifyResult) -> None:
    """Thresholds ascend; among the caps is that of 32-bit integers, and those that the metric table names."""
    for name in ("thresholds_ms", "caps_ms"):
        result.compare("settings of times", place, f"times.{name}", times[name], sorted(set(times[name])))
    named = {_INT32_MAX} | {row["saturates_at"] for row in metrics.values() if row["unit"] == "ms"} - {None}
    result.compare("settings of times", place, "caps that are left out", sorted(named - set(times["caps_ms"])), [])


@dataclass(frozen=True)
class TimeDerivation:
    """Recomputes the numbers on times of one batch."""

    batch: Batch
    levels: Levels

    def needed(self, operation: str, metric: str) -> list[str]:
        """Ids of the numbers that the batch must have."""
        parts: list[str | None] = [None]
        if operation == "time_within":
            parts = [f"within-{threshold}" for threshold in self._thresholds()]
        names = [variant_name(variant) for variant in self.batch.head["grid"]["variants"]]
        return [number_id(self.batch.head["id"], name, metric, part) for name in names for part in parts]

    def recompute(
        self, number: dict[str, Any], operation: str, result: VerifyResult
    ) -> tuple[Recomputed, DerivedDetail]:
        runs = [run for run in self.batch.runs if run.variant == number["variant"]]
        valid = [run for run in runs if run.validity == "valid"]
        made = Recomputed()
        for run in runs:
            if run.validity != "valid":
                made.excluded.setdefault(f"{run.validity}:{run.reason or NOT_GIVEN}", set()).add(run.run_id)
        if operation == "time_within":
            detail = self._within(number, valid, made, result)
        else:
            detail = self._strata(operation, valid, made)
        made.runs = made.runs or set()
        made.denominator = len(made.runs)
        made.missing = {run.run_id for run in valid} - made.runs
        if made.value is None:
            made.reason = "no_record" if valid else "no_valid_runs"
        elif len(made.runs) < self.batch.head["threshold"]:
            made.marks = ["small_n"]
        return made, detail

    def _thresholds(self) -> list[int]:
        """Of a comparison, if they are configured or a duration is missing."""
        valid = (run for run in self.batch.runs if run.validity == "valid")
        is_read = self.levels.times["thresholds_configured"] or any(run.timed.duration is None for run in valid)
        return self.levels.times["thresholds_ms"] if is_read and self.batch.head["kind"] == "comparison" else []

    def _run_times(self, runs: Iterable[EvidenceRun]) -> list[_Time]:
        found: list[_Time] = []
        for run in runs:
            value = run.timed.duration
            is_cut = value is not None and (run.timed.censored == "saturated" or value in self.levels.times["caps_ms"])
            found.append((stratum_of(run.timed.authority, run.timed.event, run.state), value, is_cut))
        return found

    def _strata(self, operation: str, valid: list[EvidenceRun], made: Recomputed) -> DerivedDetail:
        times = self._run_times(valid)
        made.runs = {run.run_id for run in valid if run.timed.duration is not None}
        if operation == "time_strata_calls":
            caps = self.levels.times["caps_ms"]
            times = [(key, value, value in caps) for run in valid for key, value in run.timed.calls]
            made.runs = {run.run_id for run in valid if any(value is not None for _, value in run.timed.calls)}
        if not made.runs:
            return {}
        groups: dict[str, list[_Time]] = defaultdict(list)
        for time in times:
            groups[time[0]].append(time)
        made.value = Fraction(len(groups))
        kept = [time for time in times if not time[2]]
        return {
            "unit": "run" if operation == "time_strata_runs" else "tool_call",
            "differs": _differs(groups),
            "strata": {key: _parts_of(key) | _summary_of(of) for key, of in groups.items()},
            "pooled": _summary_of(times),
            "sensitivity": _summary_of(kept) if len(kept) < len(times) else None,
        }

    def _within(
        self, number: dict[str, Any], valid: list[EvidenceRun], made: Recomputed, result: VerifyResult
    ) -> DerivedDetail:
        known = {f"within-{threshold}": threshold for threshold in self._thresholds()}
        made.numerator_runs = set()
        if number["slice"] not in known:
            result.differ(number["id"], "number", number["value"], "none: no such threshold")
            return {}
        threshold = known[number["slice"]]
        times = self._run_times(valid)
        observed = {
            run.run_id: value
            for run, (_, value, is_cut) in zip(valid, times, strict=True)
            if value is not None and (value > threshold or not is_cut)
        }
        made.runs = set(observed)
        made.numerator_runs = {run_id for run_id, duration in observed.items() if duration <= threshold}
        made.numerator = len(made.numerator_runs)
        if observed:
            made.value = Fraction(made.numerator, len(observed))
        groups: dict[str, list[_Time]] = defaultdict(list)
        for time in times:
            groups[time[0]].append(time)
        if not valid:
            return {}
        return {
            "threshold_ms": threshold,
            "pooled": _shares_within([time for of in groups.values() for time in of], threshold),
            "strata": {key: _shares_within(of, threshold) for key, of in groups.items()},
        }


def _parts_of(key: str) -> dict[str, str | None]:
    authority, event, state = key.split("-")
    known = {"authority": authority, "event": event}
    return {name: None if value == NOT_KNOWN else value for name, value in known.items()} | {"state": state}


def _differs(groups: dict[str, list[_Time]]) -> list[str]:
    """In what the strata that have values differ; in censoring also those that have none."""
    valued = [key.split("-") for key, of in groups.items() if any(value is not None for _, value, _ in of)]
    censored = {
        (any(is_cut for _, _, is_cut in of), any(value is None for _, value, _ in of)) for of in groups.values()
    }
    kinds = {
        "authority": len({key[0] for key in valued}),
        "event": len({key[1] for key in valued}),
        "censoring": len(censored),
    }
    return [name for name, found in kinds.items() if found > 1]


def _summary_of(times: list[_Time]) -> dict[str, Any]:
    values = sorted(Fraction(value) for _, value, _ in times if value is not None)
    n = len(values)
    summary: dict[str, Any] = {
        "n": n,
        "missing": len(times) - n,
        "zero": values.count(Fraction(0)),
        "saturated": sum(is_cut for _, _, is_cut in times),
        "min_ms": values[0] if n else None,
        **{f"{name}_ms": quantile(values, Fraction(level, 100)) if n else None for name, level in _LEVELS.items()},
        "max_ms": values[-1] if n else None,
        "mean_ms": sum(values, Fraction(0)) / n if n else None,
        "s_ms": None,
    }
    if n > 1:
        first, second = sum(values, Fraction(0)), sum((value * value for value in values), Fraction(0))
        summary["s_ms"] = math.sqrt((n * second - first * first) / (n * (n - 1)))
    return summary


def _shares_within(times: list[_Time], threshold: int) -> dict[str, Any]:
    """A value that was cut off at or below the threshold may be any larger one, and so says nothing."""
    values = [value for _, value, _ in times if value is not None]
    cut = sum(is_cut and value is not None and value <= threshold for _, value, is_cut in times)
    count, n = sum(value <= threshold for value in values) - cut, len(values) - cut
    highest = count + len(times) - n
    return {
        "count": count,
        "high_count": highest,
        "n": n,
        "missing": len(times) - len(values),
        "cut": cut,
        "all": len(times),
        "observed": Fraction(count, n) if n else None,
        "low": Fraction(count, len(times)) if times else None,
        "high": Fraction(highest, len(times)) if times else None,
    }
