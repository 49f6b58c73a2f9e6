"""Real result files of further harnesses against figures that another program took from them."""

from collections import Counter
from pathlib import Path

import pytest

from generator.model.runs import ModelTurn, Run
from generator.read.importers import IMPORTERS, choose_files
from tests.read.importers.support import imported, tool_calls
from tests.support.shared import REAL, expected_figures

FIGURES = expected_figures()
HARNESSES = ("agentrial", "deepeval", "junit", "openhands", "otel-genai", "swe-agent")
OTEL = "otel-genai/generated/spans.jsonl"


def of_kind(kind: str) -> list[str]:
    return [name for name, figures in FIGURES.items() if figures.get("kind") == kind]


def passed(runs: list[Run]) -> int:
    return sum(run.extra.get("passed") is True or run.extra.get("reward") == 1 for run in runs)


@pytest.mark.parametrize("name", of_kind("agentrial"))
def test_agentrial(name: str) -> None:
    figures = FIGURES[name]
    batch = imported("agentrial", REAL / name, date=None)
    assert len(batch.runs) == figures["runs"]
    assert passed(batch.runs) == figures["passed"]
    assert sum(run.usage.cost_usd or 0 for run in batch.runs if run.usage) == pytest.approx(figures["cost_total"])
    assert sum(run.state == "INVALID" for run in batch.runs) == figures["zero_step_trials"]
    (own,) = batch.batch.published_aggregates
    assert float(own.value) == pytest.approx(figures["overall_pass_rate"])


@pytest.mark.parametrize("name", of_kind("deepeval"))
def test_deepeval(name: str) -> None:
    figures = FIGURES[name]
    batch = imported("deepeval", REAL / name)
    assert len(batch.runs) == figures["runs"]
    assert len(batch.bank.cases) == figures["cases"]
    assert passed(batch.runs) == figures["success"]
    assert sum(len(tool_calls(run)) for run in batch.runs) == figures["tool_calls"]
    times = [run.timing.duration_ms or 0 for run in batch.runs if run.timing is not None]
    assert sum(times) / 1000 == pytest.approx(figures["completion_time_total"])
    (own,) = batch.batch.published_aggregates
    assert own.numerator == figures["header"]["passed"]


@pytest.mark.parametrize("name", ["agentrial/generated", "deepeval/generated"])
def test_passes_of_each_variant_and_case(name: str) -> None:
    figures = FIGURES["_experiments"][name]
    batch = imported(name.split("/")[0], *sorted((REAL / name).glob("*.json")))
    assert len(batch.runs) == figures["runs"]
    found = {
        case: {
            variant: [
                passed([run for run in batch.runs if (run.case_id, run.variant) == (case, variant)]),
                sum((run.case_id, run.variant) == (case, variant) for run in batch.runs),
            ]
            for variant in figures["variants"]
        }
        for case in figures["passed_per_case"]
    }
    assert found == figures["passed_per_case"]


@pytest.mark.parametrize("name", of_kind("junit"))
def test_junit(name: str) -> None:
    figures = FIGURES[name]
    batch = imported("junit", REAL / name, date=None)
    states = Counter(run.state for run in batch.runs)
    recorded = figures["by_state"]
    assert [states[state] for state in ("COMPLETE", "FAILED", "INVALID")] == [
        recorded.get(kind, 0) for kind in ("passed", "failure", "error")
    ]
    assert sum(cell.reason == "not_run" for cell in batch.batch.skipped) == recorded.get("skipped", 0)
    if figures.get("variants"):
        assert [variant for variant in batch.batch.planned.variants if variant != "unnamed"] == figures["variants"]
        assert batch.batch.planned.repeats == len(figures["repeats"])


@pytest.mark.parametrize("name", [name for kind in ("otel", "otlp") for name in of_kind(kind)])
def test_spans(name: str) -> None:
    figures = FIGURES[OTEL]
    batch = imported("otel-genai", REAL / name, date=None)
    runs = batch.runs
    assert len(runs) == FIGURES[name]["traces"] == figures["runs"]
    assert len(batch.bank.cases) == figures["cases"]
    assert [variant.id for variant in batch.experiment.variants] == figures["variants"]
    assert sum(run.state != "COMPLETE" for run in runs) == figures["errored_runs"]
    assert Counter(run.reason for run in runs if run.reason) == {"rate_limited": 6, "max_steps": 6}
    assert sum("reward" in run.extra and run.extra["reward"] is not None for run in runs) == figures["scored"]
    assert passed(runs) == figures["passed"]
    by_variant = {name: passed([run for run in runs if run.variant == name]) for name in figures["variants"]}
    assert by_variant == figures["passed_by_variant"]
    assert sum(len(tool_calls(run)) for run in runs) == figures["tool_spans"]
    turns = [step for run in runs for step in run.trace or [] if isinstance(step, ModelTurn)]
    assert len(turns) == figures["by_operation"]["chat"]
    assert sum(turn.prompt_tokens or 0 for turn in turns) == figures["input_tokens"]
    assert sum(turn.completion_tokens or 0 for turn in turns) == figures["output_tokens"]


def test_both_forms_of_spans_are_the_same_runs() -> None:
    first, second = (
        imported("otel-genai", REAL / "otel-genai" / "generated" / name, date=None).runs
        for name in ("spans.jsonl", "otlp_traces.json")
    )
    assert [(run.run_id, run.state, run.answer, run.usage) for run in first] == [
        (run.run_id, run.state, run.answer, run.usage) for run in second
    ]


@pytest.mark.parametrize("name", of_kind("oh"))
def test_openhands(name: str) -> None:
    figures = FIGURES[name]
    runs = imported("openhands", REAL / name, date=None).runs
    assert len(runs) == figures["runs"]
    assert sum(run.state == "INVALID" for run in runs) == figures["errored"]
    assert passed(runs) == figures["full_score"]
    assert sum(run.extra.get("reward", 0) is None for run in runs) == figures["zero_of_zero"]
    assert sum("reward" not in run.extra for run in runs) == figures["no_final_score"]
    calls = [call for run in runs for call in tool_calls(run)]
    assert Counter(call.tool for call in calls) == figures["actions_by_tool"]
    assert sum(isinstance(call.arguments, str) for call in calls) == figures["malformed_argument_strings"]


@pytest.mark.parametrize("name", of_kind("swe"))
def test_swe_agent(name: str) -> None:
    figures = FIGURES[name]
    (run,) = imported("swe-agent", REAL / name).runs
    assert (run.turns, len(tool_calls(run))) == (figures["steps"], figures["steps"] - figures["empty_actions"])
    assert run.state == "COMPLETE"
    assert (run.answer is not None) == figures["has_submission"]
    assert run.usage is not None
    assert (run.usage.prompt_tokens, run.usage.cost_usd) == (
        figures["model_stats"]["tokens_sent"],
        figures["model_stats"]["instance_cost"],
    )
    assert "passed" not in run.extra


FILES = sorted(
    path
    for harness in HARNESSES
    for path in (REAL / harness).rglob("*")
    if path.is_file() and path.name != "all_preds.jsonl" and "equipment-demo" not in path.name
)


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(REAL))[-60:])
def test_every_file_is_recognised(path: Path) -> None:
    chosen, findings = choose_files(list(IMPORTERS.values()), None, [path])
    assert findings == []
    assert chosen is not None
    assert chosen.importer.harness.id == path.relative_to(REAL).parts[0]
    assert imported(chosen.importer.harness.id, path).runs
