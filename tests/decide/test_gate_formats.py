"""Each format of a decision, read back by what reads it in CI."""

import json
import re
import xml.etree.ElementTree as ET
from pathlib import Path

import jsonschema
import msgspec
import pytest

from generator.decide.formats import ANNOTATIONS, annotations, as_json, as_junit, as_markdown, as_text
from generator.model.gate import (
    Decision,
    GateBaseline,
    GateCounts,
    GateCoverage,
    GateLevels,
    GateMeasure,
    GateReport,
    GateScenario,
    Outcome,
    Why,
)
from generator.model.numbers import Interval
from generator.publish.schemas import schema_of
from tests.decide.sources import SECRET, write_source
from tests.decide.test_gate_command import FAMILY, NO_DECISION, run_gate

WHY: dict[Outcome, Why] = {"pass": "no_drop", "fail": "dropped", "inconclusive": "too_few_runs"}
HOSTILE = "x|y](https://evil.example) <script>`@team` www.evil.example #1 *b*\n::error::no\x1b[31m"


def _counts(variant: str, hits: int, missed: int) -> GateCounts:
    n = 12
    return GateCounts(
        batch="b",
        variant=variant,
        hits=hits,
        n=n,
        judged=n,
        excluded={"invalid:rate_limited": 3},
        value=hits / n,
        interval=Interval(method="wilson", level=0.95, low=0.25, high=0.75),
        number="b/v/task_pass_rate",
        page="numbers/b/v/task_pass_rate.html",
        missed=[f"b-{number}" for number in range(missed)],
        waived=["b-1"] if missed else [],
    )


def _scenario(outcome: Outcome, slice_: str, variant: str = "v") -> GateScenario:
    return GateScenario(
        id=f"{variant}/task_pass_rate--{slice_}",
        variant=variant,
        metric="task_pass_rate",
        slice=slice_,
        outcome=outcome,
        why=WHY[outcome],
        current=_counts(variant, 5, 7),
        baseline=_counts("base", 12, 0),
        delta=0.1,
        difference=-7 / 12,
        difference_interval=Interval(method="newcombe", level=0.95, low=-0.8, high=-0.25),
        p=0.00234,
        p_adjusted=0.00702,
        p_by_case=0.000001,
        power=0.4567,
        runs_needed=321 if outcome == "inconclusive" else None,
    )


def _report(decision: Decision, outcomes: list[Outcome], variant: str = "v") -> GateReport:
    return GateReport(
        generator_version="1",
        source_hash="0" * 64,
        batch="b",
        experiment="e",
        variants=[variant],
        baseline=GateBaseline(batch="b0", variant=None),
        levels=GateLevels(
            scenario="category",
            metrics=[GateMeasure(id="task_pass_rate", theta=None, delta=0.1)],
            alpha=0.05,
            beta=0.1,
            interval="wilson",
            min_coverage=0.7,
            min_runs=5,
            max_trials=None,
            block_on_any_fail=True,
            family_size=3,
        ),
        decision=decision,
        exit_code={"deploy": 0, "block": 1, "human": 2}[decision],
        suite="fail",
        coverage=[GateCoverage(variant=variant, value=None)],
        reasons=["a reason"],
        notes=["a note"],
        scenarios=[_scenario(outcome, f"category-{place}", variant) for place, outcome in enumerate(outcomes)],
        not_applicable=[],
        address="https://example.org/site/",
    )


ALL: list[Outcome] = ["pass", "fail", "inconclusive"]


def test_text_says_the_decision_first_and_all_that_it_rests_on() -> None:
    lines = as_text(_report("block", ALL)).splitlines()
    assert lines[:3] == ["b against b0: block", "  because a reason", "  note: a note"]
    assert lines[3] == (
        "  task_pass_rate delta 10.0%; alpha 5.0%, one-sided, Fisher's exact test, beta 10.0%; "
        "Holm over the 3 comparisons of this decision"
    )
    assert lines[5] == (
        "fail         v · category-1 · task_pass_rate: 41.7% (5/12) against 100.0% (12/12), "
        "−58.3 points [−80.0, −25.0], p = 0.0023, adjusted p = 0.0070, p by case <0.0001, power 45.7%; "
        "worse by delta or more, and significant"
    )
    assert lines[6] == "             missed: b-0, b-1, b-2, b-3, b-4 and 2 more"
    assert lines[7] == "             of a waived case, and counted: b-1"
    assert lines[8] == "             excluded: invalid:rate_limited 3"
    assert "321 runs a group needed" in lines[9]
    assert lines[-1] == "exit code 1"


def test_json_follows_its_published_schema() -> None:
    schema = schema_of("gate")
    data = json.loads(as_json(_report("human", ALL)))
    jsonschema.Draft202012Validator(schema).validate(data)
    assert msgspec.convert(data, GateReport) == _report("human", ALL)
    del data["scenarios"][0]["p"]
    assert not jsonschema.Draft202012Validator(schema).is_valid(data)


@pytest.mark.parametrize(
    ("decision", "kind", "failures", "errors"),
    [("deploy", None, 1, 0), ("block", "failure", 2, 0), ("human", "error", 1, 1)],
)
def test_junit_has_a_case_a_scenario_and_one_for_the_decision(
    decision: Decision, kind: str | None, failures: int, errors: int
) -> None:
    suite = ET.fromstring(as_junit(_report(decision, ALL)))
    cases = suite.findall("testcase")
    assert [case.get("name") for case in cases] == ["decision", "category-0", "category-1", "category-2"]
    found = [next((part.tag for part in case if part.tag != "system-out"), None) for case in cases]
    assert found == [kind, None, "failure", "skipped"]
    assert suite.attrib == {
        "name": "runcite gate b",
        "tests": "4",
        "failures": str(failures),
        "errors": str(errors),
        "skipped": "1",
    }
    assert "p = 0.0023" in (cases[2].findtext("failure") or "")


def test_markdown_is_a_table_whose_scenarios_are_links() -> None:
    lines = as_markdown(_report("block", ALL)).splitlines()
    rows = [line for line in lines if line.startswith("|")]
    assert {line.count("|") for line in rows} == {10}
    assert re.findall(r"^\| \*\*(\w+)\*\*", "\n".join(rows), re.MULTILINE) == ["fail", "inconclusive", "pass"]
    assert all("(https://example.org/site/numbers/b/v/task_pass_rate.html)" in row for row in rows[2:])


def test_foreign_names_stay_names_in_every_format() -> None:
    report = _report("block", ALL, HOSTILE)
    text = as_markdown(report)
    assert all(part not in text for part in ("https://evil", "www.", "<script", "@team", "&#64;", "`", "\x1b", "\n::"))
    assert {line.count("|") for line in text.splitlines() if line.startswith("|")} == {10}
    assert "\x1b" not in as_text(report)
    assert "\n::error::no" not in as_text(report)
    assert all(line.startswith("::") for line in annotations(report).splitlines())
    assert annotations(report).count("\n") == 3
    assert len(ET.fromstring(as_junit(report)).findall("testcase")) == 4
    assert json.loads(as_json(_report("block", ALL, "\ud800")))["variants"] == ["\ud800"]
    for form in (as_text, as_junit, as_markdown, annotations):
        form(_report("block", ALL, "\ud800")).encode()


def test_annotations_are_of_the_decision_and_of_what_needs_attention() -> None:
    lines = annotations(_report("human", ALL)).splitlines()
    assert lines[0] == "::warning title=runcite gate::b against b0: a human decides%0Aa reason"
    assert lines[1].startswith("::error title=fail%3A v · category-1 · task_pass_rate::41.7%25 (5/12)")
    assert lines[2].startswith("::warning title=inconclusive%3A v · category-2")
    many = annotations(_report("block", ["fail"] * 30)).splitlines()
    assert sum(line.startswith("::error") for line in many) == ANNOTATIONS


def test_formats_are_written_and_the_last_is_printed(tmp_path: Path) -> None:
    source = write_source(tmp_path / "source", {"b": FAMILY})
    junit, data = tmp_path / "gate.xml", tmp_path / "gate.json"
    options = ("--format", "junit", "--output", junit, "--format", "json", "--output", data, "--format", "markdown")
    result = run_gate(source, "--batch", "b", "--baseline", "b", *options, policy=None)
    assert result.exit_code == 2
    assert result.stdout.startswith("## b against its variant full")
    assert len(ET.parse(junit).getroot().findall("testcase")) == 3
    report = json.loads(data.read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator(schema_of("gate")).validate(report)
    assert SECRET not in junit.read_text(encoding="utf-8") + data.read_text(encoding="utf-8") + result.output


def test_annotations_join_in_github_actions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    source = write_source(tmp_path, {"b": FAMILY})
    result = run_gate(source, "--batch", "b", "--baseline", "b", "--format", "json", policy=None)
    assert json.loads(result.stdout)["decision"] == "human"
    assert "::warning title=runcite gate::b against its variant full" in result.stderr
    result = run_gate(source, "--batch", "x", "--format", "json", policy=None)
    assert "::error file=runcite gate,title=RC701" in result.stderr


@pytest.mark.parametrize("form", ["text", "json", "junit", "markdown"])
def test_without_a_decision_every_format_says_why(form: str, tmp_path: Path) -> None:
    source, out = write_source(tmp_path / "source", {"b": FAMILY}), tmp_path / "out"
    result = run_gate(source, "--batch", "x", "--format", form, "--output", out, policy=None)
    assert result.exit_code == NO_DECISION
    text = out.read_text(encoding="utf-8")
    assert "RC701" in text
    if form == "json":
        assert json.loads(text)["findings"][0]["code"] == "RC701"
    if form == "junit":
        assert ET.fromstring(text).get("failures") == "1"
    if form == "markdown":
        assert text.startswith("<pre>")
