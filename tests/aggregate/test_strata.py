"""Strata, pooled values and completion bounds of the source with many clocks, worked out by hand."""

from pathlib import Path
from typing import Any

import pytest

from generator.engine import LocalEngine
from generator.model.numbers import Number
from generator.model.report import BatchReport
from generator.pipeline import evaluate, read_checked
from generator.steps import start_worker
from tests.support.clock_source import INT32_MAX, STRATA, with_clocks, write_clock_source
from tests.support.small_source import SmallSource, write_small_source


def report_from(root: Path) -> BatchReport:
    source, findings = read_checked(root)
    with LocalEngine(1, start_worker, (source, root)) as engine:
        return evaluate(source, findings, engine).batches[0]


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> BatchReport:
    return report_from(write_clock_source(tmp_path_factory.mktemp("clocks")))


def number(report: BatchReport, metric: str, variant: str = "full", slice_: str | None = None) -> Number:
    found = report.number(variant, metric, slice_)
    assert found is not None
    return found


def detail(found: Number) -> dict[str, Any]:
    assert found.detail is not None
    return found.detail


def test_every_run_is_in_one_stratum(report: BatchReport) -> None:
    found = number(report, "time_strata_runs")
    strata = detail(found)["strata"]
    assert {key: stratum["n"] for key, stratum in strata.items()} == {key: len(of) for key, of in STRATA.items()}
    assert sum(stratum["n"] + stratum["missing"] for stratum in strata.values()) == 11
    assert (found.value, found.denominator, found.missing and found.missing.count) == (6, 9, 2)
    assert (
        strata["unresolved-unresolved-complete"] | {"authority": None, "event": None, "missing": 1}
        == (strata["unresolved-unresolved-complete"])
    )


def test_a_stratum_by_hand(report: BatchReport) -> None:
    stratum = detail(number(report, "time_strata_runs"))["strata"]["server-execution-complete"]
    assert stratum == {
        "authority": "server",
        "event": "execution",
        "state": "complete",
        "n": 5,
        "missing": 1,
        "zero": 1,
        "saturated": 0,
        "min_ms": 0,
        "q1_ms": 1000,
        "p50_ms": 2000,
        "q3_ms": 3000,
        "p90_ms": 3600,
        "p95_ms": 3800,
        "p99_ms": 3960,
        "max_ms": 4000,
        "mean_ms": 2000,
        "s_ms": 1581.13883008,  # √2,500,000
    }


def test_a_saturated_value_is_kept_and_left_out_in_one_line_alone(report: BatchReport) -> None:
    found = detail(number(report, "time_strata_runs"))
    pooled, without = found["pooled"], found["sensitivity"]
    # 0, 1000, 1500, 2000, 3000, 4000, 61000, 600000 and the cap; their sum without it is 672,500.
    assert (pooled["n"], pooled["missing"], pooled["saturated"], pooled["max_ms"]) == (9, 2, 1, INT32_MAX)
    assert (pooled["p50_ms"], pooled["mean_ms"]) == (3000, 238684016.333)
    assert (without["n"], without["saturated"], without["p50_ms"], without["mean_ms"]) == (8, 0, 2500, 84062.5)
    assert found["differs"] == ["authority", "event", "censoring"]
    assert number(report, "duration_p50").value == 3000


def test_one_stratum_is_the_time_of_one_thing(report: BatchReport) -> None:
    found = detail(number(report, "time_strata_runs", "budgeted"))
    assert (found["differs"], found["sensitivity"], list(found["strata"])) == ([], None, ["client-execution-complete"])


def test_calls_are_counted_as_calls(report: BatchReport) -> None:
    found = number(report, "time_strata_calls")
    assert detail(found)["unit"] == "tool_call"
    counts = {key: (of["n"], of["missing"]) for key, of in detail(found)["strata"].items()}
    # 15 calls in ten runs: the failed one has none. The server's say nothing of their event.
    assert counts == {"client-approval_wait-ok": (1, 0), "server-unresolved-ok": (13, 1)}
    assert (found.value, found.denominator) == (2, 10)


@pytest.mark.parametrize(
    ("threshold", "count", "low", "high"),
    [(1000, 2, 0.181818181818, 0.363636363636), (5000, 6, 0.545454545455, 0.727272727273)],
)
def test_completion_bounds(report: BatchReport, threshold: int, count: int, low: float, high: float) -> None:
    """2 of 9 are at most 1,000 ms, 6 of 9 at most 5,000; with the two missing 2 to 4, and 6 to 8, of 11."""
    found = number(report, "time_within", slice_=f"within-{threshold}")
    pooled = detail(found)["pooled"]
    assert (found.numerator, found.denominator, found.missing and found.missing.count) == (count, 9, 2)
    assert (pooled["low"], pooled["high"], pooled["count"], pooled["high_count"]) == (low, high, count, count + 2)
    assert found.numerator_runset is not None
    assert len(report.runsets[found.numerator_runset]) == count


def test_a_value_that_was_cut_off_below_a_threshold_is_open(tmp_path: Path) -> None:
    """Of eight valid runs with a duration all are at most 60 s. Where the harness cut off at 1,700 ms, which ones that
    are there lie within 60 s is not known."""
    caps = [1700]

    def configure(source: SmallSource) -> None:
        source.publication |= {"time_thresholds_ms": [1600, 60_000], "time_caps_ms": caps}

    report = report_from(write_small_source(tmp_path, configure))
    runs = [row for row in report.rows if row.variant == "full" and row.validity == "valid"]
    cut = sum(row.timed.duration_ms in caps for row in runs)
    assert 0 < cut < len(runs)
    found = number(report, "time_within", slice_="within-60000")
    pooled = detail(found)["pooled"]
    assert (pooled["cut"], pooled["count"], pooled["high_count"]) == (cut, len(runs) - cut, len(runs))
    assert (found.numerator, found.denominator) == (len(runs) - cut, len(runs) - cut)
    assert pooled["low"] == pytest.approx((len(runs) - cut) / len(runs))
    assert detail(number(report, "time_within", slice_="within-1600"))["pooled"]["cut"] == 0


def test_a_stratum_with_nothing_but_missing_times_is_bounded_by_all_and_nothing(report: BatchReport) -> None:
    found = detail(number(report, "time_within", slice_="within-1000"))["strata"]["unresolved-unresolved-complete"]
    assert (found["observed"], found["low"], found["high"]) == (None, 0, 1)


def test_without_missing_times_nothing_needs_bounds_unless_thresholds_are_configured(tmp_path: Path) -> None:
    assert report_from(write_small_source(tmp_path / "plain")).number("full", "time_within", "within-1000") is None

    def configure(source: SmallSource) -> None:
        source.publication["time_thresholds_ms"] = [1700, 1600]

    report = report_from(write_small_source(tmp_path / "configured", configure))
    slices = [found.slice for found in report.numbers.values() if found.metric == "time_within"]
    assert slices == ["within-1600", "within-1600", "within-1700", "within-1700"]


def test_a_configured_cap_is_a_cap(tmp_path: Path) -> None:
    def configure(source: SmallSource) -> None:
        with_clocks(source)
        source.publication["time_caps_ms"] = [600000]
        source.metric("duration_p50")["saturates_at"] = 61000

    found = detail(number(report_from(write_small_source(tmp_path, configure)), "time_strata_runs"))
    assert (found["pooled"]["saturated"], found["sensitivity"]["n"], found["sensitivity"]["max_ms"]) == (3, 6, 4000)
