"""The measurement contract held against the evidence once more."""

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

from generator.verify.evidence import EvidenceRun
from generator.verify.result import VerifyResult

_RUN_FIELDS: dict[str, dict[str, Callable[[EvidenceRun], str | None]]] = {
    "ms": {
        "clock": lambda run: "start_and_end" if run.timed.is_clocked else None,
        "reporting_authority": lambda run: run.timed.authority,
        "end_event": lambda run: run.timed.event,
        "terminal_states": lambda run: run.state.lower(),
        "censoring": lambda run: run.timed.censored,
        "per_call_usage": lambda run: _known_calls(run, [value for _, value in run.timed.calls]),
    },
    "tokens": {
        "reporting_authority": lambda run: (
            None if run.timed.estimated is None else ("model_service", "harness_estimate")[run.timed.estimated]
        ),
        "terminal_states": lambda run: run.state.lower(),
        "per_call_usage": lambda run: _known_calls(run, run.timed.usage or []),
    },
    "turns": {
        "terminal_states": lambda run: run.state.lower(),
        "per_call_usage": lambda run: _known_calls(run, run.timed.usage or []),
    },
}


def check_measurement(
    place: str, head: dict[str, Any], runs: list[EvidenceRun], metrics: dict[str, Any], result: VerifyResult
) -> None:
    """What the batch file says of each telemetry metric."""
    valid = [run for run in runs if run.validity == "valid"]
    expected = [_recorded_of(metric, valid) for metric in metrics.values() if metric["contract"] is not None]
    named = [entry["metric"] for entry in head["measurement"]]
    result.compare("measurement contracts", place, "measurement", named, [entry["metric"] for entry in expected])
    for found, made in zip(head["measurement"], expected, strict=False):
        for name in made:
            what = f"measurement of {made['metric']}, {name}"
            result.compare("measurement contracts", place, what, found[name], made[name])


def _recorded_of(metric: dict[str, Any], valid: list[EvidenceRun]) -> dict[str, Any]:
    judged = [run.assertions[metric["id"]] for run in valid if metric["id"] in run.assertions]
    recorded = sum(assertion.value is not None for assertion in judged)
    fields = {}
    for name, reading in _RUN_FIELDS.get(metric["unit"], {}).items():
        seen = Counter(reading(run) for run in valid)
        silent = seen.pop(None, 0)
        fields[name] = {"values": dict(seen), "unresolved": silent}
    return {
        "metric": metric["id"],
        "valid": len(valid),
        "recorded": recorded,
        "missing": len(valid) - recorded,
        "fields": fields,
    }


def _known_calls(run: EvidenceRun, values: Sequence[Any]) -> str | None:
    if run.timed.usage is None:
        return None
    if not values:
        return "no_call"
    unknown = sum(value is None for value in values)
    return None if unknown == len(values) else "some_calls" if unknown else "every_call"
