"""The ledger of a source: read whole, or refused by name, and no part of the source's hash."""

import datetime
import json
from pathlib import Path
from typing import Any

import pytest

from generator.errors import Finding
from generator.model.ledger import EarlierFigures, Figures, LedgerEntry
from generator.read.ledger import read_ledger
from generator.read.source import read_source
from tests.support.small_source import write_small_source

NUMBER = "ctx-small/full/tool_selection_accuracy"
ENTRY = {
    "since": "2026-11-25",
    "metric_version": 1,
    "runset": "rs-0123456789abcdef",
    "figures": {"value": 0.8, "numerator": 8, "denominator": 10},
    "earlier": [{"restated": "2026-11-28", "figures": {"value": None, "numerator": 0, "denominator": 0}}],
}


def _write(root: Path, content: Any, name: str = "ctx-small.json") -> Path:
    (root / "published").mkdir(exist_ok=True)
    raw = content if isinstance(content, bytes) else json.dumps(content).encode()
    (root / "published" / name).write_bytes(raw)
    return root


def _problems(findings: list[Finding]) -> list[tuple[str, str]]:
    return [(finding.code, finding.place.file) for finding in findings]


def test_a_source_without_a_ledger_has_none(tmp_path: Path) -> None:
    assert read_ledger(tmp_path) == ({}, [])


def test_entries_are_read_by_id(tmp_path: Path) -> None:
    numbers, findings = read_ledger(_write(tmp_path, {"batch": "ctx-small", "numbers": {NUMBER: ENTRY}}))
    assert findings == []
    assert numbers == {
        NUMBER: LedgerEntry(
            since=datetime.date(2026, 11, 25),
            metric_version=1,
            runset="rs-0123456789abcdef",
            figures=Figures(value=0.8, numerator=8, denominator=10),
            earlier=[
                EarlierFigures(
                    restated=datetime.date(2026, 11, 28), figures=Figures(value=None, numerator=0, denominator=0)
                )
            ],
        )
    }


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{",
        b"\xff\xfe",
        b"[" * 100_000,
        b"null",
        {"batch": "ctx-small"},
        {"batch": "ctx-small", "numbers": {NUMBER: ENTRY | {"value": 1}}},
        {"batch": "ctx-small", "numbers": {NUMBER: ENTRY | {"figures": {"value": "0.8"}}}},
        {"batch": "ctx-small", "numbers": {"other/full/avg_turns": ENTRY}},
        {"batch": "other", "numbers": {}},
    ],
)
def test_what_is_no_ledger_of_its_batch_is_refused(tmp_path: Path, content: Any) -> None:
    numbers, findings = read_ledger(_write(tmp_path, content))
    assert _problems(findings) == [("RC412", "published/ctx-small.json")]
    assert numbers == {}


def test_a_damaged_ledger_never_quotes_its_values(tmp_path: Path) -> None:
    _, (finding,) = read_ledger(_write(tmp_path, {"batch": "ctx-small", "numbers": {NUMBER: "CANARY"}}))
    assert "CANARY" not in str(finding)
    assert "expected `object`, got `str`" in finding.found


def test_the_ledger_is_no_part_of_the_hash(tmp_path: Path) -> None:
    root = write_small_source(tmp_path)
    before, _ = read_source(root)
    after, findings = read_source(_write(root, {"batch": "ctx-small", "numbers": {NUMBER: ENTRY}}))
    assert findings == []
    assert before is not None
    assert after is not None
    assert (before.hash, before.published) == (after.hash, {})
    assert list(after.published) == [NUMBER]
