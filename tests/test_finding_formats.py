"""Findings as people, programs and CI read them."""

import json
import xml.etree.ElementTree as ET

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


def test_text_says_where_what_and_what_to_do() -> None:
    assert format_findings([FINDING], FindingFormat.text) == (
        "batches/ctx/runs.jsonl:41  run ctx-0041\x1b  metric_table_version  RC203 metric table version\n"
        "  expected version 2 (metrics.yaml), found 1, 100%\n"
        "  rejudge the batch <or> publish it with its own table\n"
        "1 finding; nothing was written\n"
    )


def test_json_holds_every_part() -> None:
    (finding,) = json.loads(format_findings([FINDING], FindingFormat.json))["findings"]
    assert finding["code"] == "RC203"
    assert finding["place"] == {
        "file": "batches/ctx/runs.jsonl",
        "line": 41,
        "run": "ctx-0041\x1b",
        "field": "metric_table_version",
    }


def test_junit_is_xml_whatever_an_id_holds() -> None:
    suite = ET.fromstring(format_findings([FINDING], FindingFormat.junit))
    case = suite.find("testcase")
    assert case is not None
    assert suite.get("failures") == "1"
    assert "ctx-0041⟦U+001B⟧" in (case.get("classname") or "")
    assert case.findtext("failure") == "rejudge the batch <or> publish it with its own table"


def test_junit_without_findings_has_a_case_that_passed() -> None:
    suite = ET.fromstring(format_findings([], FindingFormat.junit))
    assert (suite.get("tests"), suite.get("failures")) == ("1", "0")


def test_an_annotation_is_one_line_with_its_special_characters_escaped() -> None:
    line = format_findings([FINDING], FindingFormat.github)
    assert line.startswith("::error file=batches/ctx/runs.jsonl,title=RC203 metric table version,line=41::")
    assert line.count("\n") == 1
    assert "100%25" in line
    assert "%0A" in line
