"""Times by authority, event and terminal state: of runs, and of tool calls."""

from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from generator.aggregate.made import Detail, Ground, Made
from generator.model.formatting import published_float
from generator.model.rows import RunRow
from generator.model.timed import stratum_key
from generator.stats.summary import Summary, is_saturated, summarise


@dataclass(frozen=True, slots=True)
class Time:
    """One record of time, ms. `is_cut`: the value is where its record ends."""

    authority: str | None
    event: str | None
    state: str
    value: int | float | None
    is_cut: bool

    @property
    def key(self) -> str:
        return stratum_key(self.authority, self.event, self.state)


def run_strata(ground: Ground, variant: str) -> Made:
    """The durations of the valid runs of a variant."""
    runs = ground.runs[variant]
    timed = tuple(row for row in runs if row.timed.duration_ms is not None)
    times = list(run_times(runs, ground.source.time_caps))
    return _made("run", times, timed, runs)


def call_strata(ground: Ground, variant: str) -> Made:
    """The times of the tool calls of the valid runs of a variant; the number rests on runs with such a time."""
    runs = ground.runs[variant]
    timed = tuple(row for row in runs if any(call.duration_ms is not None for call in row.timed.calls))
    return _made("tool_call", list(call_times(runs, ground.source.time_caps)), timed, runs)


def run_times(runs: Sequence[RunRow], caps: Collection[float]) -> Iterator[Time]:
    """One a run; a run without a record of time has one without a value."""
    for row in runs:
        timed, value = row.timed, row.timed.duration_ms
        is_cut = value is not None and (timed.censored == "saturated" or is_saturated(value, caps))
        yield Time(timed.authority, timed.event, row.state.lower(), value, is_cut)


def call_times(runs: Sequence[RunRow], caps: Collection[float]) -> Iterator[Time]:
    """One a tool call."""
    for row in runs:
        for call in row.timed.calls:
            value = call.duration_ms
            is_cut = value is not None and is_saturated(value, caps)
            yield Time(call.authority, call.event, call.state, value, is_cut)


def by_stratum(times: Sequence[Time]) -> dict[str, list[Time]]:
    """In the order of the names of the strata."""
    groups: dict[str, list[Time]] = defaultdict(list)
    for time in times:
        groups[time.key].append(time)
    return dict(sorted(groups.items()))


def _made(unit: str, times: list[Time], timed: tuple[RunRow, ...], runs: Sequence[RunRow]) -> Made:
    if not timed:
        return Made(None, (), "no_record" if runs else "no_valid_runs")
    groups = by_stratum(times)
    strata = {key: _stratum(of) for key, of in groups.items()}
    whole = [time for time in times if not time.is_cut]
    detail: Detail = {
        "unit": unit,
        "differs": differing(groups),
        "strata": strata,
        "pooled": _summary(times),
        "sensitivity": None if len(whole) == len(times) else _summary(whole),
    }
    return Made(Fraction(len(strata)), timed, None, detail)


def differing(groups: dict[str, list[Time]]) -> list[str]:
    """In what the strata differ, so that a pooled value is no value of one thing."""
    valued = [of[0] for of in groups.values() if any(time.value is not None for time in of)]
    censored = {(any(t.is_cut for t in of), any(t.value is None for t in of)) for of in groups.values()}
    differs = {
        "authority": len({time.authority for time in valued}) > 1,
        "event": len({time.event for time in valued}) > 1,
        "censoring": len(censored) > 1,
    }
    return [name for name, is_so in differs.items() if is_so]


def _stratum(times: list[Time]) -> Detail:
    first = times[0]
    return {"authority": first.authority, "event": first.event, "state": first.state} | _summary(times)


def _summary(times: list[Time]) -> Detail:
    return summary_detail(summarise([time.value for time in times], sum(time.is_cut for time in times)))


def summary_detail(found: Summary) -> Detail:
    """Names carry the unit: the values are in ms."""
    values: dict[str, Fraction | float | None] = {
        "min_ms": found.minimum,
        **{f"{name}_ms": value for name, value in found.quantiles.items()},
        "max_ms": found.maximum,
        "mean_ms": found.mean,
        "s_ms": found.deviation,
    }
    counts: Detail = {"n": found.n, "missing": found.missing, "zero": found.zero, "saturated": found.saturated}
    return counts | {name: None if value is None else published_float(value) for name, value in values.items()}
