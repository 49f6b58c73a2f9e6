"""Decisions on batches of mutants and of related pairs: the small source, counted by hand in tests/support/kinds.py."""

import json
from pathlib import Path
from typing import Any

from tests.decide.sources import write_source
from tests.decide.test_gate_command import run_gate
from tests.support.kinds import as_metamorphic, as_mutation
from tests.support.small_source import write_small_source

BATCH = "ctx-small"
LENIENT = "scenario: whole\nmin_coverage: null\ntheta: 0.3\n"
"""8 of 11 and more pass: the lower end of their interval lies above 0.3."""


def _report(source: Path, *options: str) -> dict[str, Any]:
    result = run_gate(source, "--batch", BATCH, *options, "--format", "json", policy=LENIENT)
    report: dict[str, Any] = json.loads(result.stdout)
    assert report["exit_code"] == result.exit_code
    return report


def _refused(source: Path, *options: str) -> dict[str, Any]:
    result = run_gate(source, "--batch", BATCH, *options, "--format", "json", policy=LENIENT)
    (found,) = json.loads(result.stdout)["findings"]
    return {name: found[name] for name in ("code", "remedy")} | {"field": found["place"]["field"]}


def test_a_mutant_is_no_candidate(tmp_path: Path) -> None:
    source = write_small_source(tmp_path / "source", as_mutation())
    report = _report(source)
    assert report["variants"] == ["full"]
    assert [scenario["id"] for scenario in report["scenarios"]] == ["full/call_relation_pass_rate"]
    assert (report["scenarios"][0]["current"]["hits"], report["scenarios"][0]["current"]["n"]) == (8, 11)
    # 8 of 10 is no drop from 8 of 11: the only mutant survives.
    assert "the mutants of this batch are no candidates; its cases, run so often, tell 0 of 1 apart" in report["notes"]
    remedy = "leave --variant out: of a mutation batch the original alone could be released"
    assert _refused(source, "--variant", "budgeted") == {"code": "RC702", "field": "--variant", "remedy": remedy}
    assert _refused(source, "--baseline", BATCH)["code"] == "RC702"


def test_each_relation_is_a_scenario(tmp_path: Path) -> None:
    """Three of ten pairs differ: the Wilson interval is [10.8, 60.3], and ε + δ = 15% lies in it."""
    source = write_small_source(tmp_path / "source", as_metamorphic("same"))
    report = _report(source)
    own, relation = report["scenarios"]
    assert (own["id"], own["outcome"]) == ("full/call_relation_pass_rate", "pass")
    assert relation["id"] == "full/violation_rate--relation-budgeted"
    assert (relation["current"]["hits"], relation["current"]["n"], relation["theta"]) == (3, 10, 0.15)
    assert relation["current"]["missed"] == sorted(relation["current"]["missed"])
    assert len(relation["current"]["missed"]) == 3
    assert relation["current"]["excluded"] == {}
    assert (relation["outcome"], relation["why"]) == ("inconclusive", "violations_undecided")
    assert report["decision"] == "human"
    assert report["levels"]["family_size"] == 0


def test_a_relation_that_is_broken_blocks_beside_a_baseline_too(tmp_path: Path) -> None:
    """Every pair of 24 broken: the interval [86.2, 100] lies above the bound."""
    good = {"full": {"basic-01": "+" * 24}, "budgeted": {"basic-01": "-" * 24}}

    def related(source: Any) -> None:
        as_metamorphic("same")(source)
        for batch in source.batches:
            runs = {(run["variant"], run["repeat_index"]): run["run_id"] for run in batch.runs}
            for run in batch.runs:
                if run["variant"] == "budgeted":
                    run["source_run_id"] = runs["full", run["repeat_index"]]

    source = write_source(tmp_path, {"old": good, BATCH: good}, related)
    report = _report(source, "--baseline", "old")
    assert report["variants"] == ["full"]
    assert [scenario["outcome"] for scenario in report["scenarios"]] == ["inconclusive", "fail"]
    assert report["scenarios"][1]["why"] == "violations_beyond"
    assert report["levels"]["family_size"] == 1
    assert report["decision"] == "block"
    table = run_gate(source, "--batch", BATCH, "--baseline", "old", "--format", "markdown", policy=LENIENT).stdout
    rows = [line for line in table.splitlines() if line.startswith("|")]
    assert len({line.count("|") for line in rows}) == 1
    assert "more violations than tolerated" in table


def test_a_changed_path_that_is_not_there_is_a_finding(tmp_path: Path) -> None:
    source = write_small_source(tmp_path / "source")
    for options in ((), ("--baseline", BATCH)):
        result = run_gate(source, "--batch", BATCH, *options, "--format", "json", policy="changed: [model, modell]\n")
        (found,) = json.loads(result.stdout)["findings"]
        assert (found["code"], found["place"]["field"], found["place"]["line"]) == ("RC706", "changed[1]", 1)
        assert "`model`" in found["remedy"]
