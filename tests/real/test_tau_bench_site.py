"""Real τ-bench results, which name their variants in file names only."""

import datetime
import json
from pathlib import Path

import pytest

from generator.model.imported import ImportOptions
from generator.pipeline import build_site
from generator.read.importers import IMPORTERS
from generator.source import init_source, write_import
from tests.support.shared import REAL

RETAIL = sorted((REAL / "tau-bench").glob("tool-calling-*.json"))
AIRLINE = REAL / "tau-bench" / "gpt-4o-airline.json"
EDGE = REAL / "derived-edge" / "tau-bench_duplicate_and_error.json"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("tau")
    source = folder / "source"
    assert init_source(source) == []
    for experiment, files in (("retail", RETAIL), ("airline", [AIRLINE]), ("edge", [EDGE])):
        options = ImportOptions(
            experiment=experiment, batch=experiment, date=datetime.date(2025, 9, 21), duplicates="first"
        )
        imported, findings = IMPORTERS["tau-bench"](files, options)
        assert findings == []
        assert imported is not None
        assert write_import(source, imported) == []
    build_site(source, folder / "site", jobs=2, export=None, progress=lambda step: None)
    return folder / "site"


def _numbers(site: Path, batch: str) -> dict[tuple[str, str], tuple[int | None, int | None]]:
    path = site / "api" / "v1" / "numbers" / f"{batch}.json"
    return {
        (number["variant"], number["metric"]): (number["numerator"], number["denominator"])
        for number in json.loads(path.read_text(encoding="utf-8"))
        if number["slice"] is None
    }


def test_variants_come_from_file_names(site: Path) -> None:
    numbers = _numbers(site, "retail")
    # gpt-4.1-mini passed 22 of 30; every reward of grok-3 is below 1.
    passes = {variant: counts for (variant, metric), counts in numbers.items() if metric == "task_pass_rate"}
    assert {variant: counts for variant, counts in passes.items() if "-vs-" not in variant} == {
        "gpt-4-1-mini": (22, 30),
        "grok-3": (0, 30),
    }


def test_four_trials_of_twenty_tasks(site: Path) -> None:
    numbers = _numbers(site, "airline")
    (variant,) = {variant for variant, _ in numbers}
    assert numbers[variant, "task_pass_rate"] == (20, 80)
    assert numbers[variant, "pass_hat_4"] == (None, 20)


def test_a_run_that_raised_is_invalid_and_its_traceback_is_not_published(site: Path) -> None:
    path = site / "api" / "v1" / "batches" / "edge.json"
    runs = json.loads(path.read_text(encoding="utf-8"))["runs"]
    assert sorted(run["state"] for run in runs).count("INVALID") == 1
    assert len(runs) == 9
    texts = [page.read_text(encoding="utf-8") for page in site.rglob("*.html")]
    assert [text for text in texts if "Traceback" in text] == []
