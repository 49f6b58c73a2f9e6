from typing import Any

import pytest

from generator.model.runs import ModelTurn, Timing, ToolCall, Usage
from tests.judge.reference import judge


def test_turns_count_model_entries() -> None:
    assertion = judge({}, {}, trace=[ModelTurn(), ToolCall(tool="a"), ToolCall(tool="b"), ModelTurn()])["avg_turns"]
    assert (assertion.outcome, assertion.value) == ("value", 2)
    assert assertion.detail == {"model_calls": 2, "tool_calls": 2}


def test_zero_is_a_value() -> None:
    zero = Usage(prompt_tokens=0, completion_tokens=0, estimated=True)
    assertions = judge({}, {}, trace=[], usage=zero, timing=Timing(duration_ms=0))
    assert [assertions[metric].value for metric in ("avg_turns", "avg_tokens", "duration_p50", "duration_p95")] == [
        0
    ] * 4
    assert assertions["avg_tokens"].detail == {"prompt_tokens": 0, "completion_tokens": 0, "estimated": True}


@pytest.mark.parametrize(
    ("metric", "changes", "reason"),
    [
        ("avg_turns", {"trace": None}, "trace_not_recorded"),
        ("avg_turns", {"trace": [ToolCall(tool="a")]}, "model_calls_not_recorded"),
        ("avg_tokens", {"usage": None}, "usage_not_recorded"),
        ("avg_tokens", {"usage": Usage(prompt_tokens=5)}, "usage_not_recorded"),
        ("avg_tokens", {"usage": Usage(completion_tokens=5)}, "usage_not_recorded"),
        ("duration_p50", {"timing": None}, "duration_not_recorded"),
        ("duration_p95", {"timing": Timing(censored="missing")}, "duration_not_recorded"),
    ],
)
def test_absent_records_are_null_with_a_reason(metric: str, changes: dict[str, Any], reason: str) -> None:
    assertion = judge({}, {}, **changes)[metric]
    assert (assertion.outcome, assertion.value, assertion.reason) == ("value", None, reason)


def test_a_capped_duration_stays() -> None:
    timing = Timing(duration_ms=2147483647, event="queue", authority="server", censored="saturated")
    assertion = judge({}, {}, timing=timing)["duration_p95"]
    assert assertion.value == 2147483647
    assert assertion.detail == {"event": "queue", "authority": "server", "censored": "saturated"}


@pytest.mark.parametrize(
    ("extra", "outcome", "reason"),
    [
        ({"reward": 1}, "hit", None),
        ({"reward": 1.0000005}, "hit", None),
        ({"reward": 0.99}, "miss", None),
        ({"reward": 2}, "miss", None),
        ({"reward": None}, "miss", "no_reward"),
        ({"reward": None, "passed": True}, "hit", None),
        ({"passed": True}, "hit", None),
        ({"passed": False}, "miss", None),
        ({"passed": None}, "not_applicable", "not_recorded"),
        ({"reward": "1"}, "not_applicable", "not_recorded"),
        ({"reward": True}, "not_applicable", "not_recorded"),
        ({}, "not_applicable", "not_recorded"),
    ],
)
def test_verdict_of_the_harness(extra: dict[str, Any], outcome: str, reason: str | None) -> None:
    assertion = judge({}, {}, extra=extra)["task_pass_rate"]
    assert (assertion.outcome, assertion.reason) == (outcome, reason)
