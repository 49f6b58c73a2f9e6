"""Numbers on aggregate evidence in two sites, from their published files alone."""

import json
from pathlib import Path
from typing import Any

import pytest

from generator.compare.evidence import evidence_differences
from generator.compare.published import Site

NUMBER: dict[str, Any] = {
    "id": "evidence/e02/rate",
    "variant": "E02",
    "slice": None,
    "metric": "rate",
    "metric_version": 1,
    "unit": "ratio",
    "value": 0.7,
    "numerator": 7,
    "denominator": 10,
    "runset": None,
    "numerator_runset": None,
    "excluded": {},
    "missing": None,
    "interval": None,
    "reason": None,
    "evidence": "E02",
}
ENTRY = {"id": "E02", "data": {"figures": [7, 10]}}
ROW = {"id": "rate", "aggregate": "evidence", "decimals": 1}


def site(root: Path, number: dict[str, Any] | None, entry: dict[str, Any], row: dict[str, Any], version: str) -> Site:
    index = {
        "generator_version": version,
        "source_hash": "0",
        "metric_table_version": 1,
        "projection_version": 1,
        "batches": [],
        "evidence": [{"id": "E02", "file": "api/v1/evidence/e02.json"}],
        "evidence_numbers": "api/v1/numbers/evidence.json",
    }
    files = {
        "api/v1/index.json": index,
        "api/v1/metrics.json": {"metrics": [row]},
        "api/v1/projection.json": {"fields": []},
        "api/v1/evidence/e02.json": entry,
        "api/v1/numbers/evidence.json": [] if number is None else [number],
    }
    for address, value in files.items():
        (root / address).parent.mkdir(parents=True, exist_ok=True)
        (root / address).write_text(json.dumps(value), encoding="utf-8")
    return Site(root)


def differences(tmp_path: Path, **changes: Any) -> list[tuple[str, list[str], list[str]]]:
    """Id, aspects and causes of what differs from the site above."""
    new = {"number": NUMBER, "entry": ENTRY, "row": ROW, "version": "1", **changes}
    sites = site(tmp_path / "old", NUMBER, ENTRY, ROW, "1"), site(tmp_path / "new", **new)
    return [
        (found.id, list(found.aspects), [cause.cause for cause in found.causes])
        for found in evidence_differences(sites)
    ]


@pytest.mark.parametrize(
    ("changes", "aspects", "causes"),
    [
        (
            {"number": {**NUMBER, "value": 0.8, "numerator": 8}, "entry": {"id": "E02", "data": {"figures": [8, 10]}}},
            ["value", "counts", "evidence"],
            ["evidence"],
        ),
        ({"entry": {"id": "E02", "data": {"figures": [7, 10, 3]}}}, ["evidence"], ["evidence"]),
        ({"number": {**NUMBER, "value": 70}, "row": {**ROW, "decimals": 2}}, ["value"], ["definition"]),
        ({"number": {**NUMBER, "value": 0.71}, "version": "2"}, ["value"], ["code"]),
        ({"number": None}, [], ["code"]),
    ],
)
def test_what_differs_and_why(tmp_path: Path, changes: dict[str, Any], aspects: list[str], causes: list[str]) -> None:
    assert differences(tmp_path, **changes) == [("evidence/e02/rate", aspects, causes)]


def test_what_is_the_same(tmp_path: Path) -> None:
    assert differences(tmp_path) == []
    assert differences(tmp_path / "other", version="2") == []
