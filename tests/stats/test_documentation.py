"""The page of methods names every module, and no other."""

import pkgutil
import re
from pathlib import Path

import generator.stats

PAGE = Path(__file__).resolve().parents[2] / "docs" / "statistics.md"


def test_every_module_is_documented_and_every_documented_one_exists() -> None:
    """The tables with a column of modules name each once."""
    tables = [part for part in PAGE.read_text(encoding="utf-8").split("\n\n") if part.startswith("| module |")]
    rows = [row.split("|")[1] for table in tables for row in table.splitlines()[2:]]
    documented = [name for row in rows for name in re.findall(r"`(\w+)`", row)]
    assert sorted(documented) == sorted(module.name for module in pkgutil.iter_modules(generator.stats.__path__))
