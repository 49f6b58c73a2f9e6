"""The metric table, in full."""

from dataclasses import dataclass

from generator.model.addresses import result_page, variant_name
from generator.model.base import Text
from generator.model.metrics import MeasurementContract, Metric
from generator.model.register import evidence_name
from generator.model.report import BatchReport, Report
from generator.views.audit import AUDIT_PAGE
from generator.views.frame import PageView, shown_variants

CONTRACT_PARTS = MeasurementContract.__struct_fields__


@dataclass(frozen=True)
class ShownIn:
    batch: str
    page: str
    fragment: str = "main"


@dataclass(frozen=True)
class MetricEntry:
    """A row of the table with its measurement contract, part by part, and the batches that show it."""

    metric: Metric
    contract: list[tuple[str, Text]]
    shown_in: list[ShownIn]


def metrics_view(report: Report, title: str) -> PageView:
    entries = [
        MetricEntry(metric, contract_parts(metric), shown_in(report, metric))
        for metric in report.source.metrics.metrics
    ]
    context = {
        "table": report.source.metrics,
        "entries": [entry for entry in entries if not entry.metric.extension],
        "extensions": [entry for entry in entries if entry.metric.extension],
    }
    return PageView("metrics.html", "metrics.md.j2", title, context)


def contract_parts(metric: Metric) -> list[tuple[str, Text]]:
    if metric.contract is None:
        return []
    return [(part, getattr(metric.contract, part)) for part in CONTRACT_PARTS]


def shown_in(report: Report, metric: Metric) -> list[ShownIn]:
    """The batches in which at least one variant has a value for it, newest first; of a metric on aggregate evidence,
    the evidence."""
    if metric.aggregate == "evidence":
        numbers = [number for number in report.evidence_numbers.values() if number.metric == metric.id]
        entries = dict.fromkeys(number.evidence or "" for number in numbers)
        return [ShownIn(entry, AUDIT_PAGE, f"evidence-{evidence_name(entry)}") for entry in entries]
    return [
        ShownIn(batch.batch.id, result_page(batch.experiment.id, batch.batch.id))
        for batch in report.batches
        if _has_value(batch, metric)
    ]


def _has_value(batch: BatchReport, metric: Metric) -> bool:
    numbers = (batch.number(variant_name(variant.id), metric.id) for variant in shown_variants(batch))
    return any(number is not None and number.value is not None for number in numbers)
