"""What a batch records of how its telemetry came to be: the measurement contract, held against the runs."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence

import msgspec

from generator.model.metrics import Metric
from generator.model.rows import RunRow

Runs = Sequence[RunRow]
Reading = Callable[[RunRow], str | None]


class FieldSeen(msgspec.Struct, frozen=True, kw_only=True):
    """A field of the contract in the valid runs of a batch. `values`: what was recorded → in how many runs, by value;
    `unresolved`: runs that do not say. Nothing is filled in for them."""

    values: dict[str, int]
    unresolved: int


class Measured(msgspec.Struct, frozen=True, kw_only=True):
    """A telemetry metric in the valid runs of all variants: how many have a value, how many none, and what is recorded
    of the fields of its contract that a run can record."""

    metric: str
    valid: int
    recorded: int
    missing: int
    fields: dict[str, FieldSeen]


def measured(metrics: Iterable[Metric], rows: Iterable[RunRow]) -> list[Measured]:
    """One a metric with a contract, in the order of the table."""
    valid = [row for row in rows if row.validity == "valid"]
    return [_measured(metric, valid) for metric in metrics if metric.contract is not None]


def _measured(metric: Metric, valid: Runs) -> Measured:
    values = (row.assertions[metric.id].value for row in valid if metric.id in row.assertions)
    recorded = sum(value is not None for value in values)
    fields = {name: _seen(reading, valid) for name, reading in FIELDS.get(metric.unit, {}).items()}
    return Measured(metric=metric.id, valid=len(valid), recorded=recorded, missing=len(valid) - recorded, fields=fields)


def _seen(reading: Reading, valid: Runs) -> FieldSeen:
    found = Counter(reading(row) for row in valid)
    unresolved = found.pop(None, 0)
    return FieldSeen(values={str(value): found[value] for value in sorted(found, key=str)}, unresolved=unresolved)


def _calls_timed(row: RunRow) -> str | None:
    """Of tool calls; a run without a trace does not say whether there were any."""
    return None if row.timed.usage is None else _share([call.duration_ms for call in row.timed.calls])


def _calls_used(row: RunRow) -> str | None:
    return None if row.timed.usage is None else _share(row.timed.usage)


def _share(values: Sequence[int | float | None]) -> str | None:
    known = sum(value is not None for value in values)
    if not values:
        return "no_call"
    return "every_call" if known == len(values) else "some_calls" if known else None


def _used(row: RunRow) -> str | None:
    if row.timed.estimated is None:
        return None
    return "harness_estimate" if row.timed.estimated else "model_service"


def _state(row: RunRow) -> str:
    return row.state.lower()


FIELDS: dict[str, dict[str, Reading]] = {
    "ms": {
        "clock": lambda row: "start_and_end" if row.timed.is_clocked else None,
        "reporting_authority": lambda row: row.timed.authority,
        "end_event": lambda row: row.timed.event,
        "terminal_states": _state,
        "censoring": lambda row: row.timed.censored,
        "per_call_usage": _calls_timed,
    },
    "tokens": {"reporting_authority": _used, "terminal_states": _state, "per_call_usage": _calls_used},
    "turns": {"terminal_states": _state, "per_call_usage": _calls_used},
}
"""Unit → the fields of the contract that runs can record, and how they are read."""
