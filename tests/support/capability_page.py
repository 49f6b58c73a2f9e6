"""Writes the capability tables into `docs/importers.md`: `python -m tests.support.capability_page`."""

from pathlib import Path

from generator.read.importers import IMPORTERS
from generator.read.importers.capability_table import BEGIN, END, capability_tables

PAGE = Path(__file__).resolve().parents[2] / "docs" / "importers.md"


def write_capability_tables() -> None:
    text = PAGE.read_text(encoding="utf-8")
    before, rest = text.split(BEGIN)
    after = rest.split(END)[1]
    tables = capability_tables(IMPORTERS.values())
    PAGE.write_text(f"{before}{BEGIN}\n\n{tables}\n{END}{after}", encoding="utf-8")


if __name__ == "__main__":
    write_capability_tables()
