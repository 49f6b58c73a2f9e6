"""Turns of a trace that holds tool calls alone are unknown, and a number in their place is found."""

from typing import Any

import pytest

from generator.verify.rederive import ground_of, rederive

TOOL = {"kind": "tool", "tool": "search", "status": "ok"}


def _assertion(value: int | None, reason: str | None, detail: dict[str, Any]) -> dict[str, Any]:
    return {"outcome": "value", "value": value, "reason": reason, "detail": detail}


@pytest.mark.parametrize(
    ("trace", "assertion", "agrees"),
    [
        ([TOOL], _assertion(None, "model_calls_not_recorded", {}), True),
        ([TOOL], _assertion(0, None, {"model_calls": 0, "tool_calls": 1}), False),
        ([TOOL], _assertion(None, "trace_not_recorded", {}), False),
        ([], _assertion(0, None, {"model_calls": 0, "tool_calls": 0}), True),
        ([{"kind": "model"}, TOOL], _assertion(1, None, {"model_calls": 1, "tool_calls": 1}), True),
        ([{"kind": "model"}, TOOL], _assertion(None, "model_calls_not_recorded", {}), False),
    ],
)
def test_turns(trace: list[dict[str, Any]], assertion: dict[str, Any], agrees: bool) -> None:
    evidence = {"trace": trace, "source": {"redactions": {}}, "telemetry": {}}
    found = list(rederive("avg_turns", "telemetry", assertion, ground_of(evidence, trace_is_shown=True)))
    assert (found == []) == agrees
