"""What a decision counts: the runs of the site's numbers, the coverage, what does not apply."""

import datetime
import re
from pathlib import Path

import msgspec
import pytest

from generator.decide import decide
from generator.decide.decision import COVERAGE
from generator.engine import LocalEngine
from generator.model.addresses import number_id
from generator.model.gate import GateMetric, GatePolicy, GateReport, GateRequest
from generator.model.imported import ImportOptions
from generator.model.report import Report
from generator.pipeline import evaluate, gate, read_checked
from generator.read.gate_policy import read_gate_policy
from generator.read.importers import IMPORTERS
from generator.source import init_source, write_import
from generator.steps import start_worker
from tests.decide.sources import write_source
from tests.support.shared import REAL, real_is_there
from tests.support.small_source import SmallSource, write_small_source

DOCUMENT = Path(__file__).resolve().parents[2] / "docs" / "ci.md"
GOOD = {"full": {"basic-01": "+" * 8, "basic-02": "+" * 8}, "budgeted": {"basic-01": "+" * 8, "basic-02": "+" * 8}}


def _evaluated(source: Path, folder: Path) -> Report:
    read, findings = read_checked(source)
    with LocalEngine(1, start_worker, (read, folder)) as engine:
        return evaluate(read, findings, engine)


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Report:
    folder = tmp_path_factory.mktemp("small")
    return _evaluated(write_small_source(folder / "source"), folder / "work")


@pytest.fixture(scope="module")
def good(tmp_path_factory: pytest.TempPathFactory) -> Report:
    folder = tmp_path_factory.mktemp("good")
    return _evaluated(write_source(folder / "source", {"b": GOOD}), folder / "work")


def _decide(report: Report, batch: str = "ctx-small", **policy: object) -> GateReport:
    return decide(report, GateRequest(batch=batch), msgspec.convert(policy, GatePolicy))


@pytest.mark.parametrize(("kind", "scenarios"), [("whole", 2), ("category", 4), ("case", 6)])
def test_a_scenario_counts_the_runs_of_the_number_that_it_names(kind: str, scenarios: int, small: Report) -> None:
    found = _decide(small, scenario=kind).scenarios
    assert len(found) == scenarios
    numbers = small.batches[0].numbers
    for scenario in found:
        counts = scenario.current
        assert counts.number is not None
        number = numbers[counts.number]
        assert (counts.hits, counts.n, counts.value) == (number.numerator, number.denominator, number.value)
        assert counts.interval == number.interval
        assert counts.excluded == {key: excluded.count for key, excluded in number.excluded.items()}
        assert number.verdict is not None
        assert (scenario.outcome, scenario.more_runs) == (number.verdict.outcome, number.verdict.more_runs)
        judged = small.batches[0].runsets[number.runset or ""]
        assert set(counts.missed) <= set(judged)
        assert len(counts.missed) == counts.n - counts.hits


def test_a_metric_that_asks_nothing_of_a_category_is_left_out(small: Report) -> None:
    # Only safety-01 has required items; 4 of its runs under full are 3 judged and 1 cancelled.
    report = _decide(small, metrics=[{"id": "required_retention_rate"}])
    assert [scenario.slice for scenario in report.scenarios] == ["category-safety", "category-safety"]
    assert report.not_applicable == [
        "full/required_retention_rate--category-basic",
        "budgeted/required_retention_rate--category-basic",
    ]
    assert any("outside the decision" in note for note in report.notes)


def test_a_record_that_is_not_enough_is_no_way_out(small: Report) -> None:
    # No run of the small source says whether its harness let it pass.
    report = _decide(small, metrics=[{"id": "task_pass_rate"}], min_coverage=None)
    assert {scenario.why for scenario in report.scenarios} == {"no_judged_run"}
    assert len(report.scenarios) == 4
    assert report.scenarios[0].current.excluded["not_applicable:not_recorded"] == 8
    assert report.decision == "human"


def test_nothing_to_decide_on_is_for_a_human(small: Report) -> None:
    (batch,) = small.batches
    head = msgspec.structs.replace(batch.batch, planned=msgspec.structs.replace(batch.batch.planned, cases=[]))
    bare = msgspec.structs.replace(small, batches=[msgspec.structs.replace(batch, batch=head)])
    report = _decide(bare, min_coverage=None)
    assert (report.scenarios, report.suite, report.decision) == ([], "inconclusive", "human")
    assert report.reasons[0] == "there is no scenario to decide on"


def _covered(report: Report, values: dict[str, float | None]) -> Report:
    (batch,) = report.batches
    numbers = dict(batch.numbers)
    for variant, value in values.items():
        identifier = number_id("b", variant, COVERAGE)
        template = batch.numbers[number_id("b", variant, "task_pass_rate")]
        numbers[identifier] = msgspec.structs.replace(template, id=identifier, metric=COVERAGE, value=value)
    return msgspec.structs.replace(report, batches=[msgspec.structs.replace(batch, numbers=numbers)])


@pytest.mark.parametrize(
    ("values", "decision", "reason"),
    [
        ({"full": 0.7, "budgeted": 0.9}, "deploy", "coverage of full, 70.0%, reaches the demanded 70.0%"),
        ({"full": 0.69, "budgeted": 0.9}, "human", "coverage of full, 69.0%, is below the demanded 70.0%"),
        ({"full": 0.9}, "human", "coverage of budgeted is unknown, 70.0% is demanded"),
        ({"full": 0.9, "budgeted": None}, "human", "coverage of budgeted is unknown, 70.0% is demanded"),
    ],
)
def test_the_variant_that_is_covered_least_decides(
    values: dict[str, float | None], decision: str, reason: str, good: Report
) -> None:
    report = _decide(_covered(good, values), "b", scenario="whole")
    assert (report.suite, report.decision) == ("pass", decision)
    assert reason in report.reasons


def test_every_key_of_the_policy_is_in_the_documented_sample(tmp_path: Path) -> None:
    (sample,) = re.findall(r"```yaml\n(scenario: .*?)```", DOCUMENT.read_text(encoding="utf-8"), re.DOTALL)
    file = tmp_path / "gate.yaml"
    file.write_text(sample, encoding="utf-8")
    policy, findings = read_gate_policy(str(file))
    assert findings == []
    assert policy is not None
    keys = re.findall(r"^(\w+):", sample, re.MULTILINE)
    assert keys == list(GatePolicy.__struct_fields__)
    assert {key for key in GateMetric.__struct_fields__ if f"{key}: " in sample} == set(GateMetric.__struct_fields__)

    def commit(small: SmallSource) -> None:
        for run in small.batches[0].runs:
            run["config"]["effective"]["git_commit"] = "0f1e2d3"

    source = write_source(tmp_path / "source", {"b": GOOD}, commit)
    request = GateRequest(batch="b", policy_file=str(file))
    assert gate(source, request, jobs=1, progress=lambda step: None).levels.metrics[0].theta == 0.85


def test_every_exit_code_and_format_is_documented() -> None:
    text = DOCUMENT.read_text(encoding="utf-8")
    assert re.findall(r"^\| (\d+) \|", text, re.MULTILINE) == ["0", "1", "2", "3", "64"]
    assert all(f"`{option}" in text for option in ("--variant", "--baseline", "--policy", "--format", "--output"))


@pytest.mark.skipif(not real_is_there(), reason="the real result files are not here")
def test_a_real_policy_experiment(tmp_path: Path) -> None:
    """Grok-3 on τ²-bench: 7 of 16 under the first policy, 9 of 16 under the tighter one."""
    files = sorted((REAL / "tau2-bench" / "grok_airline_x_policy").glob("*llm_agent_grok-3_*.json"))
    options = ImportOptions(
        experiment="policy", batch="grok-3", variant="environment_info", date=datetime.date(2025, 10, 13)
    )
    imported, findings = IMPORTERS["tau2-bench"](files, options)
    assert (init_source(tmp_path / "source"), findings) == ([], [])
    assert imported is not None
    assert write_import(tmp_path / "source", imported) == []
    policy = tmp_path / "gate.yaml"
    policy.write_text("scenario: whole\nmin_coverage: null\n", encoding="utf-8")

    def decided(baseline: str | None) -> GateReport:
        request = GateRequest(batch="grok-3", baseline=baseline, policy_file=str(policy))
        return gate(tmp_path / "source", request, jobs=1, progress=lambda step: None)

    # Wilson's upper ends are 0.668 and 0.769: both below θ = 0.8.
    report = decided(None)
    assert [scenario.outcome for scenario in report.scenarios] == ["fail", "fail"]
    ends = [scenario.current.interval.high for scenario in report.scenarios if scenario.current.interval]
    assert ends == pytest.approx([0.668, 0.769], abs=1e-3)
    assert report.decision == "block"
    # Better by two runs, and far too few to have found a drop: (1.6449 + 1.2816)² · (63/256 + 0.3375 · 0.6625) ÷ 0.01.
    (scenario,) = decided("grok-3").scenarios
    assert (scenario.variant, scenario.outcome, scenario.why) == (
        "airline_tighter_policy",
        "inconclusive",
        "too_few_runs",
    )
    assert scenario.difference == 0.125
    assert scenario.runs_needed == 403
