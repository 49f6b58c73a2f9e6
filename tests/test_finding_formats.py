"""Findings as people, programs and CI read them."""

import json
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from generator.errors import Finding, Place
from generator.finding_formats import FindingFormat, format_findings

FINDING = Finding(
    code="RC203",
    rule="metric table version",
    place=Place("batches/ctx/runs.jsonl", 41, "ctx-0041\x1b", "metric_table_version"),
    expected="version 2 (metrics.yaml)",
    found="1, 100%",
    remedy="rejudge the batch <or> publish it with its own table",
)

HERE = Path()
MANY = [
    Finding("RC202", "variant", Place("runs.jsonl", line, f"r{line}", "variant"), "a", "b", "c")
    for line in range(1, 51)
]


def test_text_says_where_what_and_what_to_do() -> None:
    assert format_findings([FINDING], FindingFormat.text, HERE) == (
        "batches/ctx/runs.jsonl:41  run ctx-0041\x1b  metric_table_version  RC203 metric table version\n"
        "  expected version 2 (metrics.yaml), found 1, 100%\n"
        "  rejudge the batch <or> publish it with its own table\n"
        "1 finding; nothing was written\n"
    )


def test_json_holds_every_part() -> None:
    (finding,) = json.loads(format_findings([FINDING], FindingFormat.json, HERE))["findings"]
    assert finding["code"] == "RC203"
    assert finding["place"] == {
        "file": "batches/ctx/runs.jsonl",
        "line": 41,
        "run": "ctx-0041\x1b",
        "field": "metric_table_version",
    }


def test_junit_is_xml_whatever_an_id_holds() -> None:
    suite = ET.fromstring(format_findings([FINDING], FindingFormat.junit, HERE))
    case = suite.find("testcase")
    assert case is not None
    assert suite.get("failures") == "1"
    assert "ctx-0041⟦U+001B⟧" in (case.get("classname") or "")
    assert (case.get("file"), case.get("line")) == ("batches/ctx/runs.jsonl", "41")
    assert case.findtext("failure") == "rejudge the batch <or> publish it with its own table"


def test_junit_without_findings_has_a_case_that_passed() -> None:
    suite = ET.fromstring(format_findings([], FindingFormat.junit, HERE))
    assert (suite.get("tests"), suite.get("failures")) == ("1", "0")


def test_an_annotation_is_one_line_with_its_special_characters_escaped() -> None:
    line = format_findings([FINDING], FindingFormat.github, HERE)
    assert line.startswith("::error file=batches/ctx/runs.jsonl,title=RC203 metric table version,line=41::")
    assert line.count("\n") == 1
    assert "100%25" in line
    assert "%0A" in line


@pytest.mark.parametrize("workspace", [None, "repository"])
def test_an_annotation_names_the_file_as_the_repository_does(
    workspace: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Findings are relative to the source, annotations to the root of the repository."""
    source = tmp_path / "repository" / "data"
    (source / "batches/ctx").mkdir(parents=True)
    (source / "batches/ctx/runs.jsonl").touch()
    monkeypatch.delenv("GITHUB_WORKSPACE", raising=False)
    if workspace is None:
        monkeypatch.chdir(tmp_path / "repository")
    else:
        monkeypatch.setenv("GITHUB_WORKSPACE", str(tmp_path / workspace))
    line = format_findings([FINDING], FindingFormat.github, source)
    assert line.startswith("::error file=data/batches/ctx/runs.jsonl,")


def test_people_and_annotations_are_told_once_and_programs_always() -> None:
    text, github = (format_findings(MANY, form, HERE) for form in (FindingFormat.text, FindingFormat.github))
    assert text.count("RC202") == github.count("::error") == 1
    assert "50 times, in lines 1, 2, 3" in text
    assert "50 times" in github
    assert text.endswith("50 findings; nothing was written\n")
    assert len(json.loads(format_findings(MANY, FindingFormat.json, HERE))["findings"]) == 50
    assert ET.fromstring(format_findings(MANY, FindingFormat.junit, HERE)).get("failures") == "50"
