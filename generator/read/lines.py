"""The lines of findings that name a field: checks work on records, which know nothing of their files.

The files that findings name are parsed once more, which costs nothing where nothing is wrong.
"""

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from generator.errors import Finding, sort_key
from generator.model.ledger import LEDGER_FOLDER
from generator.read.yaml_file import MAX_BYTES, load_yaml, path_text

_SUFFIXES = (".yaml", ".json")
"""JSON is read as the YAML that it is."""


def with_lines(root: Path, findings: Iterable[Finding]) -> list[Finding]:
    """The findings, each with the line of its field below the source `root`, in the order of a report.

    A field that is not there has the line of what it would stand in. Findings that have a line, name no field, or name
    a file that cannot be parsed stay as they are.
    """
    known: dict[str, dict[str, int]] = {}
    return sorted((_located(root, found, known) for found in findings), key=sort_key)


def _located(root: Path, found: Finding, known: dict[str, dict[str, int]]) -> Finding:
    place = found.place
    if place.line is not None or place.field is None or not place.file.endswith(_SUFFIXES):
        return found
    if place.file not in known:
        known[place.file] = _lines(root / place.file, place.file)
    line = _nearest(known[place.file], place.field)
    return found if line is None else replace(found, place=replace(place, line=line))


def _lines(path: Path, name: str) -> dict[str, int]:
    """Field → line; empty where the file is none that can be parsed. A ledger's fields are the ids of its numbers."""
    try:
        if path.stat().st_size > MAX_BYTES:
            return {}
        located, _ = load_yaml(name, path.read_bytes())
    except (OSError, ValueError):
        return {}
    lines = {} if located is None else located.lines
    if name.startswith(f"{LEDGER_FOLDER}/"):
        return {str(where[1]): line for where, line in lines.items() if len(where) == 2 and where[0] == "numbers"}
    return {path_text(where): line for where, line in lines.items()}


def _nearest(lines: dict[str, int], field: str) -> int | None:
    while field and field not in lines:
        field = field[: max(field.rfind("."), field.rfind("["), 0)]
    return lines.get(field)
