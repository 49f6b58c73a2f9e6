"""Tokens, time and cost within an accounting boundary: one call, a compaction with the call after it, the whole run."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from generator.aggregate.made import Detail, Ground, Made
from generator.aggregate.strata import by_stratum, differing, run_times
from generator.model.formatting import exact, published_float
from generator.model.rows import RunRow

Value = int | float | None
Rows = Sequence[RunRow]


@dataclass(frozen=True, slots=True)
class Measure:
    """`of_calls`: what each model call of a run took, None without a trace. `of_run`: what the run took. `unit` ends
    the names of values."""

    unit: str
    of_calls: Callable[[RunRow], Sequence[Value] | None] | None
    of_run: Callable[[RunRow], Value]


MEASURES: dict[str, Measure] = {
    "tokens": Measure("tokens", lambda row: row.timed.usage, lambda row: row.recorded.tokens),
    "time": Measure("ms", lambda row: row.timed.call_ms, lambda row: row.timed.duration_ms),
    "cost": Measure("usd", None, lambda row: row.recorded.cost_usd),
}
BOUNDARIES = ("call", "following", "pair", "run")


@dataclass(frozen=True, slots=True)
class Mean:
    """The mean within a boundary, of `n` of them; or why it is not established."""

    mean: Fraction | None
    n: int
    reason: str | None


def tokens_per_call(ground: Ground, variant: str) -> Made:
    """The mean of the tokens of a model call, over runs that record those of each of their calls."""
    runs = ground.runs[variant]
    complete = tuple(row for row in runs if row.timed.usage and None not in row.timed.usage)
    used = [value for row in complete for value in row.timed.usage or () if value is not None]
    if not used:
        return Made(None, (), "no_record" if runs else "no_valid_runs")
    unlike = sum(row.recorded.tokens not in (None, sum_of(row.timed.usage)) for row in complete)
    detail: Detail = {"calls": len(used), "unlike_total": unlike, "run": _published(_of_runs(runs, MEASURES["tokens"]))}
    return Made(Fraction(sum(used), len(used)), complete, None, detail)


def boundary_change(ground: Ground, variants: tuple[str, ...]) -> Made:
    """Relative change against the baseline within each boundary; the value is that of tokens over whole runs."""
    own, base = (ground.runs[variant] for variant in variants)
    counted = tuple(row for row in (*own, *base) if row.recorded.tokens is not None)
    if not own or not base:
        return Made(None, counted, "no_valid_runs")
    detail: Detail = {name: _changes(name, measure, own, base, ground) for name, measure in MEASURES.items()}
    found = _change(*(_of_runs(rows, MEASURES["tokens"]) for rows in (own, base)))
    return Made(found[0], counted, None if found[1] is None else "total_not_established", detail)


def sum_of(values: Sequence[int | None] | None) -> int:
    return sum(value or 0 for value in values or ())


def _changes(name: str, measure: Measure, own: Rows, base: Rows, ground: Ground) -> Detail:
    found: Detail = {}
    for boundary in BOUNDARIES:
        ours, theirs = (_mean(boundary, measure, rows) for rows in (own, base))
        change, reason = _change(ours, theirs)
        groups = by_stratum(list(run_times([*own, *base], ground.source.time_caps)))
        if name == "time" and boundary == "run" and reason is None and differing(groups):
            change, reason = None, "strata_differ"
        found[boundary] = {
            f"own_{measure.unit}": None if ours.mean is None else published_float(ours.mean),
            f"baseline_{measure.unit}": None if theirs.mean is None else published_float(theirs.mean),
            "relative_change": None if change is None else published_float(change),
            "reason": reason,
        }
    return found


def _change(own: Mean, base: Mean) -> tuple[Fraction | None, str | None]:
    reason = own.reason or base.reason
    if own.mean is None or base.mean is None or reason is not None:
        return None, reason
    return (own.mean / base.mean - 1, None) if base.mean else (None, "baseline_zero")


def _mean(boundary: str, measure: Measure, rows: Rows) -> Mean:
    if boundary == "run":
        return _of_runs(rows, measure)
    if measure.of_calls is None:
        return Mean(None, 0, "not_per_call")
    calls = [measure.of_calls(row) for row in rows]
    if None in calls:
        return Mean(None, 0, "no_trace")
    parts = [part for row, of in zip(rows, calls, strict=True) for part in _parts(boundary, row, of or ())]
    if not parts:
        return Mean(None, 0, "no_model_call" if boundary == "call" else "no_compaction")
    values = [exact(value) for part in parts for value in part if value is not None]
    if len(values) < sum(map(len, parts)):
        return Mean(None, 0, "call_missing")
    return Mean(sum(values, Fraction(0)) / len(parts), len(parts), None)


def _parts(boundary: str, row: RunRow, calls: Sequence[Value]) -> Iterator[Sequence[Value]]:
    """The calls that each instance of a boundary holds."""
    if boundary == "call":
        yield from ((value,) for value in calls)
        return
    for place in row.timed.compacting:
        if place + 1 < len(calls):
            yield calls[place + 1 : place + 2] if boundary == "following" else calls[place : place + 2]


def _of_runs(rows: Rows, measure: Measure) -> Mean:
    values = [exact(value) for row in rows if (value := measure.of_run(row)) is not None]
    if not values:
        return Mean(None, 0, "total_missing")
    reason = "total_missing" if len(values) < len(rows) else None
    if measure.unit == "tokens" and reason is None and any(row.timed.estimated for row in rows):
        reason = "estimated"
    return Mean(sum(values, Fraction(0)) / len(values), len(values), reason)


def _published(found: Mean) -> Detail:
    return {"own_tokens": None if found.mean is None else published_float(found.mean), "reason": found.reason}
