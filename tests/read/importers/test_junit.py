"""JUnit XML: states, properties, and documents that attack their reader."""

from pathlib import Path

import pytest

from tests.read.importers.support import imported, refused
from tests.support.foreign_others import ERROR, FAILURE, SKIPPED, junit_case, write_junit


def test_states(tmp_path: Path) -> None:
    path = write_junit(
        tmp_path / "alpha.xml",
        junit_case("passes"),
        junit_case("fails", FAILURE),
        junit_case("breaks", ERROR),
        junit_case("both", FAILURE + ERROR),
        junit_case("skips", SKIPPED),
    )
    batch = imported("junit", path, date=None)
    assert [(run.case_id, run.state, run.reason, run.extra.get("passed")) for run in batch.runs] == [
        ("test_a::passes", "COMPLETE", None, True),
        ("test_a::fails", "FAILED", "assertion_failed", False),
        ("test_a::breaks", "INVALID", "rate_limited", None),
        ("test_a::both", "INVALID", "rate_limited", None),
    ]
    assert [(cell.case, cell.reason) for cell in batch.batch.skipped] == [("test_a::skips", "not_run")]
    assert batch.runs[0].timing is not None
    assert batch.runs[0].timing.duration_ms == 1_000_500
    assert batch.runs[0].config.effective == {"harness": "junit", "variant": "alpha"}


def test_properties_name_case_variant_and_repeat(tmp_path: Path) -> None:
    path = write_junit(
        tmp_path / "r.xml",
        junit_case("t[0]", case_id="退款/1", variant="alpha", repeat="0", prompt_tokens="12", completion_tokens="3"),
        junit_case("t[1]", case_id="退款/1", variant="beta", repeat="4"),
        junit_case("t[2]", case_id="退款/1", variant="alpha"),
        junit_case("t[3]"),
    )
    batch = imported("junit", path, date=None)
    assert [(run.case_id, run.variant, run.repeat_index) for run in batch.runs] == [
        ("退款/1", "alpha", 0),
        ("退款/1", "alpha", 1),
        ("退款/1", "beta", 4),
        ("test_a::t[3]", "unnamed", 0),
    ]
    assert batch.runs[0].usage is not None
    assert (batch.runs[0].usage.prompt_tokens, batch.runs[0].usage.completion_tokens) == (12, 3)
    assert batch.experiment.independent_variable == "variant"


def test_two_files_without_variants_are_two(tmp_path: Path) -> None:
    files = [write_junit(tmp_path / f"{name}.xml", junit_case("t")) for name in ("alpha", "beta")]
    assert [variant.id for variant in imported("junit", *files).experiment.variants] == ["alpha", "beta"]


BILLION = """<?xml version="1.0"?>
<!DOCTYPE lolz [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;">]>
<testsuite name="x"><testcase name="&b;"/></testsuite>"""
OUTSIDE = """<?xml version="1.0"?>
<!DOCTYPE x SYSTEM "file:///etc/passwd">
<testsuite name="x"><testcase name="t"/></testsuite>"""


@pytest.mark.parametrize("text", [BILLION, OUTSIDE])
def test_a_document_type_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "r.xml"
    path.write_text(text, encoding="utf-8")
    (finding,) = refused("junit", path)
    assert (finding.code, finding.place.file) == ("RC501", "r.xml")
    assert "document type" in finding.found


@pytest.mark.parametrize(
    ("text", "code", "found"),
    [
        ("<testsuite><testcase", "RC501", "text that is not XML (line 1, column "),
        ("<html/>", "RC502", "`html`"),
        ("", "RC501", "an empty file"),
        ("<testsuite>" + "<a>" * 60 + "</a>" * 60 + "</testsuite>", "RC501", "elements nested deeper"),
        ("<testsuite name='x'/>", "RC507", "no"),
    ],
)
def test_what_is_no_report(tmp_path: Path, text: str, code: str, found: str) -> None:
    path = tmp_path / "r.xml"
    path.write_text(text, encoding="utf-8")
    (finding,) = refused("junit", path)
    assert finding.code == code
    assert finding.found.startswith(found)


def test_other_encodings(tmp_path: Path) -> None:
    path = tmp_path / "r.xml"
    text = '<testsuite name="x"><testcase name="首都"/></testsuite>'
    for encoding in ("utf-8-sig", "utf-16"):
        path.write_bytes(text.encode(encoding))
        assert imported("junit", path).runs[0].case_id == "首都"
