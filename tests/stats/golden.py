"""Entries of the reference values, and how a result is compared with one."""

import json
from functools import cache
from pathlib import Path
from typing import Any

Entry = dict[str, Any]

_FILE = Path(__file__).resolve().parents[1] / "reference" / "golden.json"


@cache
def all_entries() -> list[Entry]:
    """Every entry of the file."""
    found: list[Entry] = json.loads(_FILE.read_text(encoding="utf-8"))["entries"]
    return found


def entries(operation: str) -> list[Entry]:
    """All entries of an operation; there must be some."""
    chosen = [entry for entry in all_entries() if entry["op"] == operation]
    assert chosen, f"no reference value for {operation}"
    return chosen


def label(entry: Entry) -> str:
    """Its id, for the test report."""
    name: str = entry["id"]
    return name


def close(got: float, expected: float, tolerance: dict[str, float]) -> bool:
    """Within the tolerance of the reference: |got − expected| ≤ abs + rel·|expected|."""
    return abs(got - expected) <= tolerance["abs"] + tolerance["rel"] * abs(expected)


def agree(got: object, expected: object, tolerance: dict[str, Any], path: str = "") -> list[str]:
    """Where a result differs from what is expected, as texts that name the place; empty if nowhere.

    Both must have the same keys: a value that the reference has and the result lacks is a difference. Floats are
    compared within the tolerance; integers, booleans, texts and nulls exactly, and so is all of an exact entry.
    """
    if isinstance(expected, dict) and isinstance(got, dict):
        if got.keys() != expected.keys():
            return [f"{path}: keys {sorted(got)} for {sorted(expected)}"]
        return [found for key in expected for found in agree(got[key], expected[key], tolerance, f"{path}/{key}")]
    if isinstance(expected, list) and isinstance(got, list):
        if len(got) != len(expected):
            return [f"{path}: {len(got)} items for {len(expected)}"]
        return [
            found
            for i, (one, other) in enumerate(zip(got, expected, strict=True))
            for found in agree(one, other, tolerance, f"{path}/{i}")
        ]
    inexact = isinstance(expected, float) and isinstance(got, int | float) and not tolerance.get("exact")
    if inexact and isinstance(expected, float) and isinstance(got, int | float) and not isinstance(got, bool):
        return [] if close(got, expected, tolerance) else [f"{path}: {got!r} for {expected!r}"]
    same = got == expected and isinstance(got, bool) == isinstance(expected, bool)
    return [] if same else [f"{path}: {got!r} for {expected!r}"]
