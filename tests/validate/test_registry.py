"""Codes in the program, in the registry, in the documentation and in the tests are the same."""

import re
from pathlib import Path

import pytest

from generator.errors import Place
from generator.model.rules import RULES, finding

ROOT = Path(__file__).resolve().parents[2]
_CODE = re.compile(r'"(RC[0-9]{3})"')
_ROW = re.compile(r"\| (RC[0-9]{3}) \| (.+?) \| (.+?) \|")


def _codes(folder: Path) -> set[str]:
    return {
        code
        for path in folder.rglob("*.py")
        if path not in (Path(__file__), ROOT / "generator" / "model" / "rules.py")
        for code in _CODE.findall(path.read_text(encoding="utf-8"))
    }


def test_every_code_of_the_program_is_registered_and_used() -> None:
    assert _codes(ROOT / "generator") == set(RULES)


def test_every_rule_has_a_test() -> None:
    assert set(RULES) - _codes(ROOT / "tests") == set()


def test_documentation_has_every_rule_in_order() -> None:
    text = (ROOT / "docs" / "findings.md").read_text(encoding="utf-8")
    rows = [_ROW.fullmatch(line) for line in text.splitlines() if line.startswith("| RC")]
    assert [(row[1], row[2]) for row in rows if row] == list(RULES.items())
    assert list(RULES) == sorted(RULES)


def test_unregistered_code_is_no_finding() -> None:
    with pytest.raises(KeyError):
        finding("RC999", Place("a"), "b", "c", "d")
