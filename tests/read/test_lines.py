"""Findings about definitions get the line of their field. The expected lines are counted in the texts below."""

from pathlib import Path

import pytest

from generator.errors import Finding, Place
from generator.read.lines import with_lines

EXPERIMENTS = """\
# one template
experiments:
  - id: ctx
    title: {zh: 一, en: One}
    variants:
      - id: full
        value: full

      - id: budgeted
        value: {strategy: budgeted}
    "a.b": 1
"""
LEDGER = """\
{
 "batch": "ctx",
 "numbers": {
  "ctx/full/avg_turns": {"since": null},
  "ctx/full/avg_tokens--case-a.b": {"since": null}
 }
}
"""


def _finding(file: str, field: str | None, line: int | None = None) -> Finding:
    return Finding("RC109", "a rule", Place(file, line, field=field), "one thing", "another", "change it")


def _line(root: Path, file: str, field: str | None) -> int | None:
    (found,) = with_lines(root, [_finding(file, field)])
    assert (found.place.file, found.place.field) == (file, field)
    return found.place.line


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "experiments.yaml").write_text(EXPERIMENTS, encoding="utf-8")
    (tmp_path / "published").mkdir()
    (tmp_path / "published/ctx.json").write_text(LEDGER, encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize(
    ("field", "line"),
    [
        ("experiments", 2),
        ("experiments[0]", 3),
        ("experiments[0].id", 3),
        ("experiments[0].title.en", 4),
        ("experiments[0].variants[0].value", 7),
        ("experiments[0].variants[1]", 9),
        ("experiments[0].variants[1].value.strategy", 10),
        ("experiments[0].a.b", 11),
    ],
)
def test_a_field_has_the_line_of_its_key(field: str, line: int, root: Path) -> None:
    assert _line(root, "experiments.yaml", field) == line


@pytest.mark.parametrize(
    ("field", "line"),
    [
        ("experiments[0].baseline", 3),
        ("experiments[0].variants[1].name.zh", 9),
        ("experiments[0].variants[7].id", 5),
        ("thresholds.alpha", 2),
    ],
)
def test_a_field_that_is_not_there_has_the_line_of_what_it_would_stand_in(field: str, line: int, root: Path) -> None:
    assert _line(root, "experiments.yaml", field) == line


def test_a_number_of_a_ledger_has_the_line_of_its_entry(root: Path) -> None:
    assert _line(root, "published/ctx.json", "ctx/full/avg_turns") == 4
    assert _line(root, "published/ctx.json", "ctx/full/avg_tokens--case-a.b") == 5
    assert _line(root, "published/ctx.json", "ctx/full/gone") is None


@pytest.mark.parametrize("file", ["metrics.yaml", "published", "batches/ctx/runs.jsonl", "nothing/here.yaml"])
def test_a_file_that_cannot_be_parsed_gives_no_line(file: str, root: Path) -> None:
    (root / "metrics.yaml").write_bytes(b"metrics: [\xff\n")
    assert _line(root, file, "metrics[0].id") is None


def test_what_has_a_line_or_names_no_field_stays_as_it_is(root: Path) -> None:
    findings = [_finding("experiments.yaml", "experiments[0].id", 99), _finding("experiments.yaml", None)]
    assert with_lines(root, findings) == findings


def test_findings_are_in_the_order_of_their_lines(root: Path) -> None:
    fields = ["experiments[0].variants[0].value", "experiments[0].title", "experiments[0].a.b"]
    findings = with_lines(root, [_finding("experiments.yaml", field) for field in fields])
    assert [found.place.line for found in findings] == [4, 7, 11]
