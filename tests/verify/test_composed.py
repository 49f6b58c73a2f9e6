"""Composition of the small site: shown where it differs, and damage to it found."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.support.small_source import BATCH_ID
from tests.verify.forging import Forged, api_places, number_page
from tests.verify.test_times import change

PASS = f"{BATCH_ID}/budgeted-vs-full/call_relation_pass_rate"


@pytest.fixture
def forged(small_site: Path, tmp_path: Path) -> Forged:
    return Forged(small_site, tmp_path / "site")


def test_a_difference_says_what_of_it_is_composition(forged: Forged) -> None:
    number = next(one for one in forged.json(f"api/v1/numbers/{BATCH_ID}.json") if one["id"] == PASS)
    # 4/55 in all; composition (3/11 − 3/10)·(…): −123/6160 + (3/10 − 3/11)·(1 + 2/3)/2 = 17/6160.
    assert number["detail"]["composition_part"] == pytest.approx(17 / 6160)
    assert number["detail"]["rate_part"] == pytest.approx(4 / 55 - 17 / 6160)
    page = forged.text(number_page("budgeted-vs-full/call_relation_pass_rate"))
    assert 'data-part="detail.composition_part" href="#composition">+0.3</a>' in page
    assert 'id="composition"' in forged.text(number_page("full/call_relation_pass_rate"))


@pytest.mark.parametrize(
    "edit",
    [
        lambda number: number["detail"].update(composition_part=0.07, rate_part=0.0),
        lambda number: number["detail"]["categories"]["basic"].update(weight=0.8),
        lambda number: number.update(detail=None),
    ],
    ids=["parts", "weight", "none"],
)
def test_a_part_of_the_split(forged: Forged, edit: Callable[[dict[str, Any]], None]) -> None:
    change(forged, PASS, edit)
    assert PASS in api_places(forged)


def test_a_ratio_that_says_it_counts_cases(forged: Forged) -> None:
    table = forged.json("api/v1/metrics.json")
    next(row for row in table["metrics"] if row["id"] == "call_relation_pass_rate")["counts"] = "case"
    forged.write_json("api/v1/metrics.json", table)
    assert "api/v1/metrics.json" in api_places(forged)
