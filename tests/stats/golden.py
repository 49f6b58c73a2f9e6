"""Entries of the reference values, by operation."""

import json
from functools import cache
from pathlib import Path
from typing import Any

Entry = dict[str, Any]

_FILE = Path(__file__).resolve().parents[1] / "reference" / "golden.json"


@cache
def _entries() -> list[Entry]:
    found: list[Entry] = json.loads(_FILE.read_text(encoding="utf-8"))["entries"]
    return found


def entries(operation: str) -> list[Entry]:
    """All entries of an operation; there must be some."""
    chosen = [entry for entry in _entries() if entry["op"] == operation]
    assert chosen, f"no reference value for {operation}"
    return chosen


def label(entry: Entry) -> str:
    """Its id, for the test report."""
    name: str = entry["id"]
    return name


def close(got: float, expected: float, tolerance: dict[str, float]) -> bool:
    """Within the tolerance of the reference: |got − expected| ≤ abs + rel·|expected|."""
    return abs(got - expected) <= tolerance["abs"] + tolerance["rel"] * abs(expected)
