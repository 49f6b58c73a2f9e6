"""τ²-bench: what each shape of a file becomes."""

import datetime
from pathlib import Path
from typing import Any

import pytest

from generator.model.runs import ModelTurn, Timing, ToolCall, Usage
from tests.read.importers.support import imported, refused, tool_calls
from tests.support.foreign import (
    OTHER_POLICY,
    POLICY,
    tau2_calls,
    tau2_file,
    tau2_says,
    tau2_simulation,
    tau2_task,
    tau_record,
    write_json,
)


def write(folder: Path, content: Any, stem: str = "results") -> Path:
    return write_json(folder / f"{stem}.json", content)


def one_run(folder: Path, **changes: Any) -> Any:
    (run,) = imported("tau2-bench", write(folder, tau2_file([tau2_simulation(**changes)]))).runs
    return run


def test_a_run_keeps_what_the_harness_recorded(tmp_path: Path) -> None:
    run = one_run(tmp_path)

    assert (run.run_id, run.case_id, run.repeat_index, run.state) == ("sim-0-0", "0", 0, "COMPLETE")
    assert run.trace == [
        ModelTurn(prompt_tokens=100, completion_tokens=10),
        ToolCall(
            tool="get_booking", call_id="c1", arguments={"id": 77}, status="error", error="Error: no such booking"
        ),
        ModelTurn(prompt_tokens=120, completion_tokens=12),
    ]
    assert run.answer == "There is no booking 77."
    assert run.usage == Usage(prompt_tokens=220, completion_tokens=22, cost_usd=0.5)
    assert run.timing == Timing(duration_ms=1234.568)
    assert run.extra == {
        "reward": 1.0,
        "reward_communicate": 1.0,
        "reward_db": 1.0,
        "termination_reason": "user_stop",
        "seed": 11,
        "user_cost_usd": 0.125,
    }
    assert [(entry.id, entry.region) for entry in run.context.entries] == [
        ("policy", "instruction"),
        ("user-1", "data"),
        ("user-2", "data"),
    ]


def test_the_configuration_names_what_was_in_effect_and_no_more(tmp_path: Path) -> None:
    effective = one_run(tmp_path).config.effective
    guidelines = effective["user_simulator"].pop("guidelines_sha256")
    assert guidelines.startswith("sha256:")
    assert effective == {
        "harness": "tau2-bench",
        "agent": {"implementation": "llm_agent"},
        "model": "vendor/model-1",
        "sampling": {"temperature": 0.5},
        "user_simulator": {"implementation": "user_simulator", "llm": "vendor/user-1", "temperature": 0.0},
        "limits": {"max_steps": 200, "max_errors": 10},
        "seed": 300,
        "git_commit": "abc123",
        "environment_info": {"domain_name": "airline", "policy": POLICY},
    }


def test_launch_arguments_pass_by_name_and_type_alone(tmp_path: Path) -> None:
    arguments = {
        "max_tokens": 50,
        "reasoning_effort": "high",
        "seed": True,
        "api_base": "https://u:p@host",
        "top_k": "k",
    }
    content = tau2_file([tau2_simulation()], info={"agent_info": {"llm_args": arguments}})
    batch = imported("tau2-bench", write(tmp_path, content))
    assert batch.runs[0].config.effective["sampling"] == {"max_tokens": 50, "reasoning_effort": "high"}
    assert ["some launch arguments were not imported" in note.en for note in batch.batch.notes] == [True]


@pytest.mark.parametrize(
    ("termination", "state", "reason"),
    [
        ("user_stop", "COMPLETE", None),
        ("agent_stop", "COMPLETE", None),
        ("max_steps", "FAILED", "max_steps"),
        ("too_many_errors", "FAILED", "too_many_errors"),
        ("agent_error", "FAILED", "agent_error"),
        ("context_window_exceeded", "FAILED", "context_window_exceeded"),
        ("timeout", "FAILED", "timeout"),
        ("user_error", "INVALID", "harness_error"),
        ("unexpected_error", "INVALID", "harness_error"),
        ("infrastructure_error", "INVALID", "harness_error"),
    ],
)
def test_states_follow_the_reason_of_termination(
    tmp_path: Path, termination: str, state: str, reason: str | None
) -> None:
    run = one_run(tmp_path, termination_reason=termination)
    assert (run.state, run.reason) == (state, reason)


@pytest.mark.parametrize("termination", ["given_up", "", None, 3])
def test_an_unknown_termination_is_not_guessed(tmp_path: Path, termination: Any) -> None:
    path = write(tmp_path, tau2_file([tau2_simulation(termination_reason=termination)]))
    (finding,) = refused("tau2-bench", path)
    assert (finding.code, finding.place.field) == ("RC503", "simulations[0].termination_reason")
    assert "user_stop, agent_stop, max_steps" in finding.expected


def test_a_rate_limit_is_named(tmp_path: Path) -> None:
    run = one_run(
        tmp_path,
        termination_reason="infrastructure_error",
        info={"error_type": "RateLimitError", "error": "SECRET-TRACEBACK"},
        messages=[],
        reward_info=None,
        agent_cost=None,
    )
    assert (run.state, run.reason) == ("INVALID", "rate_limited")
    assert run.extra["reward"] is None
    assert run.usage is None


def test_the_fixed_greeting_is_no_call_of_the_model(tmp_path: Path) -> None:
    assert one_run(tmp_path).turns == 2
    first_by_model = one_run(tmp_path, messages=[tau2_says("Hello")])
    assert first_by_model.turns == 1


@pytest.mark.parametrize(
    ("texts", "answer"),
    [
        (["###STOP###"], None),
        (["###TRANSFER###"], None),
        (["\n ###OUT-OF-SCOPE###\n###STOP### "], None),
        (["The line works.", "###STOP###"], "The line works."),
        (["The line works.", "Goodbye. ###STOP###"], "Goodbye. ###STOP###"),
        (["###STOP###", "One more thing."], "One more thing."),
        (["###DONE###"], "###DONE###"),
        (["STOP"], "STOP"),
        (["The line works.", ""], "The line works."),
    ],
)
def test_signs_to_the_harness_are_no_answer(tmp_path: Path, texts: list[str], answer: str | None) -> None:
    run = one_run(tmp_path, messages=[tau2_says(text) for text in texts])
    assert run.answer == answer
    assert run.trace == [ModelTurn(prompt_tokens=1, completion_tokens=1)] * len(texts)


def test_a_message_without_usage_later_on_is_a_call_of_the_model(tmp_path: Path) -> None:
    messages = [tau2_says("Hello"), {"role": "assistant", "content": "cut off", "usage": None, "raw_data": None}]
    run = one_run(tmp_path, messages=messages)
    assert run.trace == [ModelTurn(prompt_tokens=1, completion_tokens=1), ModelTurn()]


def test_calls_of_the_user_are_not_the_agents(tmp_path: Path) -> None:
    messages = [
        tau2_says("Please restart."),
        tau2_calls(("u1", "reboot", {}), requestor="user"),
        {"role": "tool", "id": "u1", "requestor": "user", "content": "rebooted", "error": False},
        tau2_calls(("a1", "check", {})),
        {"role": "tool", "id": "a1", "requestor": "assistant", "content": "fine", "error": False},
    ]
    run = one_run(tmp_path, messages=messages)
    assert [call.tool for call in tool_calls(run)] == ["check"]
    assert run.extra["user_tool_calls"] == 1
    assert "stray_tool_results" not in run.extra


def test_several_results_in_one_message(tmp_path: Path) -> None:
    results = [
        {"role": "tool", "id": name, "requestor": "assistant", "content": name, "error": False} for name in ("b", "a")
    ]
    messages = [tau2_calls(("a", "one", {}), ("b", "two", {})), {"role": "tool", "tool_messages": results}]
    assert [call.result for call in tool_calls(one_run(tmp_path, messages=messages))] == ["a", "b"]


def test_an_agent_without_user_is_autonomous_and_had_the_ticket(tmp_path: Path) -> None:
    content = tau2_file([tau2_simulation()], info={"agent_info": {"implementation": "llm_agent_solo"}})
    content["tasks"] = [tau2_task("0", ticket="Line 555 is dead.")]
    (run,) = imported("tau2-bench", write(tmp_path, content)).runs
    assert run.mode == "autonomous"
    assert run.context is not None
    assert [entry.id for entry in run.context.entries][:2] == ["policy", "ticket"]


def test_planned_but_absent_runs_are_skipped(tmp_path: Path) -> None:
    content = tau2_file([tau2_simulation("b", 1)], info={"num_trials": 2})
    content["tasks"] = [tau2_task("a"), tau2_task("b")]
    batch = imported("tau2-bench", write(tmp_path, content)).batch
    assert [(cell.case, cell.repeat_index, cell.reason) for cell in batch.skipped] == [
        ("a", 0, "not_run"),
        ("a", 1, "not_run"),
        ("b", 0, "not_run"),
    ]


def test_runs_stand_in_the_order_of_their_start(tmp_path: Path) -> None:
    late = tau2_simulation("0", 0, start_time="2026-05-06T10:00:09")
    early = tau2_simulation("0", 1, start_time="2026-05-06T10:00:01")
    runs = imported("tau2-bench", write(tmp_path, tau2_file([late, early]))).runs
    assert [(run.repeat_index, run.sequence) for run in runs] == [(1, 1), (0, 2)]


def two_policies(folder: Path, **second: Any) -> tuple[Path, Path]:
    info = {"environment_info": {"domain_name": "airline_tight", "policy": OTHER_POLICY}, **second}
    other = tau2_file([tau2_simulation(id="other")], info=info)
    return write(folder, tau2_file([tau2_simulation()]), "one"), write(folder, other, "two")


def test_a_whole_object_can_be_the_variable(tmp_path: Path) -> None:
    batch = imported("tau2-bench", *two_policies(tmp_path), variant="environment_info")
    assert batch.experiment.independent_variable == "environment_info"
    assert [variant.id for variant in batch.experiment.variants] == ["airline", "airline_tight"]
    assert batch.differs == []
    assert batch.batch.model == "vendor/model-1"
    assert batch.bank.id == "tau2-airline"


def test_a_template_states_long_texts_by_their_hash(tmp_path: Path) -> None:
    batch = imported("tau2-bench", *two_policies(tmp_path), variant="environment_info")
    value = batch.experiment.variants[0].value
    assert isinstance(value, dict)
    assert value["domain_name"] == "airline"
    assert str(value["policy"]).startswith("sha256:")
    assert batch.runs[0].config.effective["environment_info"] == {"domain_name": "airline", "policy": POLICY}


def test_the_title_tells_what_all_variants_are_of(tmp_path: Path) -> None:
    """Two experiments of one harness would else have one title."""
    batch = imported("tau2-bench", *two_policies(tmp_path), variant="environment_info")
    assert batch.experiment.title.en == "τ²-bench · vendor/model-1: comparison of environment_info"
    assert batch.experiment.title.zh == "τ²-bench · vendor/model-1：比较 environment_info"


@pytest.mark.parametrize("model", ["4-of-all", "m" * 61])
def test_a_name_that_is_no_prose_stays_out_of_the_title(tmp_path: Path, model: str) -> None:
    file = tau2_file([tau2_simulation()], info={"agent_info": {"llm": model}})
    batch = imported("tau2-bench", write(tmp_path, file))
    assert batch.experiment.title.en == "τ²-bench · airline: comparison of model"


@pytest.mark.parametrize(("rewards", "is_noted"), [((0.0, 1.0, None), False), ((1.0, 0.66), True)])
def test_a_part_of_a_reward_is_noted(tmp_path: Path, rewards: tuple[float | None, ...], is_noted: bool) -> None:
    simulations = [
        tau2_simulation(id=f"s-{place}", trial=place, reward_info={"reward": reward})
        for place, reward in enumerate(rewards)
    ]
    batch = imported("tau2-bench", write(tmp_path, tau2_file(simulations)))
    notes = [note for note in batch.batch.notes if "part of the reward" in note.en]
    assert len(notes) == is_noted
    assert all("部分奖励记为未通过" in note.zh for note in notes)


def test_what_else_differs_is_told(tmp_path: Path) -> None:
    second = {"agent_info": {"llm": "vendor/model-2"}, "user_info": {"llm_args": {"temperature": 0.1}}}
    batch = imported("tau2-bench", *two_policies(tmp_path, **second), variant="environment_info")
    assert batch.differs == ["model", "user_simulator.temperature"]
    assert batch.batch.model is None


def test_equal_values_under_different_models_are_variants_of_their_own(tmp_path: Path) -> None:
    other = tau2_file([tau2_simulation(id="other")], info={"agent_info": {"llm": "vendor/model-2"}})
    paths = write(tmp_path, tau2_file([tau2_simulation()]), "one"), write(tmp_path, other, "two")
    batch = imported("tau2-bench", *paths, variant="environment_info")
    assert [variant.id for variant in batch.experiment.variants] == ["airline-vendor-model-1", "airline-vendor-model-2"]


def test_files_of_one_configuration_are_one_variant(tmp_path: Path) -> None:
    first = write(tmp_path, tau2_file([tau2_simulation("0")]), "one")
    second = write(tmp_path, tau2_file([tau2_simulation("1")]), "two")
    batch = imported("tau2-bench", first, second)
    assert [variant.id for variant in batch.experiment.variants] == ["vendor-model-1"]
    assert batch.batch.skipped == []
    assert [file.name for file in batch.batch.provenance.files] == ["one.json", "two.json"]


def test_without_a_wish_the_object_that_holds_all_differences_is_compared(tmp_path: Path) -> None:
    assert imported("tau2-bench", *two_policies(tmp_path)).experiment.independent_variable == "environment_info"


def test_without_a_wish_differences_in_several_places_are_refused(tmp_path: Path) -> None:
    (finding,) = refused("tau2-bench", *two_policies(tmp_path, agent_info={"llm": "vendor/model-2"}))
    assert finding.code == "RC505"
    assert finding.found.endswith("environment_info.domain_name, environment_info.policy, model")


def test_a_path_that_is_not_there_is_refused_with_the_paths_that_are(tmp_path: Path) -> None:
    (finding,) = refused("tau2-bench", write(tmp_path, tau2_file([tau2_simulation()])), variant="modell")
    assert finding.code == "RC505"
    assert ", model, sampling, sampling.temperature, " in finding.expected
    assert finding.remedy == "did you mean `model`? If not, name one of the paths that are there"


def test_the_same_file_twice_is_refused(tmp_path: Path) -> None:
    path = write(tmp_path, tau2_file([tau2_simulation()]))
    (finding,) = refused("tau2-bench", path, path)
    assert (finding.code, finding.place.run) == ("RC504", "sim-0-0")


def test_other_tasks_under_the_same_id_are_refused(tmp_path: Path) -> None:
    first = write(tmp_path, tau2_file([tau2_simulation()]), "one")
    second = write(tmp_path, tau2_file([tau2_simulation("0", 1)], tasks=[tau2_task("0", ticket="other")]), "two")
    (finding,) = refused("tau2-bench", first, second)
    assert (finding.code, finding.place.file, finding.place.field) == ("RC508", "two.json", "tasks[id=0]")


def test_a_grid_beyond_all_size_is_refused(tmp_path: Path) -> None:
    (finding,) = refused("tau2-bench", write(tmp_path, tau2_file([tau2_simulation(trial=10**9)])))
    assert finding.code == "RC509"


@pytest.mark.parametrize("field", ["id", "task_id", "trial"])
def test_a_run_that_cannot_be_placed_is_named(tmp_path: Path, field: str) -> None:
    broken = tau2_simulation("1")
    del broken[field]
    (finding,) = refused("tau2-bench", write(tmp_path, tau2_file([tau2_simulation(), broken], tasks=[])))
    assert (finding.code, finding.place.field) == ("RC503", f"simulations[1].{field}")


def test_a_header_without_runs_has_nothing_to_import(tmp_path: Path) -> None:
    (finding,) = refused("tau2-bench", write(tmp_path, tau2_file([], tasks=[tau2_task("0")])))
    assert (finding.code, finding.place.file) == ("RC507", "results.json")


@pytest.mark.parametrize(
    ("content", "found"),
    [
        ([{"id": 1}], "a list of other things than runs"),
        ([], "a list of other things than runs"),
        (
            {"id": "x", "ticks": []},
            "a single run of the folder format of τ³-bench, without its results.json in the folder above",
        ),
        ([tau_record()], "a list of runs as `tau-bench` writes it"),
        ({"simulations": [1]}, "simulations that are no list of objects"),
        ({}, "an object without simulations"),
        (7, "an integer"),
    ],
)
def test_other_shapes_are_one_finding_each(tmp_path: Path, content: Any, found: str) -> None:
    (finding,) = refused("tau2-bench", write(tmp_path, content))
    assert (finding.code, finding.found) == ("RC502", found)


def test_a_submission_without_info(tmp_path: Path) -> None:
    runs = [
        tau2_simulation("0", policy=POLICY),
        tau2_simulation("1", policy=None, termination_reason="infrastructure_error", messages=[], reward_info=None),
    ]
    header = {
        "domain": "airline",
        "agent": "adaptive",
        "model": "m-1",
        "total_tasks": 50,
        "passed": 49,
        "pass_rate": 98.0,
    }
    batch = imported("tau2-bench", write(tmp_path, header | {"simulations": runs}), date=None)
    assert batch.runs[0].config == batch.runs[1].config
    assert batch.runs[0].config.effective == {
        "harness": "tau2-bench",
        "agent": {"implementation": "adaptive"},
        "model": "m-1",
        "environment_info": {"domain_name": "airline", "policy": POLICY},
    }
    assert batch.batch.executed_on == datetime.date(2026, 5, 6)
    (own,) = batch.batch.published_aggregates
    assert (own.name, own.value, own.stated) == ("pass_rate", "0.98", "98.0")
    assert (own.numerator, own.denominator, own.reasons) == (49, 50, ["other_runs", "errors_counted"])


def folder_of(tmp_path: Path, *runs: Any, **changes: Any) -> Path:
    """The folder format of τ³-bench: a header, and a file for each run."""
    header = tau2_file([], **changes)
    del header["simulations"]
    (tmp_path / "simulations").mkdir()
    for run in runs:
        write_json(tmp_path / "simulations" / f"{run['id']}.json", run)
    return write_json(tmp_path / "results.json", header)


def tick_run(task: str = "7", **changes: Any) -> Any:
    run = tau2_simulation(task, ticks=[{"tick_id": 0, "agent_chunk": {"contains_speech": True}}], **changes)
    return {key: value for key, value in run.items() if key not in ("messages", "reward_info")}


def test_the_folder_of_tau3(tmp_path: Path) -> None:
    header = folder_of(tmp_path, tick_run("7"), tick_run("9", termination_reason="max_steps"))
    batch = imported("tau2-bench", header)
    assert [(run.case_id, run.state, run.trace, run.answer) for run in batch.runs] == [
        ("7", "COMPLETE", None, None),
        ("9", "FAILED", None, None),
    ]
    assert all("reward" not in run.extra and run.timing is not None for run in batch.runs)
    assert [file.name for file in batch.batch.provenance.files] == ["results.json", "sim-7-0.json", "sim-9-0.json"]
    assert batch.batch.planned.cases == ["7", "9"]


def test_a_run_of_a_folder_finds_its_header(tmp_path: Path) -> None:
    folder_of(tmp_path, tick_run("7"), tick_run("9"))
    batch = imported("tau2-bench", tmp_path / "simulations" / "sim-9-0.json")
    assert [run.case_id for run in batch.runs] == ["9"]
    assert batch.batch.model == "vendor/model-1"


def test_a_run_of_a_folder_that_cannot_be_placed_is_named_by_its_own_file(tmp_path: Path) -> None:
    (finding,) = refused("tau2-bench", folder_of(tmp_path, tick_run() | {"trial": None}))
    assert (finding.code, finding.place.file, finding.place.field) == ("RC503", "sim-7-0.json", "trial")


def test_a_header_without_its_folder_has_nothing_to_import(tmp_path: Path) -> None:
    (finding,) = refused("tau2-bench", write_json(tmp_path / "results.json", {"info": {}, "tasks": []}))
    assert (finding.code, finding.place.file) == ("RC507", "results.json")


def test_a_bare_list_is_known_by_the_name_of_its_file(tmp_path: Path) -> None:
    one = write(tmp_path, [tau2_simulation("0", policy=POLICY)], "agent-one")
    two = write(tmp_path, [tau2_simulation("0", policy=POLICY, id="other")], "agent-two")
    alone = imported("tau2-bench", one, date=None)
    assert alone.runs[0].config.effective == {
        "harness": "tau2-bench",
        "file": {"name": "agent-one"},
        "environment_info": {"policy": POLICY},
    }
    assert [variant.id for variant in alone.experiment.variants] == ["agent-one"]
    both = imported("tau2-bench", one, two)
    assert [variant.id for variant in both.experiment.variants] == ["agent-one", "agent-two"]
    assert both.differs == []


def test_the_day_comes_from_the_file_unless_it_is_given(tmp_path: Path) -> None:
    path = write(tmp_path, tau2_file([tau2_simulation()], timestamp="2026-05-05T23:59:59"))
    assert imported("tau2-bench", path, date=None).batch.executed_on == datetime.date(2026, 5, 5)
    assert imported("tau2-bench", path).batch.executed_on == datetime.date(2026, 5, 6)


def test_no_time_at_all_is_a_finding(tmp_path: Path) -> None:
    path = write(tmp_path, tau2_file([tau2_simulation(timestamp="yesterday")], timestamp=None))
    assert [finding.code for finding in refused("tau2-bench", path, date=None)] == ["RC506"]


def test_tools_that_the_file_names_are_the_catalogue(tmp_path: Path) -> None:
    definitions = [{"name": "a"}, {"type": "function", "function": {"name": "b"}}]
    content = tau2_file([tau2_simulation()], info={"environment_info": {"tool_defs": definitions}})
    batch = imported("tau2-bench", write(tmp_path, content))
    assert batch.batch.variant_catalogs == {"vendor-model-1": ["a", "b"]}
    environment = batch.runs[0].config.effective["environment_info"]
    assert isinstance(environment, dict)
    assert str(environment["tool_defs_sha256"]).startswith("sha256:")


def test_the_category_is_the_kind_in_the_id(tmp_path: Path) -> None:
    runs = [tau2_simulation("[mobile_data]off|roaming"), tau2_simulation("[Mms Issue]x"), tau2_simulation("[mms]x")]
    bank = imported("tau2-bench", write(tmp_path, tau2_file(runs))).bank
    assert [case.category for case in bank.cases] == ["mobile_data", "airline", "mms"]
    assert [category.id for category in bank.categories] == ["mobile_data", "airline", "mms"]


def test_repeated_measures_and_telemetry_choose_the_main_metrics(tmp_path: Path) -> None:
    runs = [tau2_simulation("0", trial) for trial in range(5)]
    experiment = imported("tau2-bench", write(tmp_path, tau2_file(runs))).experiment
    assert experiment.pass_metric == "task_pass_rate"
    assert experiment.main_metrics == ["task_pass_rate", "pass_hat_4", "avg_turns", "avg_tokens", "duration_p50"]
    assert experiment.schedule.method == "as_recorded"
