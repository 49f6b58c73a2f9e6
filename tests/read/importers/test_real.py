"""Real result files against figures that another program took from them."""

import json
from collections import Counter
from math import comb
from pathlib import Path
from typing import Any

import msgspec
import pytest

from generator.model.imported import ImportedBatch
from generator.model.runs import ModelTurn, Run
from generator.read.importers import IMPORTERS, choose_files
from generator.read.importers.beginning import beginning_of
from tests.read.importers.support import DAY, imported, options, refused, tool_calls
from tests.support.shared import REAL, expected_figures

FIGURES = expected_figures()
GROK = REAL / "tau2-bench" / "grok_airline_x_policy"
EMPTY = next(
    (name for name, figures in FIGURES.items() if (figures.get("kind"), figures.get("runs")) == ("tau2", 0)), ""
)
STATES = {
    "user_stop": "COMPLETE",
    "agent_stop": "COMPLETE",
    "too_many_errors": "FAILED",
    "agent_error": "FAILED",
    "infrastructure_error": "INVALID",
}


def of_kind(kind: str) -> list[str]:
    return [name for name, figures in FIGURES.items() if figures.get("kind") == kind and figures["runs"] > 0]


def passed(runs: list[Run]) -> int:
    rewards = [run.extra.get("reward") for run in runs]
    return sum(isinstance(reward, int | float) and abs(reward - 1) <= 1e-6 for reward in rewards)


def pass_hat(runs: list[Run], k: int) -> float:
    """Mean over the cases of C(passed, k) ÷ C(runs, k), by the definition."""
    shares = []
    for case in {run.case_id for run in runs}:
        mine = [run for run in runs if run.case_id == case]
        shares.append(comb(passed(mine), k) / comb(len(mine), k))
    return sum(shares) / len(shares)


def check_calls(batch: ImportedBatch, by_name: dict[str, int], errors: int) -> None:
    calls = [call for run in batch.runs for call in tool_calls(run)]
    assert Counter(call.tool for call in calls) == by_name
    assert sum(call.status == "error" for call in calls) == errors


@pytest.mark.parametrize("name", of_kind("tau"))
def test_tau_bench(name: str) -> None:
    figures = FIGURES[name]
    batch = imported("tau-bench", REAL / name)
    runs = batch.runs

    assert len(runs) == len({run.run_id for run in runs}) == figures["runs"]
    assert len(batch.bank.cases) == figures["cases"]
    assert sorted({run.repeat_index for run in runs}) == figures["trials"]
    assert passed(runs) == figures["passed"]
    assert sum(run.extra["reward"] not in (0, 1) for run in runs) == figures["fractional_rewards"]
    assert sum(run.extra.get("r_actions") == 1 for run in runs) == figures["r_actions_one"]
    assert sum(run.state == "INVALID" for run in runs) == figures["errored_runs"]
    assert {k: pytest.approx(pass_hat(runs, int(k))) for k in figures["pass_hat_k"]} == figures["pass_hat_k"]
    assert sum(run.turns or 0 for run in runs) == figures["messages_by_role"]["assistant"]
    check_calls(batch, figures["tool_calls_by_name"], figures["tool_results_starting_with_Error"])
    costs = [cost for run in runs if isinstance(cost := run.extra.get("user_cost_usd"), int | float)]
    assert len(costs) == figures["runs_with_user_cost"]
    assert sum(costs) == pytest.approx(figures["user_cost_total"])
    assert {(run.usage, run.timing) for run in runs} == {(None, None)}


@pytest.mark.parametrize("name", of_kind("tau2"))
def test_tau2_bench(name: str) -> None:
    figures = FIGURES[name]
    batch = imported("tau2-bench", REAL / name, date=None)
    runs = batch.runs

    assert len({run.run_id for run in runs}) == len(runs) == figures["runs"]
    assert len({run.case_id for run in runs}) == figures["cases"]
    states: Counter[str] = Counter()
    for termination, count in figures["termination_reasons"].items():
        states[STATES[termination]] += count
    assert Counter(run.state for run in runs) == states
    assert passed(runs) == figures["passed"]
    assert sum(run.extra["reward"] is None for run in runs) == figures["runs_without_reward"]
    check_calls(batch, figures["tool_calls_by_name"], figures["tool_errors"])
    planned = len(batch.batch.planned.cases) * batch.batch.planned.repeats
    assert len(batch.batch.skipped) == planned - figures["runs"]
    if figures["planned_tasks"] is not None:
        assert planned == figures["planned_tasks"] * figures["planned_trials"]


@pytest.mark.parametrize("name", of_kind("tau2"))
def test_telemetry_of_tau2_bench(name: str) -> None:
    figures = FIGURES[name]
    runs = imported("tau2-bench", REAL / name, date=None).runs
    usages = [run.usage for run in runs if run.usage is not None]
    turns = [step for run in runs for step in run.trace or [] if isinstance(step, ModelTurn)]

    assert sum(usage.prompt_tokens or 0 for usage in usages) == figures["assistant_prompt_tokens"]
    assert sum(usage.completion_tokens or 0 for usage in usages) == figures["assistant_completion_tokens"]
    assert len(turns) == figures["assistant_messages_with_usage"]
    assert sum(usage.cost_usd or 0 for usage in usages) == pytest.approx(figures["agent_cost_total"])
    durations = [
        run.timing.duration_ms for run in runs if run.timing is not None and run.timing.duration_ms is not None
    ]
    assert len(runs) - len(durations) == figures["duration_missing"]
    assert sum(durations) == pytest.approx(figures["duration_total"] * 1000, abs=0.0005 * len(runs))


def test_an_agent_without_a_user_says_nothing_but_stop() -> None:
    """Each of the 20 runs ends with a message of `###STOP###`, its only text."""
    (path,) = (REAL / "tau2-bench" / "gpt41_telecom_solo_4trials").glob("*.json")
    runs = imported("tau2-bench", path, date=None).runs
    assert (len(runs), {run.answer for run in runs}) == (20, {None})
    assert all(isinstance((run.trace or [])[-1], ModelTurn) for run in runs)


@pytest.mark.parametrize("model", ["grok-3", "grok-4"])
def test_one_agent_under_two_policies(model: str) -> None:
    paths = sorted(GROK.glob(f"*_{model}_user_*.json"))
    batch = imported("tau2-bench", *paths, variant="environment_info", date=None)
    assert [variant.id for variant in batch.experiment.variants] == ["airline", "airline_tighter_policy"]
    assert batch.differs == []
    figures = FIGURES["_experiments"]["tau2-bench/grok_airline_x_policy"]
    for domain in ("airline", "airline_tighter_policy"):
        mine = [run for run in batch.runs if run.variant == domain]
        (key,) = (name for name in figures["variants"] if name.startswith(f"xai/{model} @ {domain} #"))
        assert {"runs": len(mine), "passed": passed(mine)} == figures["variants"][key]
        by_case = figures["passed_per_case"]
        for case, expected in by_case.items():
            of_case = [run for run in mine if run.case_id == case]
            assert [passed(of_case), len(of_case)] == expected[key]


def test_four_files_are_four_variants_and_tell_what_else_differs() -> None:
    batch = imported("tau2-bench", *sorted(GROK.glob("*.json")), variant="environment_info", date=None)
    assert len(batch.experiment.variants) == 4
    assert batch.differs == ["model", "user_simulator.llm"]


def test_two_agents_with_the_same_retail_tasks() -> None:
    batch = imported("tau-bench", *sorted((REAL / "tau-bench").glob("tool-calling-*.json")))
    assert [variant.id for variant in batch.experiment.variants] == ["gpt-4-1-mini", "grok-3"]
    assert (batch.bank.id, batch.batch.skipped) == ("tau-retail", [])


def test_duplicates_and_an_attempt_that_raised() -> None:
    name = "derived-edge/tau-bench_duplicate_and_error.json"
    figures = FIGURES[name]
    assert [finding.code for finding in refused("tau-bench", REAL / name)] == ["RC504"] * figures[
        "pairs_recorded_twice"
    ]
    runs = imported("tau-bench", REAL / name, duplicates="first").runs
    assert len(runs) == figures["distinct_case_trial_pairs"]
    invalid = [run for run in runs if run.state == "INVALID"]
    assert (len(invalid), invalid[0].reason) == (figures["errored_runs"], "rate_limited")


@pytest.mark.parametrize(
    ("name", "code"),
    [
        (EMPTY, "RC507"),
        ("tau2-bench/tau3_dir_format", "RC501"),
    ],
)
def test_files_without_runs(name: str, code: str) -> None:
    assert [finding.code for finding in refused("tau2-bench", REAL / name)] == [code]


def test_the_folder_of_tau3() -> None:
    """Three runs of ticks, which hold no messages and no verdict."""
    batch = imported("tau2-bench", REAL / "tau2-bench" / "tau3_dir_format" / "results.json", date=None)
    assert sorted(run.case_id for run in batch.runs) == ["20", "40", "98"]
    assert {run.state for run in batch.runs} == {"COMPLETE"}
    assert all("reward" not in run.extra and run.trace is None for run in batch.runs)
    assert len(batch.batch.provenance.files) == 4


@pytest.mark.parametrize(
    "path", sorted((REAL / "derived-edge").iterdir()) if FIGURES else [], ids=lambda path: path.name
)
@pytest.mark.parametrize("harness", sorted(IMPORTERS))
def test_edge_files_never_raise(harness: str, path: Path) -> None:
    batch, findings = IMPORTERS[harness]([path], options(duplicates="first"))
    assert (batch is None) == bool(findings)
    assert len(findings) <= 1
    assert all(finding.place.file == path.name for finding in findings)


def secrets_of(content: dict[str, Any]) -> set[str]:
    """Longer texts of tasks and verdicts: user scripts, gold, assertions, guidelines."""
    found: set[str] = {content["info"]["user_info"]["global_simulation_guidelines"]}

    def collect(value: Any) -> None:
        if isinstance(value, dict):
            for item in value.values():
                collect(item)
        elif isinstance(value, list):
            for item in value:
                collect(item)
        elif isinstance(value, str) and len(value) > 40:
            found.add(value)

    collect(content["tasks"])
    for simulation in content["simulations"]:
        collect((simulation["reward_info"] or {}).get("nl_assertions"))
    return found


@pytest.mark.parametrize("path", sorted(GROK.glob("*.json")), ids=lambda path: path.name[:26])
def test_scripts_and_gold_are_in_nothing_that_is_imported(path: Path) -> None:
    batch = imported("tau2-bench", path, date=None)
    written = msgspec.json.encode(batch).decode()
    secrets = secrets_of(json.loads(path.read_text(encoding="utf-8")))
    assert len(secrets) > 10
    assert [secret[:30] for secret in secrets if json.dumps(secret, ensure_ascii=False)[1:-1] in written] == []


INSPECT_STATES = {"CancelledError": "CANCELLED"}


@pytest.mark.parametrize("name", of_kind("insp"))
def test_inspect(name: str) -> None:
    figures = FIGURES[name]
    batch = imported("inspect", REAL / name, date=None if figures["status"] else DAY)
    runs = batch.runs

    assert len({run.run_id for run in runs}) == len(runs) == figures["runs"]
    assert len({run.case_id for run in runs}) == figures["cases"]
    assert sorted({run.repeat_index + 1 for run in runs}) == figures["epochs"]
    states: Counter[str] = Counter()
    for word, count in figures["error_first_words"].items():
        states[INSPECT_STATES.get(word, "INVALID")] += count
    states["FAILED"] = sum(figures["limit_types"].values())
    states["COMPLETE"] = len(runs) - states.total()
    assert Counter(run.state for run in runs) == +states
    assert sum(run.extra.get("reward") == 1 for run in runs) == figures["passed_first_scorer"]
    assert sum("error_retries" in run.extra for run in runs) == figures["runs_with_error_retries"]
    assert Counter(call.tool for run in runs for call in tool_calls(run)) == figures["tool_calls_by_name"]
    usages = [run.usage for run in runs if run.usage is not None]
    model = figures["model"]
    assert sum(usage.prompt_tokens or 0 for usage in usages) == figures["model_usage"].get(f"{model}:input_tokens", 0)
    durations = [run.timing.duration_ms or 0 for run in runs if run.timing is not None]
    assert len(runs) - len(durations) == figures["runs_without_total_time"]
    assert sum(durations) == pytest.approx(figures["total_time_sum"] * 1000)
    check_headline(batch, figures["reported_metrics"])


def check_headline(batch: ImportedBatch, metrics: dict[str, float]) -> None:
    """What Inspect states, and that the importer knows why it may differ."""
    for own in batch.batch.published_aggregates:
        assert float(own.stated or own.value) == pytest.approx(metrics[own.name or ""])
        verdicts = [run.extra["reward"] for run in batch.runs if run.validity == "valid" and "reward" in run.extra]
        agrees = own.value == f"{passed(batch.runs) / max(len(verdicts), 1):.12g}"
        assert agrees or own.reasons


@pytest.mark.parametrize("kind", ["insp"])
def test_headers_alone_are_refused(kind: str) -> None:
    empty = [name for name, figures in FIGURES.items() if figures.get("kind") == kind and figures["runs"] == 0]
    assert empty
    for name in empty:
        assert [finding.code for finding in refused("inspect", REAL / name)] == ["RC507"]


def test_three_models_ten_cases_five_epochs() -> None:
    folder = REAL / "inspect" / "log-set2_3models_10x5"
    batch = imported("inspect", *sorted(folder.glob("*.eval")), date=None)
    figures = FIGURES["_experiments"]["inspect/log-set2_3models_10x5"]
    assert batch.experiment.independent_variable == "model"
    models = {variant.id: str(variant.value) for variant in batch.experiment.variants}
    for variant, model in models.items():
        mine = [run for run in batch.runs if run.variant == variant]
        assert {"runs": len(mine), "passed": passed(mine)} == figures["variants"][model]
        for case, expected in figures["passed_per_case"].items():
            of_case = [run for run in mine if run.case_id == case]
            assert [passed(of_case), len(of_case)] == expected[model]


@pytest.mark.parametrize("name", [*of_kind("pfoo"), *of_kind("pfoo_jsonl")])
def test_promptfoo(name: str) -> None:
    figures = FIGURES[name]
    batch = imported("promptfoo", REAL / name)
    runs = batch.runs
    reasons = figures["failureReason"]

    assert len({run.run_id for run in runs}) == len(runs) == figures["runs"]
    assert sum(run.extra["passed"] is True for run in runs) == figures["success"]
    assert sum(run.state == "INVALID" for run in runs) == reasons.get("2", 0)
    assert sum(run.reason == "rate_limited" for run in runs) == figures.get("rate_limit_rows", 0)
    if figures["kind"] == "pfoo":
        cells = Counter((run.variant, run.case_id) for run in runs)
        assert len(cells) == figures["provider_prompt_case_cells"]
        assert {str(repeats): count for repeats, count in Counter(cells.values()).items()} == figures[
            "repeats_per_cell"
        ]
        assert len(batch.bank.cases) == figures["distinct_vars"]
        usages = [run.usage for run in runs if run.usage is not None]
        assert sum(usage.cached for usage in usages) == figures["cached_rows"]
        stats = figures["stats"]
        stated = [own.numerator or 0 for own in batch.batch.published_aggregates]
        assert sum(stated) == stats["successes"]


@pytest.mark.parametrize(
    "name", [name for name in FIGURES if name.startswith("derived-edge/promptfoo") and "latency" not in name]
)
def test_promptfoo_in_other_encodings(name: str) -> None:
    figures = FIGURES[name]
    batch = imported("promptfoo", REAL / name)
    assert len(batch.runs) == figures["rows"]
    assert sum(run.extra["passed"] is True for run in batch.runs) == figures["success"]
    assert all("other_runs" in own.reasons for own in batch.batch.published_aggregates)


@pytest.mark.parametrize("name", [name for name in FIGURES if name.endswith("latency_extremes.jsonl")])
def test_promptfoo_with_odd_latencies(name: str) -> None:
    figures = FIGURES[name]
    assert [finding.code for finding in refused("promptfoo", REAL / name)] == ["RC504"]
    runs = imported("promptfoo", REAL / name, duplicates="first").runs
    assert len(runs) == figures["distinct_ids"]
    assert sum(run.timing is not None for run in runs) == figures["usable_latencies"]


@pytest.mark.parametrize("name", of_kind("lm_samples"))
def test_lm_eval(name: str) -> None:
    figures = FIGURES[name]
    batch = imported("lm-eval", REAL / name, date=None)
    assert len(batch.runs) == figures["runs"]
    assert len({run.case_id for run in batch.runs}) == figures["distinct_doc_ids"]
    for metric, mean in figures["metric_means"].items():
        values = [scores[metric] for run in batch.runs if isinstance(scores := run.extra["scores"], dict)]
        assert sum(float(str(value)) for value in values) / len(values) == pytest.approx(mean)
    (own,) = batch.batch.published_aggregates
    assert float(own.value) == figures["metric_means"]["bleu_acc"]


@pytest.mark.parametrize("name", [name for name, of in FIGURES.items() if of.get("kind") == "lm_results"])
def test_aggregates_of_lm_eval_without_samples(name: str) -> None:
    if "truthfulqa" in name:
        assert len(imported("lm-eval", REAL / name, date=None).runs) == 20
        return
    (finding,) = refused("lm-eval", REAL / name)
    assert (finding.code, finding.place.file) == ("RC507", Path(name).name)


OWN_FOLDERS = {
    "tau-bench": "tau-bench",
    "tau2-bench": "tau2-bench",
    "inspect": "inspect",
    "promptfoo": "promptfoo",
    "lm-eval": "lm-eval",
}
NO_RESULTS = (".xml", ".csv", ".txt")


def result_files(folder: str) -> list[Path]:
    return sorted(path for path in (REAL / folder).rglob("*") if path.is_file() and path.suffix not in NO_RESULTS)


@pytest.mark.parametrize(
    ("harness", "path"),
    [(harness, path) for harness, folder in OWN_FOLDERS.items() for path in result_files(folder)],
    ids=lambda value: value.name if isinstance(value, Path) else value,
)
def test_every_file_is_told_and_imported_or_one_finding(harness: str, path: Path) -> None:
    chosen, findings = choose_files(list(IMPORTERS.values()), None, [path])
    if chosen is not None:
        assert chosen.importer.harness.id == harness
        batch, findings = chosen.importer(chosen.files, options(duplicates="first"))
        assert (batch is None) == bool(findings)
        if batch is not None:
            assert msgspec.json.decode(msgspec.json.encode(list(batch.runs)))
    assert len(findings) <= 1
    assert all(finding.place.file == path.name for finding in findings)


@pytest.mark.parametrize("harness", sorted(OWN_FOLDERS))
def test_files_of_one_harness_are_not_taken_for_those_of_another(harness: str) -> None:
    for path in result_files(OWN_FOLDERS[harness]):
        beginning = beginning_of(path)
        able = [name for name, importer in IMPORTERS.items() if importer.recognises(beginning)]
        assert able in ([harness], [])
