"""Damage to amounts within accounting boundaries is found."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.support.clock_source import with_compaction
from tests.support.once import small_site_once
from tests.support.small_source import BATCH_ID
from tests.verify.forging import Forged, api_places, number_page, places
from tests.verify.test_times import RESULT, change

CHANGE = f"{BATCH_ID}/budgeted-vs-full/boundary_change"
CALLS = f"{BATCH_ID}/full/tokens_per_call"


@pytest.fixture(scope="module")
def compacted_site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return small_site_once(tmp_path_factory, "compacted", with_compaction)


@pytest.fixture
def forged(compacted_site: Path, tmp_path: Path) -> Forged:
    return Forged(compacted_site, tmp_path / "site")


def test_every_boundary_is_shown(forged: Forged) -> None:
    for address in (RESULT, f"en/{RESULT}", number_page("budgeted-vs-full/boundary_change")):
        page = forged.text(address)
        assert ">\u221294.39%</a>" in page
        assert ">\u221246.54%</a>" in page


@pytest.mark.parametrize(
    ("number_id", "edit"),
    [
        (CHANGE, lambda number: number.update(value=-0.9439)),
        (CHANGE, lambda number: number["detail"]["tokens"]["pair"].update(relative_change=-0.9439)),
        (CHANGE, lambda number: number["detail"]["cost"]["call"].update(reason=None)),
        (CHANGE, lambda number: number["detail"]["time"]["run"].update(own_ms=1500.0)),
        (CALLS, lambda number: number["detail"].update(unlike_total=0)),
        (CALLS, lambda number: number["detail"].update(calls=25)),
    ],
    ids=["value", "pair", "reason", "time", "unlike", "calls"],
)
def test_a_part(forged: Forged, number_id: str, edit: Callable[[dict[str, Any]], None]) -> None:
    change(forged, number_id, edit)
    assert number_id in api_places(forged)


def test_a_digit_on_the_page(forged: Forged) -> None:
    forged.replace(RESULT, ">\u221246.54%</a>", ">\u221294.54%</a>")
    assert RESULT in places(forged)
