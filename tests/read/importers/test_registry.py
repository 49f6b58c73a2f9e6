"""Every importer is documented, and every documented one exists."""

import re
import sys
from pathlib import Path

import pytest

from generator.judge import METRICS
from generator.read.importers import IMPORTERS
from generator.read.importers.capabilities import FEATURES, NEEDS, NEVER
from generator.read.importers.capability_table import BEGIN, END, capability_tables

PAGE = (Path(__file__).resolve().parents[3] / "docs" / "importers.md").read_text(encoding="utf-8")
SECTIONS = re.findall(r"^## `([a-z0-9-]+)`$", PAGE, flags=re.MULTILINE)

OF_THE_SAME_TRACE = {name for name in METRICS if name.startswith("fp_")}
"""Features of a trace: where one of them can be fed, the others can."""


def test_registry_and_documentation_agree() -> None:
    assert list(IMPORTERS) == SECTIONS


@pytest.mark.parametrize("harness", sorted(IMPORTERS))
def test_each_section_says_what_is_kept_and_dropped(harness: str) -> None:
    section = PAGE.split(f"## `{harness}`")[1].split("\n## ")[0]
    for heading in ("### Runs", "### States", "### Kept", "### Dropped"):
        assert heading in section


def test_the_names_are_those_of_their_modules() -> None:
    assert [importer.recognises.__module__.rsplit(".", 1)[1] for importer in IMPORTERS.values()] == [
        name.replace("-", "_") for name in IMPORTERS
    ]


@pytest.mark.parametrize("harness", sorted(IMPORTERS))
def test_each_module_says_what_maps_to_what(harness: str) -> None:
    module = sys.modules[IMPORTERS[harness].recognises.__module__]
    assert "\n| recorded | becomes |\n" in (module.__doc__ or "")


@pytest.mark.parametrize("harness", sorted(IMPORTERS))
def test_each_importer_declares_every_feature_and_says_what_lacks(harness: str) -> None:
    feeds = IMPORTERS[harness].feeds
    assert set(feeds) == set(FEATURES)
    assert [feature for feature, feed in feeds.items() if (feed.why is None) != (feed.extent == "yes")] == []


def test_capability_tables_are_those_of_the_code() -> None:
    written = PAGE.split(BEGIN)[1].split(END)[0].strip()
    assert written == capability_tables(IMPORTERS.values()).strip(), "run `python -m tests.support.capability_page`"


def test_every_judged_metric_has_its_needs() -> None:
    assert set(NEEDS) | set(NEVER) | OF_THE_SAME_TRACE >= set(METRICS)
    assert not set(NEEDS) & set(NEVER)
