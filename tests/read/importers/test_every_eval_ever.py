"""Every Eval Ever: instances with and without their aggregate, conversations, several evaluations in a file."""

from pathlib import Path
from typing import Any

import msgspec
import pytest

from generator.model.runs import ModelTurn, ToolCall
from tests.read.importers.support import imported, refused
from tests.support.foreign import write_json
from tests.support.foreign_others import KEY, instance, write_lines

Record = dict[str, Any]


def aggregate(score: float = 0.5, score_type: str = "binary", **changes: Any) -> Record:
    result = {
        "evaluation_name": "gsm8k",
        "metric_config": {"lower_is_better": False, "score_type": score_type},
        "score_details": {"score": score},
        "generation_config": {"generation_args": {"temperature": 0.5, "execution_command": KEY}},
    }
    head: Record = {
        "schema_version": "0.2.1",
        "evaluation_id": "gsm8k/m/1",
        "retrieved_timestamp": "1764460800",
        "model_info": {"name": "m", "id": "org/m", "additional_details": {"key": KEY}},
        "eval_library": {"name": "inspect_ai", "version": "1"},
        "evaluation_results": [result],
    }
    return head | changes


def test_an_instance_alone(tmp_path: Path) -> None:
    (run,) = imported("every-eval-ever", write_lines(tmp_path / "a_samples.jsonl", instance())).runs
    assert (run.run_id, run.case_id, run.state, run.answer) == ("a-batch/a_samples/0", "q1", "COMPLETE", "two")
    assert run.extra == {"passed": True, "score": 1.0}
    assert run.usage is not None
    assert (run.usage.prompt_tokens, run.usage.completion_tokens) == (12, 3)
    assert run.timing is not None
    assert (run.timing.duration_ms, run.trace) == (80.5, [ModelTurn()])


def test_its_aggregate_stands_beside_it_and_gives_day_sampling_and_headline(tmp_path: Path) -> None:
    path = write_lines(tmp_path / "a_samples.jsonl", instance(), instance("q2", False))
    write_json(tmp_path / "a.json", aggregate())
    batch = imported("every-eval-ever", path, date=None)
    assert str(batch.batch.executed_on) == "2025-11-30"
    assert batch.runs[0].config.effective["target"] == {"model": "org/m", "sampling": {"temperature": 0.5}}
    (own,) = batch.batch.published_aggregates
    assert (own.name, own.value, own.reasons) == ("gsm8k", "0.5", [])
    assert {file.name for file in batch.batch.provenance.files} == {"a.json", "a_samples.jsonl"}


def test_other_scores_are_no_rate_of_passes(tmp_path: Path) -> None:
    path = write_lines(tmp_path / "a.jsonl", instance())
    write_json(tmp_path / "a.json", aggregate(0.3, "continuous"))
    assert imported("every-eval-ever", path).batch.published_aggregates == []


@pytest.mark.parametrize(
    ("changes", "state", "reason"),
    [
        ({"error": "API error 429"}, "INVALID", "rate_limited"),
        ({"error": "refused"}, "INVALID", "harness_error"),
        ({"metadata": {"state": "FAILED", "reason": "max_steps"}}, "FAILED", "max_steps"),
        ({"metadata": {"state": "FAILED", "reason": "no code"}}, "COMPLETE", None),
        ({"metadata": None}, "COMPLETE", None),
    ],
)
def test_states(tmp_path: Path, changes: Record, state: str, reason: str | None) -> None:
    (run,) = imported("every-eval-ever", write_lines(tmp_path / "a.jsonl", instance(**changes))).runs
    assert (run.state, run.reason) == (state, reason)


def test_messages_are_a_conversation(tmp_path: Path) -> None:
    call = {"id": "c", "name": "get", "arguments": {}}
    messages = [
        {"turn_idx": 0, "role": "system", "content": "Be kind"},
        {"turn_idx": 1, "role": "user", "content": "Price?"},
        {"turn_idx": 2, "role": "assistant", "content": None, "tool_calls": [call]},
        {"turn_idx": 3, "role": "tool", "content": "42", "tool_call_id": ["c"]},
        {"turn_idx": 4, "role": "assistant", "content": "It is 42."},
    ]
    row = instance(interaction_type="agentic", output=None, messages=messages)
    (run,) = imported("every-eval-ever", write_lines(tmp_path / "a.jsonl", row)).runs
    assert run.trace == [
        ModelTurn(),
        ToolCall(tool="get", call_id="c", arguments={}, result="42"),
        ModelTurn(),
    ]
    assert run.answer == "It is 42."
    assert run.context is not None
    assert [entry.region for entry in run.context.entries] == ["instruction", "data"]


def test_repeats_models_and_several_evaluations(tmp_path: Path) -> None:
    rows = [instance(), instance(), instance(evaluation_name="mmlu"), instance(model_id="org/n")]
    batch = imported("every-eval-ever", write_lines(tmp_path / "a.jsonl", *rows))
    assert [(run.variant, run.case_id, run.repeat_index) for run in batch.runs] == [
        ("org-m", "gsm8k/q1", 0),
        ("org-m", "gsm8k/q1", 1),
        ("org-m", "mmlu/q1", 0),
        ("org-n", "gsm8k/q1", 0),
    ]
    assert batch.experiment.independent_variable == "target"


def test_no_secret_is_handed_on(tmp_path: Path) -> None:
    path = write_lines(tmp_path / "a.jsonl", instance())
    write_json(tmp_path / "a.json", aggregate())
    assert "SECRET" not in msgspec.json.encode(imported("every-eval-ever", path)).decode()


def test_what_cannot_be_imported(tmp_path: Path) -> None:
    alone = write_json(tmp_path / "alone.json", aggregate())
    assert [finding.code for finding in refused("every-eval-ever", alone)] == ["RC507"]
    other = write_json(tmp_path / "other.json", {"x": 1})
    assert [finding.code for finding in refused("every-eval-ever", other)] == ["RC502"]
    nameless = write_lines(tmp_path / "n.jsonl", instance(sample_id=None))
    assert [finding.code for finding in refused("every-eval-ever", nameless)] == ["RC503"]
