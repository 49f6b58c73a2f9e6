"""The audit as a source: it builds without a batch, and every figure of the text that can be made again is a number."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from generator.pipeline import build_site, check_source
from generator.verify import verify_site
from tests.stats.golden import all_entries, close

SOURCE = Path(__file__).resolve().parents[1] / "examples" / "measurement-audit"
E02, E04, E05, E06 = (f"evidence/e0{place}" for place in (2, 4, 5, 6))
POOLED, SERVER = "stratum-all-mixed-all", "stratum-server-mixed-completed"
REFERENCE = {
    "praxa.case_pass_rate": f"{E02}/case_pass_rate",
    "praxa.case_fail_rate": f"{E02}/case_fail_rate",
    "praxa.legacy_share": f"{E02}/case_share--category-legacy",
    "praxa.legacy_pass_rate": f"{E02}/case_pass_rate--category-legacy",
    "praxa.nonlegacy_pass_rate": f"{E02}/case_pass_rate--category-rest",
    "praxa.followup_category": f"{E02}/case_pass_rate--category-followup",
    "praxa.no_tool_precision": f"{E02}/no_tool_precision",
    "praxa.required_tool_recall": f"{E02}/required_tool_recall",
    "praxa.forbidden_admission": f"{E02}/forbidden_admission_rate",
    "praxa.fast_path_accuracy": f"{E02}/fast_path_accuracy",
    "praxa.missing_share": f"{E06}/duration_missing_share--{POOLED}",
    "praxa.saturated_share": f"{E06}/duration_saturated_share--{POOLED}",
    "praxa.never_reported_share": f"{E06}/never_reported_share--stratum-client-lifecycle_age-failed",
    "praxa.observed_le_30s_server_completed": f"{E06}/at_most_observed--stratum-server-at-30s",
    "praxa.zero_recorded_share_pooled": f"{E06}/duration_zero_share--{POOLED}",
    "praxa.scorer_tests": "evidence/e13/software_tests",
    "praxa.validator_tests": "evidence/e15/software_tests",
    "praxa.pooled_minus_nonlegacy_pp": f"{E02}/pass_rate_gap",
    "praxa.followup_input_reduction": f"{E04}/input_reduction--category-one-call",
    "praxa.two_call_input_reduction": f"{E04}/input_reduction--category-two-calls",
    "praxa.duration_sum_change": f"{E04}/duration_change--category-two-calls",
    "praxa.followup_duration_change": f"{E04}/duration_change--category-one-call",
    "praxa.trigger_duration_change": f"{E04}/duration_change--category-trigger-call",
    "praxa.nonlegacy_cases": f"{E02}/acceptance_cases--category-rest",
    "praxa.nonlegacy_passes": f"{E02}/acceptance_passed--category-rest",
    "praxa.observed_durations": f"{E06}/duration_recorded--{POOLED}",
    "praxa.server_observed": f"{E06}/duration_recorded--{SERVER}",
    "praxa.other_strata_missing": f"{E06}/duration_missing--stratum-rest-mixed-all",
    "praxa.other_strata_zeros": f"{E06}/duration_zeros--stratum-rest-mixed-all",
    "praxa.unresolved_interval_mismatch": "evidence/e07/interval_mismatches--category-unresolved",
    "praxa.nonsaturated_n": f"{E06}/duration_recorded--{POOLED}-without-cap",
    "praxa.trigger_over_limit": f"{E04}/over_configured_limit--category-native-trigger",
    "praxa.failure_events": f"{E02}/failure_events",
    "praxa.int32max_days": f"{E06}/cap_in_days",
    "praxa.bytes_div4_a": f"{E04}/schema_token_estimate--category-arm-a",
    "praxa.bytes_div4_b": f"{E04}/schema_token_estimate--category-arm-b",
    "praxa.turn_scores_total": "evidence/e09/inventory_rows--category-scores",
    "praxa.timing_cells": "evidence/e15/checked_cells--category-timing",
}
BOUNDS = {
    "praxa.bounds_server_completed_30s": "server-at-30s",
    "praxa.bounds_pooled_zero": "all-at-zero",
    "praxa.bounds_pooled_below_cap": "all-at-below-cap",
    "praxa.bounds_pooled_at_cap": "all-at-cap",
    "praxa.bounds_server_zero": "server-at-zero",
}


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("audit") / "site"
    build_site(SOURCE, out, jobs=1, export=None, progress=lambda step: None)
    return out


@pytest.fixture(scope="module")
def numbers(site: Path) -> dict[str, dict[str, Any]]:
    listed = json.loads((site / "api/v1/numbers/evidence.json").read_text(encoding="utf-8"))
    return {number["id"]: number for number in listed}


def expected(entry: dict[str, Any]) -> float:
    """The value of a number: relative changes are given as changes, of which a reduction is the negative."""
    found = entry["expected"]
    value: float = found["change"] if entry["op"] == "relative_change" else found["value"]
    return -value if entry["id"].endswith("input_reduction") else value


def test_it_builds_without_a_batch_and_verifies(site: Path) -> None:
    result = verify_site(site)
    assert result.agrees
    assert result.limits["quoted summaries, whose records are not public"] == 15
    index = json.loads((site / "api/v1/index.json").read_text(encoding="utf-8"))
    assert index["batches"] == []
    assert len(index["evidence"]) == 18
    assert index["credit"]["licence"] == "CC BY 4.0"


@pytest.mark.parametrize("reference", REFERENCE)
def test_a_figure_that_can_be_made_again(numbers: dict[str, Any], reference: str) -> None:
    entry = next(entry for entry in all_entries() if entry["id"] == reference)
    if entry["op"] == "pp_difference":
        assert round(numbers[REFERENCE[reference]]["value"] * 100, 2) == 16.10
        return
    # Values are published with twelve digits.
    tolerance = {"rel": 1e-11, "abs": 0.0}
    assert close(numbers[REFERENCE[reference]]["value"], expected(entry), tolerance)


@pytest.mark.parametrize("reference", BOUNDS)
def test_bounds(numbers: dict[str, Any], reference: str) -> None:
    found = next(entry for entry in all_entries() if entry["id"] == reference)["expected"]
    for metric, name in (("low", "lower"), ("high", "upper"), ("observed", "observed_only")):
        number = numbers[f"{E06}/at_most_{metric}--stratum-{BOUNDS[reference]}"]
        assert close(number["value"], found[name], {"rel": 1e-11, "abs": 0.0})


@pytest.mark.parametrize(("side", "low", "high"), [("baseline", 0.64567, 1), ("candidate", 0, 0.35433)])
def test_intervals_are_arithmetic_alone(numbers: dict[str, Any], side: str, low: float, high: float) -> None:
    interval = numbers[f"{E05}/effect_despite_failed_claim--category-{side}"]["interval"]
    assert (round(interval["low"], 5), round(interval["high"], 5)) == (low, high)


def test_what_is_quoted_says_so_and_what_is_not_given_has_no_value(numbers: dict[str, Any]) -> None:
    p99 = numbers[f"{E06}/duration_p99--{SERVER}"]
    assert (p99["value"], p99["marks"], p99["denominator"], p99["missing"]["count"]) == (
        38118.31,
        ["quoted"],
        7068,
        437,
    )
    q1 = numbers[f"{E06}/duration_q1--{POOLED}"]
    assert (q1["value"], q1["reason"]) == (None, "not_in_source")
    total = numbers[f"{E04}/input_reduction--category-trajectory"]
    assert (total["value"], total["reason"]) == (None, "not_in_source")


def test_events_are_no_cases(numbers: dict[str, Any]) -> None:
    assert numbers[f"{E02}/failure_events"]["unit"] == "events"
    assert numbers[f"{E02}/acceptance_failed"]["unit"] == "cases"


@pytest.mark.parametrize("address", ["audit.html", "en/audit.html"])
def test_the_page_has_every_claim_and_every_entry(site: Path, address: str) -> None:
    html = (site / address).read_text(encoding="utf-8")
    claims = json.loads((site / "api/v1/claims.json").read_text(encoding="utf-8"))
    for claim in claims["claims"]:
        assert f'id="claim-{claim["id"]}"' in html
    for place in range(1, 16):
        assert f'id="evidence-e{place:02}"' in html
    assert "arXiv:2609.12017" in html


@pytest.mark.parametrize("folder", ["", "en/"])
def test_the_page_is_found_from_everywhere(site: Path, folder: str) -> None:
    home = (site / folder / "index.html").read_text(encoding="utf-8")
    assert 'href="audit.html"' in home
    search = json.loads((site / folder / "search/search_index.json").read_text(encoding="utf-8"))
    assert any(entry["location"].startswith("audit.html") for entry in search["docs"])
    stamped = (site / f"numbers/{E02}/case_pass_rate.html").read_text(encoding="utf-8")
    assert 'href="../../../audit.html"' in stamped


def test_a_number_page_says_that_there_are_no_runs_and_why(site: Path) -> None:
    html = (site / f"numbers/{E02}/case_pass_rate.html").read_text(encoding="utf-8")
    text = re.sub(r"<[^>]*>", "", html)
    assert "没有逐次运行" in text
    assert "the record of each case is not public" in text
    assert "recompute.js" not in html


def test_a_number_names_the_claims_that_bind_it(site: Path) -> None:
    html = (site / f"numbers/{E02}/pass_rate_gap.html").read_text(encoding="utf-8")
    assert 'href="../../../audit.html#claim-C02"' in html


def test_two_builds_are_alike(site: Path, tmp_path: Path) -> None:
    again = check_source(SOURCE, jobs=1, progress=lambda step: None)
    manifest = json.loads((site / "manifest.json").read_text(encoding="utf-8"))
    assert again.digest == manifest["digest"]
