"""Features of a run, counted by hand."""

from typing import Any

import pytest

from generator.judge.fingerprint import FEATURES
from generator.model.runs import ModelTurn, ToolCall, Usage
from tests.judge.reference import judge

TRACE = [
    ModelTurn(),
    ToolCall(tool="a", status="error"),
    ToolCall(tool="a"),
    ToolCall(tool="b"),
    ModelTurn(),
    ToolCall(tool="a", status="denied"),
    ModelTurn(),
]
USAGE = Usage(prompt_tokens=90, completion_tokens=10)


def values(**run: Any) -> dict[str, Any]:
    assertions = judge({}, {}, **run)
    return {metric: assertions[metric].value for metric in FEATURES}


def test_each_feature_of_a_run() -> None:
    # Three model turns, four calls (aaba), an answer: eight actions. The denied call has no success after it.
    # The answer has two sentences of 9 and 3 characters that are no white space: 6 on average.
    assert values(trace=TRACE, usage=USAGE, answer="Price is 1.5. Yes") == {
        "fp_distinct_tools": 2,
        "fp_top_tool_share": 0.75,
        "fp_repeat_share": 0.25,
        "fp_steps": 7,
        "fp_depth": 2,
        "fp_width": 3,
        "fp_answer_length": 17,
        "fp_answer_complexity": 0.065,
        "fp_model_share": 0.375,
        "fp_call_share": 0.5,
        "fp_any_error": 1,
        "fp_recovered_share": 0.5,
        "fp_tokens": 100,
        "fp_tokens_per_step": 14.2857142857,
    }


def test_a_run_without_calls_and_answer_has_zeros() -> None:
    found = values(trace=[ModelTurn()], usage=USAGE, answer=None)
    assert {name for name, value in found.items() if value} == {
        "fp_steps",
        "fp_model_share",
        "fp_tokens",
        "fp_tokens_per_step",
    }


def test_a_long_sentence_is_capped() -> None:
    assert values(trace=[], answer="字" * 250 + "。")["fp_answer_complexity"] == 1


@pytest.mark.parametrize(
    ("changes", "reason", "missing"),
    [
        ({"trace": None}, "trace_not_recorded", 11),
        ({"usage": Usage(prompt_tokens=5)}, "usage_not_recorded", 2),
    ],
)
def test_what_is_not_recorded_is_missing(changes: dict[str, Any], reason: str, missing: int) -> None:
    assertions = judge({}, {}, **({"trace": TRACE, "usage": USAGE} | changes))
    found = [assertions[metric] for metric in FEATURES if assertions[metric].value is None]
    assert [assertion.reason for assertion in found] == [reason] * missing
