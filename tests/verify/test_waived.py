"""Damage to the gate and its waivers is found."""

from pathlib import Path

import pytest

from generator.verify import verify_site
from tests.support.clock_source import with_waivers
from tests.support.once import small_site_once
from tests.support.small_source import BATCH_ID
from tests.verify.forging import BATCH, Forged
from tests.verify.test_times import RESULT, change, places

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
    assert number_id in places(forged)


def test_a_failure_that_would_not_stop_the_gate(forged: Forged) -> None:
    change(forged, GATE, lambda number: number["detail"].update(decides="pass"))
    assert GATE in places(forged)


def test_a_waiver_that_is_added_afterwards(forged: Forged) -> None:
    head = forged.json(BATCH)
    head["waivers"].append({**head["waivers"][0], "case": "safety-01"})
    forged.write_json(BATCH, head)
    assert {GATE, WAIVED} <= places(forged)
