"""What a page weighs: home and results at most 300 KB with all that they load, before live charts; a run 60 KB."""

import gzip
import statistics
from pathlib import Path

import pytest

from tests.site.visiting import Served, Visitor

MOST = 300_000
MOST_OF_A_RUN = 60_000
_LOADED = """() => [location.href, ...performance.getEntriesByType("resource").map((it) => it.name)]"""


def _compressed(path: Path) -> int:
    """As a host sends it."""
    return len(gzip.compress(path.read_bytes(), 6))


@pytest.mark.parametrize("kind", ["home", "result, two variants", "result, many variants"])
def test_a_page_with_all_that_it_loads(visit: Visitor, sample: Served, kind: str) -> None:
    page, _ = visit.open(kind)
    page.wait_for_load_state("networkidle")
    addresses = {it.partition("#")[0].removeprefix(sample.http) for it in page.evaluate(_LOADED)}
    weights = {it: _compressed(sample.root / it) for it in addresses}
    assert sum(weights.values()) <= MOST, weights


def test_every_result_page_is_light(sample: Served) -> None:
    """All results and statistics; what every page loads besides is some 100 KB."""
    pages = [sample.root / batch["page"] for batch in sample.index.batches]
    weights = {it.name: _compressed(it) for page in pages for it in (page, page.with_suffix("") / "statistics.html")}
    assert max(weights.values()) <= MOST - 130_000, weights


def test_the_median_run_as_it_stands_on_disk(sample: Served) -> None:
    runs = [it.stat().st_size for it in sample.root.glob("runs/*/*.html")]
    assert statistics.median(runs) <= MOST_OF_A_RUN
