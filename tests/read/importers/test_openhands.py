"""OpenHands: nothing of nothing is no pass, errors of the grader, files of single instances."""

from pathlib import Path
from typing import Any

import pytest

from generator.model.runs import ModelTurn, ToolCall
from tests.read.importers.support import imported, refused
from tests.support.foreign import write_json
from tests.support.foreign_others import openhands_row, write_lines


def test_an_instance(tmp_path: Path) -> None:
    batch = imported("openhands", write_lines(tmp_path / "output.jsonl", openhands_row()), date=None)
    (run,) = batch.runs
    assert (run.run_id, run.state, run.extra, run.answer) == (
        "a-batch/output/task-1/0",
        "COMPLETE",
        {"reward": 1},
        "Done.",
    )
    assert run.trace is not None
    assert [type(step) for step in run.trace] == [ModelTurn, ToolCall, ModelTurn, ToolCall]
    call = run.trace[1]
    assert isinstance(call, ToolCall)
    assert (call.tool, call.arguments, call.result, call.status) == ("execute_bash", {"command": "ls"}, "a.txt", "ok")
    assert run.usage is not None
    assert (run.usage.prompt_tokens, run.usage.cost_usd) == (90, 0.2)
    assert run.config.effective == {
        "harness": "openhands",
        "model": "gpt-4o",
        "sampling": {"temperature": 0.0},
        "dataset": "d",
        "limits": {"max_iterations": 100},
    }


@pytest.mark.parametrize(
    ("changes", "state", "reason", "extra"),
    [
        ({"test_result": {"final_score": {"total": 0, "result": 0}}}, "COMPLETE", None, {"reward": None}),
        ({"test_result": {"final_score": {"total": 4, "result": 1}}}, "COMPLETE", None, {"reward": 0.25}),
        ({"test_result": {"error": "grader: SECRET"}, "error": "grader"}, "INVALID", "harness_error", {}),
        ({"error": "RateLimitError: 429"}, "INVALID", "rate_limited", {"reward": 1}),
        ({"error": "Agent reached maximum iteration"}, "FAILED", "max_steps", {"reward": 1}),
        ({"error": "AgentStuckInLoopError"}, "FAILED", "max_steps", {"reward": 1}),
        ({"test_result": {"report": {"resolved": True}}}, "COMPLETE", None, {"passed": True}),
        ({"test_result": {}}, "COMPLETE", None, {}),
    ],
)
def test_states(tmp_path: Path, changes: dict[str, Any], state: str, reason: str | None, extra: dict[str, Any]) -> None:
    (run,) = imported("openhands", write_lines(tmp_path / "o.jsonl", openhands_row(**changes)), date=None).runs
    assert (run.state, run.reason, run.extra) == (state, reason, extra)


def test_an_instance_that_stands_twice_is_two_repeats(tmp_path: Path) -> None:
    path = write_lines(tmp_path / "o.jsonl", openhands_row(), openhands_row("b"), openhands_row())
    runs = imported("openhands", path, date=None).runs
    assert [(run.case_id, run.repeat_index) for run in runs] == [("task-1", 0), ("b", 0), ("task-1", 1)]


def test_files_of_single_instances(tmp_path: Path) -> None:
    files = [
        write_json(tmp_path / "eval_safety-a.json", {"checkpoints": [], "final_score": {"total": 1, "result": 0}}),
        write_json(tmp_path / "eval_safety-b.json", {"error": "no attribute", "traceback": "SECRET-TRACEBACK"}),
        write_json(tmp_path / "error_x.json", {"instance_id": "safety-c", "error": "Port", "traceback": "SECRET"}),
    ]
    runs = imported("openhands", *files).runs
    assert [(run.case_id, run.state, run.trace) for run in runs] == [
        ("safety-a", "COMPLETE", None),
        ("safety-b", "INVALID", None),
        ("safety-c", "INVALID", None),
    ]


def test_another_shape(tmp_path: Path) -> None:
    assert [f.code for f in refused("openhands", write_lines(tmp_path / "o.jsonl", {"x": 1}, {"y": 2}))] == ["RC502"]
    nameless = openhands_row() | {"instance_id": None}
    assert [f.code for f in refused("openhands", write_lines(tmp_path / "o.jsonl", nameless))] == ["RC503"]
