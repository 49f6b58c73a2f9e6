"""Damage to the gate and its waivers is found."""

from pathlib import Path
from typing import Any

import pytest

from generator.verify import verify_site
from tests.support.clock_source import with_waivers
from tests.support.once import small_site_once
from tests.support.small_source import BATCH_ID
from tests.verify.forging import BATCH, Forged, api_places, places
from tests.verify.test_times import RESULT, change

GATE = f"{BATCH_ID}/full/gate_failures"
WAIVED = f"{BATCH_ID}/full/waived_failures"


@pytest.fixture(scope="module")
def waived_site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return small_site_once(tmp_path_factory, "waived", with_waivers)


@pytest.fixture
def forged(waived_site: Path, tmp_path: Path) -> Forged:
    return Forged(waived_site, tmp_path / "site")


def test_score_gate_and_waivers_stand_together(waived_site: Path) -> None:
    assert verify_site(waived_site).agrees
    page = (waived_site / "en" / RESULT).read_text(encoding="utf-8")
    section = page[page.index('id="gate"') : page.index('id="charts"')]
    rate = f'data-num="{BATCH_ID}/full/call_relation_pass_rate"'
    for part in (rate, f'data-num="{GATE}"', f'data-num="{WAIVED}"', "A known gap of the stock interface."):
        assert part in section
    assert "the waiver waives nothing" in section


@pytest.mark.parametrize("number_id", [GATE, WAIVED])
def test_a_count_that_is_smaller(forged: Forged, number_id: str) -> None:
    change(forged, number_id, lambda number: number.update(value=0, numerator=0, numerator_runset=None))
    assert number_id in api_places(forged)


def test_a_failure_that_would_not_stop_the_gate(forged: Forged) -> None:
    change(forged, GATE, lambda number: number["detail"].update(decides="pass"))
    assert GATE in api_places(forged)


def test_a_waiver_that_is_added_afterwards(forged: Forged) -> None:
    head = forged.json(BATCH)
    head["waivers"].append({**head["waivers"][0], "case": "safety-01"})
    forged.write_json(BATCH, head)
    assert {GATE, WAIVED} <= api_places(forged)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("2026-11-19</time>", "2026-11-18</time>"),
        ("A known gap of the stock interface.", "An unknown gap of the stock interface."),
        (
            '<span class="ref">basic-01</span> <span class="rc-mark">',
            '<span class="ref">basic-03</span> <span class="rc-mark">',
        ),
    ],
    ids=["since", "reason", "case"],
)
def test_a_waiver_that_the_page_tells_otherwise(forged: Forged, old: str, new: str) -> None:
    forged.replace(f"en/{RESULT}", old, new)
    assert f"en/{RESULT}" in places(forged)


@pytest.mark.parametrize("changes", [{"since": "2026-11-18"}, {"reason": {"zh": "无", "en": "None."}}])
def test_a_waiver_that_the_batch_file_tells_otherwise(forged: Forged, changes: dict[str, Any]) -> None:
    head = forged.json(BATCH)
    head["waivers"][0] |= changes
    forged.write_json(BATCH, head)
    assert {RESULT, f"en/{RESULT}"} <= places(forged)


def test_a_case_on_the_page_of_a_number(forged: Forged) -> None:
    page = f"numbers/{WAIVED}.html"
    forged.replace(page, ">basic-01</bdi></th>", ">basic-02</bdi></th>")
    assert page in places(forged)
