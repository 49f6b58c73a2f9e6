"""The entry to all runs: one list for each batch and variant; and the page that sets two of them side by side."""

from dataclasses import dataclass

from generator.model.addresses import COMPARISON_PAGE, result_page, run_list_page, variant_name
from generator.model.experiments import Variant
from generator.model.numbers import Number
from generator.model.report import BatchReport, Report
from generator.views.frame import PageView, shown_variants

COUNTS = ("planned", "valid", "complete", "failed", "invalid", "cancelled", "skipped")
_HIDDEN = ("navigation", "toc")
"""Their tables are as wide as a desk."""


@dataclass(frozen=True)
class VariantRuns:
    variant: Variant
    page: str
    numbers: list[Number | None]


@dataclass(frozen=True)
class BatchRuns:
    report: BatchReport
    page: str
    variants: list[VariantRuns]


def runs_view(report: Report, title: str) -> PageView:
    context = {
        "batches": [batch_runs(batch) for batch in report.batches],
        "counts": COUNTS,
        "reasons": _reasons(report),
    }
    banner = any(batch.batch.synthetic for batch in report.batches)
    return PageView("runs/index.html", "runs.md.j2", title, context, banner, hide=_HIDDEN)


def compare_view(report: Report, title: str) -> PageView:
    """Two runs side by side: scripts fill it from the evidence."""
    banner = any(batch.batch.synthetic for batch in report.batches)
    return PageView(COMPARISON_PAGE, "compare.md.j2", title, {"reasons": _reasons(report)}, banner, hide=_HIDDEN)


def _reasons(report: Report) -> list[str]:
    """Of runs without a result."""
    return sorted({row.reason for batch in report.batches for row in batch.rows if row.reason is not None})


def batch_runs(batch: BatchReport) -> BatchRuns:
    variants = [
        VariantRuns(
            variant,
            run_list_page(batch.batch.id, variant.id, 1),
            [batch.number(variant_name(variant.id), f"runs_{count}") for count in COUNTS],
        )
        for variant in shown_variants(batch)
    ]
    return BatchRuns(batch, result_page(batch.experiment.id, batch.batch.id), variants)
