"""Accounting boundaries: the figures of an audit, and what is not established."""

from pathlib import Path
from typing import Any

import pytest

from generator.model.report import BatchReport
from tests.aggregate.test_strata import detail, number, report_from
from tests.support.clock_source import with_clocks, with_compaction
from tests.support.small_source import SmallSource, write_small_source

PAIR = "budgeted-vs-full"


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> BatchReport:
    return report_from(write_small_source(tmp_path_factory.mktemp("compaction"), with_compaction))


def changes(report: BatchReport) -> dict[str, Any]:
    return detail(number(report, "boundary_change", PAIR))


def edited(root: Path, edit: Any) -> BatchReport:
    def both(source: SmallSource) -> None:
        with_compaction(source)
        edit(source)

    return report_from(write_small_source(root, both))


def test_the_call_that_follows_alone_and_with_its_trigger(report: BatchReport) -> None:
    """1 − 600/10695 = 94.39%, 1 − 11390/21305 = 46.54%."""
    tokens = changes(report)["tokens"]
    assert (tokens["following"]["own_tokens"], tokens["following"]["baseline_tokens"]) == (600, 10695)
    assert tokens["following"]["relative_change"] == pytest.approx(-0.9438990182328191)
    assert (tokens["pair"]["own_tokens"], tokens["pair"]["baseline_tokens"]) == (11390, 21305)
    assert tokens["pair"]["relative_change"] == pytest.approx(-0.4653837127434874)


def test_the_whole_run_may_change_the_other_way(report: BatchReport) -> None:
    """Totals are 1,000 + 10 · sequence, whatever the calls say: 1121 against 1104.545… tokens a run."""
    found = number(report, "boundary_change", PAIR)
    run = detail(found)["tokens"]["run"]
    assert (run["own_tokens"], run["reason"]) == (1121, None)
    assert found.value == run["relative_change"] == pytest.approx(1121 / (12150 / 11) - 1)


def test_tokens_of_a_call(report: BatchReport) -> None:
    """`full`: 4 runs of basic-01 with 10610 + 10695 + 450, 6 with two calls of 450, the failed one with one."""
    found = number(report, "tokens_per_call")
    assert detail(found)["calls"] == 26
    assert found.value == pytest.approx((4 * (10610 + 10695 + 450) + 14 * 450) / 26)
    assert detail(found)["unlike_total"] == 11


def test_cost_is_not_recorded_by_call(report: BatchReport) -> None:
    cost = changes(report)["cost"]
    assert [cost[name]["reason"] for name in ("call", "following", "pair", "run")] == ["not_per_call"] * 3 + [None]
    assert (cost["run"]["own_usd"], cost["run"]["relative_change"]) == (0.01, 0)


def test_without_a_mark_no_call_stands_in_for_the_one_that_follows(tmp_path: Path) -> None:
    tokens = changes(report_from(write_small_source(tmp_path)))["tokens"]
    assert [tokens[name]["reason"] for name in ("call", "following", "pair", "run")] == [
        None,
        "no_compaction",
        "no_compaction",
        None,
    ]


@pytest.mark.parametrize(
    ("key", "value", "reason"), [("usage", None, "total_missing"), ("usage", "estimated", "estimated")]
)
def test_a_total_that_is_not_established(tmp_path: Path, key: str, value: str | None, reason: str) -> None:
    def edit(source: SmallSource) -> None:
        run = source.batch.cell("basic-01", "full", 0)
        run[key] = None if value is None else run[key] | {"estimated": True}

    report = edited(tmp_path, edit)
    found = number(report, "boundary_change", PAIR)
    assert (found.value, found.reason) == (None, "total_not_established")
    assert (detail(found)["tokens"]["run"]["reason"], detail(found)["tokens"]["pair"]["reason"]) == (reason, None)


def test_a_call_without_usage_and_a_run_without_a_trace(tmp_path: Path) -> None:
    def silence(source: SmallSource) -> None:
        source.batch.cell("safety-01", "full", 0)["trace"][0]["prompt_tokens"] = None

    def untrace(source: SmallSource) -> None:
        source.batch.cell("safety-01", "full", 0)["trace"] = None

    tokens = changes(edited(tmp_path / "silent", silence))["tokens"]
    assert (tokens["call"]["reason"], tokens["following"]["reason"]) == ("call_missing", None)
    tokens = changes(edited(tmp_path / "untraced", untrace))["tokens"]
    assert (tokens["call"]["reason"], tokens["following"]["reason"]) == ("no_trace", "no_trace")


def test_times_of_different_strata_have_no_change(tmp_path: Path) -> None:
    def clocks(source: SmallSource) -> None:
        with_clocks(source)
        for case, repeat in (("basic-02", 1), ("safety-01", 1)):
            source.batch.cell(case, "full", repeat)["timing"] = {"duration_ms": 5, "event": "queue"}

    time = changes(edited(tmp_path, clocks))["time"]
    assert (time["run"]["reason"], time["run"]["relative_change"], time["call"]["reason"]) == (
        "strata_differ",
        None,
        None,
    )
