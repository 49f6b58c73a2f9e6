"""SWE-agent: folders are variants, exits of the agent and of its environment, verdicts out of a report."""

from pathlib import Path

import pytest

from generator.model.runs import ModelTurn, ToolCall
from tests.read.importers.support import imported, refused
from tests.support.foreign import write_json
from tests.support.foreign_others import write_trajectory


def test_a_trajectory(tmp_path: Path) -> None:
    (run,) = imported("swe-agent", write_trajectory(tmp_path, "gpt4__t-0.00", "repo__1")).runs
    assert (run.run_id, run.case_id, run.state) == ("a-batch/gpt4__t-0.00/repo__1", "repo__1", "COMPLETE")
    assert run.trace == [
        ModelTurn(),
        ToolCall(tool="ls", call_id="step-0", arguments={"command": "ls -F"}, result="a.py", duration_ms=250.0),
        ModelTurn(),
        ToolCall(tool="submit", call_id="step-1", arguments={"command": "submit"}),
    ]
    assert run.context is not None
    assert [(entry.region, entry.text) for entry in run.context.entries] == [
        ("instruction", "SETTING: a shell"),
        ("data", "Fix the bug"),
    ]
    assert (run.answer, run.extra) == ("diff --git a b", {})
    assert run.usage is not None
    assert (run.usage.prompt_tokens, run.usage.cost_usd) == (100, 1.2)


@pytest.mark.parametrize(
    ("status", "state", "reason"),
    [
        ("exit_cost", "FAILED", "exit_cost"),
        ("submitted (exit_context)", "FAILED", "exit_context"),
        ("exit_format", "FAILED", "exit_format"),
        ("exit_environment_error", "INVALID", "harness_error"),
        ("exit_api", "INVALID", "harness_error"),
        (None, "INVALID", "harness_error"),
    ],
)
def test_exits(tmp_path: Path, status: str | None, state: str, reason: str) -> None:
    (run,) = imported("swe-agent", write_trajectory(tmp_path, "f", "c", status=status)).runs
    assert (run.state, run.reason) == (state, reason)


def test_folders_are_variants_and_a_report_gives_the_verdict(tmp_path: Path) -> None:
    files = [write_trajectory(tmp_path, folder, case) for folder in ("one", "two") for case in ("a", "b")]
    report = write_json(tmp_path / "one" / "report.json", {"resolved_ids": ["b"]})
    batch = imported("swe-agent", *files, report)
    assert {(run.variant, run.case_id): run.extra.get("passed") for run in batch.runs} == {
        ("one", "a"): False,
        ("one", "b"): True,
        ("two", "a"): None,
        ("two", "b"): None,
    }
    assert "report.json" in {file.name for file in batch.batch.provenance.files}


def test_a_replay_measures_nothing(tmp_path: Path) -> None:
    stats = {"instance_cost": 0, "tokens_sent": 0, "tokens_received": 0}
    info = {"exit_status": "submitted", "submission": "x", "model_stats": stats}
    assert imported("swe-agent", write_trajectory(tmp_path, "f", "c", info=info)).runs[0].usage is None


def test_another_shape(tmp_path: Path) -> None:
    assert [f.code for f in refused("swe-agent", write_json(tmp_path / "x.traj", {"history": []}))] == ["RC502"]
