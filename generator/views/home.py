"""The home page: the newest batches with their main numbers, and how to check one of them."""

from dataclasses import dataclass

from generator.model.addresses import result_page, variant_name
from generator.model.experiments import Variant
from generator.model.metrics import Metric
from generator.model.numbers import Number
from generator.model.report import BatchReport, Report
from generator.views.audit import claim_counts
from generator.views.frame import Cell, PageView, example_number, main_metrics, metric_row

NEWEST = 8
MAIN_METRICS = 2
FIRST_CLAIMS = 3
"""Claims on the home page of a source that has no batch."""


@dataclass(frozen=True)
class HomeRow:
    """A variant with its main numbers and its sample."""

    variant: Variant
    cells: list[Cell | None]
    valid: Number | None
    planned: Number | None


@dataclass(frozen=True)
class HomeBatch:
    report: BatchReport
    page: str
    metrics: list[Metric]
    rows: list[HomeRow]


def home_view(report: Report, title: str) -> PageView:
    example, ledger = example_number(report), report.source.claims
    context = {
        "batches": [home_batch(batch, report) for batch in report.batches[:NEWEST]],
        "more": len(report.batches) > NEWEST,
        "batch_count": len(report.batches),
        "run_count": sum(len(batch.rows) for batch in report.batches),
        "experiment_count": len(report.source.experiments),
        "has_audit": report.has_audit,
        "first_claims": [] if report.batches or ledger is None else ledger.claims[:FIRST_CLAIMS],
        "claims": [] if ledger is None else claim_counts(ledger),
        "example": example,
        "example_run": first_run(report, example),
    }
    banner = any(batch.batch.synthetic for batch in report.batches)
    return PageView("index.html", "home.md.j2", title, context, banner, hide=("navigation", "toc"))


def home_batch(batch: BatchReport, report: Report) -> HomeBatch:
    metrics = main_metrics(batch, report.source.metrics.by_id())[:MAIN_METRICS]
    by_metric = [{cell.variant.id: cell for cell in metric_row(batch, metric).cells} for metric in metrics]
    rows = [
        HomeRow(
            variant,
            [cells.get(variant.id) for cells in by_metric],
            batch.number(variant_name(variant.id), "runs_valid"),
            batch.number(variant_name(variant.id), "runs_planned"),
        )
        for variant in batch.experiment.ordered_variants
        if variant.id in batch.batch.planned.variants
    ]
    if batch.experiment.kind != "comparison":
        # Of mutants and of runs that follow others the batch has one number; rows without any would say nothing.
        rows = [row for row in rows if any(cell is not None for cell in row.cells)]
    return HomeBatch(batch, result_page(batch.experiment.id, batch.batch.id), metrics, rows)


def first_run(report: Report, number: Number | None) -> str | None:
    """The first run, by id, that the number counts."""
    if number is None or number.runset is None:
        return None
    for batch in report.batches:
        if batch.batch.id == number.batch:
            runs = batch.runsets.get(number.runset, ())
            return runs[0] if runs else None
    return None
