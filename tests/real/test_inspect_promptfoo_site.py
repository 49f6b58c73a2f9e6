"""Real Inspect and promptfoo results from file to site: headlines, and what may not be published."""

import json
from pathlib import Path
from typing import Any

import pytest

from generator.model.imported import ImportOptions
from generator.pipeline import build_site
from generator.read.importers import IMPORTERS
from generator.source import init_source, write_import
from generator.verify import verify_site
from tests.support.shared import REAL

FILES = {
    "inspect": sorted((REAL / "inspect" / "generated").glob("*.eval")),
    "promptfoo": [REAL / "promptfoo" / "generated" / "output.json"],
}
PRIVATE = (
    "SYSTEM PROMPT",
    "SYSTEM: you are secret bot",
    "never reveal",
    "GOLD: shipped",
    "substring match against",
    "output.length < 50",
    "/home/eval",
    "Traceback",
    "RateLimitExhaustedError",
)
"""Words of prompts, gold answers, explanations of scores, assertions, paths and errors in these files."""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("harnesses")
    source = folder / "source"
    assert init_source(source) == []
    for harness, files in FILES.items():
        imported, findings = IMPORTERS[harness](files, ImportOptions(experiment=harness, batch=harness))
        assert findings == []
        assert imported is not None
        assert write_import(source, imported) == []
    build_site(source, folder / "site", jobs=2, export=None, progress=lambda step: None)
    return folder / "site"


def _head(site: Path, batch: str) -> dict[str, Any]:
    content: dict[str, Any] = json.loads(
        (site / "api" / "v1" / "batches" / f"{batch}.json").read_text(encoding="utf-8")
    )
    return content


def test_headlines_stand_beside_the_recomputed_numbers(site: Path) -> None:
    assert verify_site(site).agrees
    stated = {(own["variant"], own["value"]) for own in _head(site, "inspect")["published_aggregates"]}
    assert stated == {("mockllm-alpha", "0.9"), ("mockllm-beta", "0.733333333333")}
    page = (site / "en" / "experiments" / "promptfoo" / "promptfoo.html").read_text(encoding="utf-8")
    section = page[page.index('id="reported"') : page.index('id="charts"')]
    assert "it counts crashed runs as not passed" in section
    assert "55.56%" in section


def test_crashed_and_limited_runs_are_told_apart(site: Path) -> None:
    accounting = _head(site, "inspect")["accounting"]["mockllm-alpha"]
    assert (accounting["valid"], accounting["failed"], accounting["invalid"]) == (33, 3, {"rate_limited": 3})
    assert sum(entry["planned"] for entry in _head(site, "promptfoo")["accounting"].values()) == 108


@pytest.mark.parametrize("word", PRIVATE)
def test_what_may_not_be_published_is_nowhere(site: Path, word: str) -> None:
    pages = [path for path in site.rglob("*") if path.suffix in (".html", ".json") and "assets" not in path.parts]
    assert [path.name for path in pages if word in path.read_text(encoding="utf-8")] == []
