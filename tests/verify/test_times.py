"""Damage to what the site says of times is found, however well the rest is renewed."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from generator.verify import verify_site
from tests.support.clock_source import with_clocks
from tests.support.once import small_site_once
from tests.support.small_source import BATCH_ID
from tests.verify.forging import BATCH, NUMBERS, Forged, api_places, evidence_of, number_page, places

RESULT = f"experiments/context-strategy-comparison/{BATCH_ID}.html"
STRATA = f"{BATCH_ID}/full/time_strata_runs"
WITHIN = f"{BATCH_ID}/full/time_within--within-5000"


@pytest.fixture(scope="module")
def clock_site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return small_site_once(tmp_path_factory, "clocks", with_clocks)


@pytest.fixture
def forged(clock_site: Path, tmp_path: Path) -> Forged:
    return Forged(clock_site, tmp_path / "site")


def change(forged: Forged, number_id: str, edit: Callable[[dict[str, Any]], None]) -> None:
    numbers = forged.json(NUMBERS)
    edit(next(number for number in numbers if number["id"] == number_id))
    forged.write_json(NUMBERS, numbers)


def test_the_site_agrees_with_its_evidence(clock_site: Path) -> None:
    assert verify_site(clock_site).agrees


@pytest.mark.parametrize(
    ("number_id", "edit"),
    [
        (STRATA, lambda number: number["detail"]["strata"]["server-execution-complete"].update(missing=0)),
        (STRATA, lambda number: number["detail"]["pooled"].update(p99_ms=453532616.08)),
        (STRATA, lambda number: number["detail"].update(differs=[])),
        (STRATA, lambda number: number["detail"].update(sensitivity=None)),
        (STRATA, lambda number: number["detail"]["strata"].pop("client-abandonment-failed")),
        (WITHIN, lambda number: number["detail"]["pooled"].update(low=0.6)),
        (WITHIN, lambda number: number["detail"]["strata"]["server-execution-complete"].update(high_count=5)),
        (WITHIN, lambda number: number.update(numerator=8, value=8 / 9)),
    ],
    ids=["missing", "quantile", "differs", "sensitivity", "stratum", "bound", "count", "numerator"],
)
def test_a_value_of_the_detail(forged: Forged, number_id: str, edit: Callable[[dict[str, Any]], None]) -> None:
    change(forged, number_id, edit)
    assert number_id in api_places(forged)


def test_a_number_that_is_left_out(forged: Forged) -> None:
    """With its page, and from the list of the batch file."""
    forged.write_json(NUMBERS, [number for number in forged.json(NUMBERS) if number["id"] != WITHIN])
    head = forged.json(BATCH)
    head["numbers"].remove(WITHIN)
    forged.write_json(BATCH, head)
    (forged.root / number_page("full/time_within--within-5000")).unlink()
    assert f"numbers of {BATCH_ID}" in api_places(forged)


def test_an_event_in_an_evidence_file(forged: Forged) -> None:
    """A wait for approval that becomes execution; its assertions agree."""
    run = next(run for run in forged.json(BATCH)["runs"] if forged_event(forged, run["run_id"]) == "approval_wait")
    evidence = forged.json(evidence_of(run["run_id"]))
    evidence["telemetry"]["timing"]["event"] = "execution"
    for metric in ("duration_p50", "duration_p95"):
        evidence["assertions"][metric]["detail"]["event"] = "execution"
    forged.write_json(evidence_of(run["run_id"]), evidence)
    assert STRATA in api_places(forged)


def forged_event(forged: Forged, run_id: str) -> str | None:
    timing = forged.json(evidence_of(run_id))["telemetry"].get("timing") or {}
    event: str | None = timing.get("event")
    return event


@pytest.mark.parametrize("address", [RESULT, f"en/{RESULT}", number_page("full/duration_p95")])
def test_a_digit_of_a_stratum_on_a_page(forged: Forged, address: str) -> None:
    forged.replace(address, ">3,960</a>", ">3,961</a>")
    assert address in places(forged)


def test_a_pooled_value_stands_with_its_strata(clock_site: Path) -> None:
    """On the result page of both languages and on its own page; not where all runs are of one stratum."""
    for address, text in ((RESULT, "各层合并的时长不是同一件事的时长"), (f"en/{RESULT}", "not the time of one thing")):
        page = (clock_site / address).read_text(encoding="utf-8")
        assert text in page
        assert 'href="#times"' in page
    pooled = (clock_site / number_page("full/duration_p95")).read_text(encoding="utf-8")
    assert 'id="strata"' in pooled
    assert f'data-of="{STRATA}"' in pooled
    single = (clock_site / number_page("budgeted/duration_p95")).read_text(encoding="utf-8")
    assert 'id="strata"' not in single


def test_a_difference_of_pooled_times_says_so_too(clock_site: Path) -> None:
    page = (clock_site / number_page("budgeted-vs-full/duration_p95")).read_text(encoding="utf-8")
    assert "各层合并的时长不是同一件事的时长" in page
    assert f'{BATCH_ID}.html#times"' in page
    tokens = (clock_site / number_page("budgeted-vs-full/avg_tokens")).read_text(encoding="utf-8")
    assert "各层合并的时长" not in tokens


def test_the_chart_says_that_its_lines_pool_strata(clock_site: Path) -> None:
    assert "each line pools them" in (clock_site / f"en/{RESULT}").read_text(encoding="utf-8")


def test_the_runs_within_a_threshold_are_listed(clock_site: Path) -> None:
    page = (clock_site / number_page("full/time_within--within-5000")).read_text(encoding="utf-8")
    assert page.count('id="numerator"') == 1
    assert page.count('id="missing"') == 1


@pytest.mark.parametrize(
    "edit",
    [
        lambda entry: entry["fields"]["end_event"].update(unresolved=0),
        lambda entry: entry["fields"]["reporting_authority"]["values"].update(server=8),
        lambda entry: entry.update(recorded=21, missing=0),
        lambda entry: entry["fields"].pop("censoring"),
    ],
    ids=["unresolved", "value", "recorded", "field"],
)
def test_what_the_batch_file_says_of_a_contract(forged: Forged, edit: Callable[[dict[str, Any]], None]) -> None:
    head = forged.json(BATCH)
    edit(next(entry for entry in head["measurement"] if entry["metric"] == "duration_p50"))
    forged.write_json(BATCH, head)
    assert BATCH in api_places(forged)


def test_a_cap_that_is_left_out(forged: Forged) -> None:
    index = forged.json("api/v1/index.json")
    index["times"]["caps_ms"] = []
    forged.write_json("api/v1/index.json", index)
    assert {"api/v1/index.json", STRATA} <= api_places(forged)


def test_a_contract_stands_beside_what_is_recorded(clock_site: Path) -> None:
    page = (clock_site / f"en/{RESULT}").read_text(encoding="utf-8")
    assert 'id="measured"' in page
    assert "partly unresolved" in page


def test_the_authority_of_a_step(forged: Forged) -> None:
    """It stands in the evidence JSON alone, and the strata of tool calls rest on it."""
    address = forged.json(BATCH)["runs"][0]["evidence"]
    evidence = forged.json(address)
    step = next(step for step in evidence["trace"] if step["kind"] == "tool")
    step["authority"] = "client" if step["authority"] == "server" else "server"
    forged.write_json(address, evidence)
    assert f"{BATCH_ID}/{evidence['variant']}/time_strata_calls" in api_places(forged)
