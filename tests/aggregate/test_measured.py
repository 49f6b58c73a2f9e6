"""The measurement contract against the runs of the source with many clocks, counted by hand."""

from pathlib import Path

import pytest

from generator.model.measured import FieldSeen, Measured
from generator.model.report import BatchReport
from generator.views.measured import contract_views
from tests.aggregate.build import make_source
from tests.aggregate.test_strata import report_from
from tests.support.clock_source import with_clocks, write_clock_source
from tests.support.small_source import SmallSource, write_small_source


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> BatchReport:
    return report_from(write_clock_source(tmp_path_factory.mktemp("clocks")))


def entry(report: BatchReport, metric: str) -> Measured:
    return next(found for found in report.measurement if found.metric == metric)


def test_every_metric_with_a_contract_and_no_other(report: BatchReport) -> None:
    assert [found.metric for found in report.measurement] == ["avg_turns", "avg_tokens", "duration_p50", "duration_p95"]


def test_what_is_recorded_of_times(report: BatchReport) -> None:
    """21 valid runs: the 11 of `full`, as their table says, and 10 of `budgeted`, all client, execution."""
    found = entry(report, "duration_p95")
    assert (found.valid, found.recorded, found.missing) == (21, 19, 2)
    assert found.fields == {
        "clock": FieldSeen(values={"start_and_end": 10}, unresolved=11),
        "reporting_authority": FieldSeen(values={"client": 13, "server": 7}, unresolved=1),
        "end_event": FieldSeen(values={"abandonment": 1, "approval_wait": 1, "execution": 17}, unresolved=2),
        "terminal_states": FieldSeen(values={"complete": 20, "failed": 1}, unresolved=0),
        "censoring": FieldSeen(values={"missing": 1}, unresolved=20),
        # The failed run made no tool call; of one run's two calls one has no time.
        "per_call_usage": FieldSeen(values={"every_call": 19, "no_call": 1, "some_calls": 1}, unresolved=0),
    }


def test_usage_that_is_estimated_or_not_there(tmp_path: Path) -> None:
    def edit(source: SmallSource) -> None:
        with_clocks(source)
        source.batch.cell("basic-01", "full", 0)["usage"]["estimated"] = True
        source.batch.cell("basic-01", "full", 1)["usage"] = None
        source.batch.cell("basic-01", "full", 2)["trace"] = None
        for step in source.batch.cell("basic-01", "full", 3)["trace"]:
            step.pop("prompt_tokens", None)

    found = entry(report_from(write_small_source(tmp_path, edit)), "avg_tokens").fields
    authorities = {"harness_estimate": 1, "model_service": 19}
    assert found["reporting_authority"] == FieldSeen(values=authorities, unresolved=1)
    assert found["per_call_usage"] == FieldSeen(values={"every_call": 19}, unresolved=2)


def test_fields_are_shown_as_what_they_are(report: BatchReport) -> None:
    views = contract_views(report, make_source().metrics.by_id())
    assert [[metric.id for metric in view.metrics] for view in views] == [
        ["avg_turns"],
        ["avg_tokens"],
        ["duration_p50", "duration_p95"],
    ]
    status = {field.name: field.status for field in views[-1].fields}
    assert (status["end_event"], status["terminal_states"]) == ("partly", "recorded")
