"""Every importer is documented, and every documented one exists."""

import re
from pathlib import Path

import pytest

from generator.read.importers import IMPORTERS

PAGE = (Path(__file__).resolve().parents[3] / "docs" / "importers.md").read_text(encoding="utf-8")
SECTIONS = re.findall(r"^## `([a-z0-9-]+)`$", PAGE, flags=re.MULTILINE)


def test_registry_and_documentation_agree() -> None:
    assert list(IMPORTERS) == SECTIONS


@pytest.mark.parametrize("harness", sorted(IMPORTERS))
def test_each_section_says_what_is_kept_and_dropped(harness: str) -> None:
    section = PAGE.split(f"## `{harness}`")[1].split("\n## ")[0]
    for heading in ("### Runs", "### States", "### Kept", "### Dropped"):
        assert heading in section


def test_the_names_are_those_of_their_modules() -> None:
    assert [importer.__module__.rsplit(".", 1)[1] for importer in IMPORTERS.values()] == [
        name.replace("-", "_") for name in IMPORTERS
    ]
