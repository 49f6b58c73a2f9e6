"""τ-bench: what each shape of a record becomes."""

import json
from pathlib import Path
from typing import Any

import pytest

from generator.model.runs import ModelTurn, ToolCall
from tests.read.importers.support import imported, refused, tool_calls
from tests.support.foreign import POLICY, tau_calls, tau_error, tau_record, write_json

NAMED = "tool-calling-{model}-0.0_range_0--1_user-{user}-llm_0920134328"


def write(folder: Path, records: Any, stem: str = "model-a-airline") -> Path:
    return write_json(folder / f"{stem}.json", records)


def test_a_run_keeps_what_the_harness_recorded(tmp_path: Path) -> None:
    (run,) = imported("tau-bench", write(tmp_path, [tau_record(3, 2)])).runs

    assert (run.run_id, run.case_id, run.repeat_index) == ("a-batch/model-a-airline/3/2", "3", 2)
    assert (run.state, run.reason, run.sequence) == ("COMPLETE", None, 1)
    assert run.trace == [
        ModelTurn(),
        ToolCall(tool="get_booking", call_id="c1", arguments={"id": 77}, status="ok", result='{"fee": 30}'),
        ModelTurn(),
    ]
    assert run.answer == "Cancelled; the fee is 30."
    assert run.extra == {"reward": 1.0, "r_actions": 1.0, "user_cost_usd": 0.25}
    assert run.context is not None
    assert [(entry.id, entry.region, entry.trusted) for entry in run.context.entries] == [
        ("system", "instruction", True),
        ("user-1", "data", True),
        ("user-2", "data", True),
    ]
    assert run.context.entries[0].text == POLICY


def test_files_of_one_name_have_other_ids_in_another_batch(tmp_path: Path) -> None:
    path = write(tmp_path, [tau_record(3, 0), tau_record(3, 1)], "results")
    ids = [[run.run_id for run in imported("tau-bench", path, batch=batch).runs] for batch in ("may", "june")]
    assert ids == [["may/results/3/0", "may/results/3/1"], ["june/results/3/0", "june/results/3/1"]]


def test_telemetry_is_absent_not_zero(tmp_path: Path) -> None:
    (run,) = imported("tau-bench", write(tmp_path, [tau_record()])).runs
    assert run.usage is None
    assert run.timing is None


@pytest.mark.parametrize("reward", [0.0, 1.0, 0.66, None])
def test_rewards_stay_as_they_are(tmp_path: Path, reward: float | None) -> None:
    (run,) = imported("tau-bench", write(tmp_path, [tau_record(reward=reward)])).runs
    assert run.state == "COMPLETE"
    assert run.extra["reward"] == reward


def test_nothing_graded_at_the_step_cap_is_a_failure(tmp_path: Path) -> None:
    record = tau_record(reward=0.0, info={"reward_info": None})
    (run,) = imported("tau-bench", write(tmp_path, [record])).runs
    assert (run.state, run.reason) == ("FAILED", "max_steps")


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        ("litellm.RateLimitError: RateLimitError: slow down", "rate_limited"),
        ("KeyError: the tool said RateLimit", "harness_error"),
        ("", "harness_error"),
    ],
)
def test_an_attempt_that_raised_is_invalid(tmp_path: Path, error: str, reason: str) -> None:
    batch = imported("tau-bench", write(tmp_path, [tau_record(0), tau_error(1, 0, error)]))
    run = batch.runs[1]
    assert (run.state, run.reason) == ("INVALID", reason)
    assert (run.trace, run.context, run.answer) == (None, None, None)
    assert run.config == batch.runs[0].config


def test_malformed_arguments_stay_text(tmp_path: Path) -> None:
    record = tau_record(traj=[tau_calls(("a", "book", '{"id": 7'), ("b", "book", "[1]"), ("c", "book", ""))])
    (run,) = imported("tau-bench", write(tmp_path, [record])).runs
    assert [call.arguments for call in tool_calls(run)] == ['{"id": 7', [1], ""]


def test_results_go_to_their_call_though_ids_repeat(tmp_path: Path) -> None:
    def result(text: str) -> dict[str, str]:
        return {"role": "tool", "tool_call_id": "same", "content": text}

    record = tau_record(
        traj=[
            tau_calls(("same", "first", "{}"), ("same", "second", "{}")),
            result("one"),
            result("Error: two"),
            tau_calls(("same", "third", "{}"), ("other", "fourth", "{}")),
            result("three"),
            result("stray"),
        ]
    )
    (run,) = imported("tau-bench", write(tmp_path, [record])).runs

    assert [(call.tool, call.status, call.result, call.error) for call in tool_calls(run)] == [
        ("first", "ok", "one", None),
        ("second", "error", None, "Error: two"),
        ("third", "ok", "three", None),
        ("fourth", "error", None, "no result recorded"),
    ]
    assert run.extra["stray_tool_results"] == 1


def test_the_variant_is_the_file_with_all_that_its_name_says(tmp_path: Path) -> None:
    first = write(tmp_path, [tau_record()], NAMED.format(model="gpt-4.1-mini", user="gpt-4.1"))
    second = write(tmp_path, [tau_record()], NAMED.format(model="grok-3", user="grok-3"))
    batch = imported("tau-bench", first, second)

    assert batch.experiment.independent_variable == "file"
    assert [(variant.id, variant.name.en) for variant in batch.experiment.variants] == [
        ("gpt-4-1-mini", "gpt-4.1-mini"),
        ("grok-3", "grok-3"),
    ]
    assert batch.experiment.variants[1].value == {
        "name": second.stem,
        "agent": {"implementation": "tool-calling"},
        "model": "grok-3",
        "sampling": {"temperature": 0.0},
        "user_simulator": {"implementation": "llm", "llm": "grok-3"},
    }
    assert batch.differs == []


def test_comparing_models_tells_that_the_user_simulator_differs_too(tmp_path: Path) -> None:
    first = write(tmp_path, [tau_record()], NAMED.format(model="gpt-4.1-mini", user="gpt-4.1"))
    second = write(tmp_path, [tau_record()], NAMED.format(model="grok-3", user="grok-3"))
    batch = imported("tau-bench", first, second, variant="model")
    assert batch.differs == ["user_simulator.llm"]
    assert [variant.value for variant in batch.experiment.variants] == ["gpt-4.1-mini", "grok-3"]


def test_a_renamed_file_has_no_model_to_compare(tmp_path: Path) -> None:
    (finding,) = refused("tau-bench", write(tmp_path, [tau_record()]), variant="model")
    assert (finding.code, finding.place.file) == ("RC505", "model-a-airline.json")
    assert finding.expected == "one of environment_info, environment_info.policy, harness"


def test_the_same_model_twice_is_told_apart_by_the_files(tmp_path: Path) -> None:
    names = [NAMED.format(model="m", user="u") + suffix for suffix in ("", "_again")]
    batch = imported("tau-bench", *(write(tmp_path, [tau_record()], name) for name in names))
    ids = [variant.id for variant in batch.experiment.variants]
    assert len(set(ids)) == 2
    assert {run.variant for run in batch.runs} == set(ids)


def test_a_run_recorded_twice_is_refused_with_both_places(tmp_path: Path) -> None:
    path = write(tmp_path, [tau_record(0, 0), tau_record(1, 0), tau_record(0, 0, 0.0)])
    (finding,) = refused("tau-bench", path)
    assert finding.code == "RC504"
    assert (finding.place.file, finding.place.field) == (path.name, "[2]")
    assert finding.found == "another at model-a-airline.json [0] (case 0, repeat 0)"


@pytest.mark.parametrize(("keep", "reward"), [("first", 1.0), ("last", 0.0)])
def test_of_two_the_wanted_one_is_kept(tmp_path: Path, keep: str, reward: float) -> None:
    path = write(tmp_path, [tau_record(0, 0, 1.0), tau_record(1, 0), tau_record(0, 0, 0.0)])
    batch = imported("tau-bench", path, duplicates=keep)
    assert len(batch.runs) == 2
    assert next(run for run in batch.runs if run.case_id == "0").extra["reward"] == reward
    assert len(batch.batch.notes) == 1


def test_the_day_must_be_given(tmp_path: Path) -> None:
    (finding,) = refused("tau-bench", write(tmp_path, [tau_record()]), date=None)
    assert finding.code == "RC506"
    assert "--date YYYY-MM-DD" in finding.remedy


@pytest.mark.parametrize(
    "changes", [{"task_id": None}, {"task_id": True}, {"trial": None}, {"trial": -1}, {"trial": "0"}]
)
def test_a_run_that_cannot_be_placed_is_named(tmp_path: Path, changes: dict[str, Any]) -> None:
    (finding,) = refused("tau-bench", write(tmp_path, [tau_record(), tau_record() | changes]))
    (field,) = changes
    assert (finding.code, finding.place.field) == ("RC503", f"[1].{field}")


@pytest.mark.parametrize(
    ("content", "found"),
    [
        ({}, "an object"),
        ({"simulations": []}, "an object with simulations as `tau2-bench` writes it"),
        ([1], "a list of other things than objects"),
        ("text", "a text"),
        (None, "nothing"),
    ],
)
def test_another_format_is_one_finding(tmp_path: Path, content: Any, found: str) -> None:
    (finding,) = refused("tau-bench", write(tmp_path, content))
    assert (finding.code, finding.place.file, finding.found) == ("RC502", "model-a-airline.json", found)


def test_all_findings_of_all_files_are_told(tmp_path: Path) -> None:
    first = write(tmp_path, [tau_record() | {"task_id": None}, tau_record() | {"trial": None}], "first")
    codes = [finding.code for finding in refused("tau-bench", first, write(tmp_path, {}, "second"))]
    assert codes == ["RC503", "RC503", "RC502"]


def test_different_prompts_within_a_file_are_no_configuration(tmp_path: Path) -> None:
    records = [tau_record(0), tau_record(1)]
    records[1]["traj"][0]["content"] = POLICY + "with examples"
    batch = imported("tau-bench", write(tmp_path, records))
    assert "environment_info" not in batch.runs[0].config.effective
    assert len(batch.batch.notes) == 1


def test_absent_cells_are_skipped_with_a_reason(tmp_path: Path) -> None:
    first = write(tmp_path, [tau_record(0, 0), tau_record(0, 1), tau_record(1, 0)], "first-airline")
    second = write(tmp_path, [tau_record(0, 0)], "second-airline")
    batch = imported("tau-bench", first, second).batch
    assert batch.planned.cases == ["0", "1"]
    assert batch.planned.repeats == 2
    assert [(cell.case, cell.variant, cell.repeat_index, cell.reason) for cell in batch.skipped] == [
        ("0", "second-airline", 1, "not_planned"),
        ("1", "first-airline", 1, "not_run"),
        ("1", "second-airline", 0, "not_planned"),
        ("1", "second-airline", 1, "not_planned"),
    ]


def test_the_bank_is_named_after_the_domain_of_the_policy(tmp_path: Path) -> None:
    bank = imported("tau-bench", write(tmp_path, [tau_record(10), tau_record(9)], "x")).bank
    assert bank.id == "tau-airline"
    assert [(case.id, case.prompt, case.gold.expected_tools) for case in bank.cases] == [
        ("9", None, None),
        ("10", None, None),
    ]


def test_foreign_numbers_and_surrogates_can_be_written_again(tmp_path: Path) -> None:
    path = tmp_path / "odd-airline.json"
    text = json.dumps([tau_record()]).replace('"Cancelled; the fee is 30."', '"half \\ud83d"')
    path.write_text(text.replace("0.25", "NaN").replace('"r_actions": 1.0', '"r_actions": 1e999'), encoding="utf-8")
    (run,) = imported("tau-bench", path).runs
    assert run.answer == "half ⟦U+D83D⟧"
    assert run.extra == {"reward": 1.0}


def test_files_of_different_tasks_under_one_id_are_refused(tmp_path: Path) -> None:
    first, second = tau_record(0, 0), tau_record(0, 0)
    first["info"] = {**first["info"], "task": {"instruction": "cancel the booking"}}
    second["info"] = {**second["info"], "task": {"instruction": "return the parcel"}}
    (finding,) = refused("tau-bench", write(tmp_path, [first], "a"), write(tmp_path, [second], "b"))
    assert (finding.code, finding.place.file, finding.place.field) == ("RC508", "b.json", "tasks[id=0]")
    assert "parcel" not in str(finding)
