from typing import cast

import pytest

from generator.model.base import Text
from generator.model.metrics import MeasurementContract
from generator.model.report import Report
from generator.views.metrics import MetricEntry, contract_parts, metrics_view, shown_in
from generator.views.pages import navigation, site_pages
from generator.views.runs_index import COUNTS, BatchRuns, runs_view
from tests.views.reports import EXPERIMENT, empty_report, small_report

TITLES = {
    name: name
    for name in (
        *("home", "experiments", "all_experiments", "runs", "all_runs", "compare", "statistics", "metrics"),
        *("methods", "verify", "data", "changes"),
    )
}  # fmt: skip


def _entries(report: Report) -> list[MetricEntry]:
    context = metrics_view(report, "t").context
    return [*cast(list[MetricEntry], context["entries"]), *cast(list[MetricEntry], context["extensions"])]


def test_every_row_of_the_table_stands_on_the_page_once() -> None:
    shown = [entry.metric.id for entry in _entries(small_report())]
    assert sorted(shown) == sorted(metric.id for metric in small_report().source.metrics.metrics)


def test_extensions_stand_apart() -> None:
    context = metrics_view(small_report(), "t").context
    assert not any(entry.metric.extension for entry in cast(list[MetricEntry], context["entries"]))
    assert all(entry.metric.extension for entry in cast(list[MetricEntry], context["extensions"]))


def test_a_metric_is_shown_in_the_batches_where_it_has_a_value() -> None:
    report = small_report()
    (place,) = shown_in(report, report.source.metrics.metric("call_relation_pass_rate"))
    assert (place.batch, place.page) == ("ctx-small", f"experiments/{EXPERIMENT}/ctx-small.html")
    assert shown_in(report, report.source.metrics.metric("task_pass_rate")) == []
    assert shown_in(empty_report(), report.source.metrics.metric("call_relation_pass_rate")) == []


def test_a_contract_is_shown_part_by_part() -> None:
    telemetry = [metric for metric in small_report().source.metrics.metrics if metric.contract is not None]
    if not telemetry:
        pytest.fail("the metric table has no measurement contract")
    parts = contract_parts(telemetry[0])
    assert [name for name, _ in parts] == list(MeasurementContract.__struct_fields__)
    assert all(isinstance(text, Text) for _, text in parts)


def test_every_variant_of_a_batch_has_its_list_of_runs() -> None:
    (batch,) = cast(list[BatchRuns], runs_view(small_report(), "t").context["batches"])
    assert [row.page for row in batch.variants] == [
        "runs/ctx-small/lists/full-1.html",
        "runs/ctx-small/lists/budgeted-1.html",
    ]
    counted = [number.value for number in batch.variants[0].numbers if number is not None]
    assert counted == [12, 11, 10, 1, 0, 1, 0]
    assert len(COUNTS) == len(counted)


def test_the_navigation_holds_every_page_once() -> None:
    report = small_report()
    targets: list[str] = []
    for _, target in navigation(report, "zh", TITLES):
        targets += [target] if isinstance(target, str) else [page for _, page in target]
    pages = [view.source_path for view in site_pages(report, {}, "zh", TITLES)]
    assert sorted(targets) == sorted([*pages, "methods.md"])


def test_an_empty_source_still_has_every_page_but_results() -> None:
    pages = {view.path for view in site_pages(empty_report(), {}, "en", TITLES)}
    assert {"index.html", "experiments/index.html", "runs/index.html", "metrics.html", "data.html"} <= pages
    assert f"experiments/{EXPERIMENT}/ctx-small.html" not in pages
