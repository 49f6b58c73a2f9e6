"""The statistics page of one batch: what its numbers decide, and how sure that is."""

from collections.abc import Sequence
from dataclasses import dataclass

from generator.model.addresses import difference_variant, statistics_page, variant_name
from generator.model.base import Lang
from generator.model.experiments import Variant
from generator.model.metrics import Metric
from generator.model.numbers import CaseTest, Number
from generator.model.report import BatchReport, Report
from generator.views.assumptions import assumption_rows, budget, readings
from generator.views.frame import MetricRow, PageView, metric_row, shown_variants
from generator.views.kinds import kind_view

CONTRACT_METRIC = "contract_satisfaction_rate"


@dataclass(frozen=True)
class VariantDecision:
    """The pass metric of a variant, and its difference to the baseline; None for the baseline."""

    variant: Variant
    number: Number
    difference: Number | None

    @property
    def tests(self) -> tuple[CaseTest, ...]:
        return () if self.difference is None else self.difference.tests


@dataclass(frozen=True)
class VariantBehaviour:
    """The spread of the features of a variant, and their shift against the baseline; None for the baseline."""

    variant: Variant
    dimension: Number
    shift: Number | None


@dataclass(frozen=True)
class OtherComparison:
    """A difference of a metric besides the pass metric that has a verdict."""

    metric: Metric
    variant: Variant
    difference: Number


def statistics_view(report: Report, batch: BatchReport, charts: Sequence[object], lang: Lang) -> PageView:
    experiment, head, table = batch.experiment, batch.batch, report.source.metrics.metrics
    made, assumptions = decisions(batch), assumption_rows(batch, table)
    context = {
        "report": batch,
        "batch": head,
        "experiment": experiment,
        "pass_metric": report.source.metrics.metric(experiment.pass_metric),
        "levels": report.source.publication.thresholds,
        "decisions": made,
        "test_methods": list(dict.fromkeys(test.method for entry in made for test in entry.tests)),
        "contract": report.source.contract_of(experiment),
        "kept": contract_row(report, batch),
        "others": other_comparisons(batch, table),
        "features": [metric for metric in table if metric.family == "fingerprint"],
        "behaviours": behaviours(batch),
        "coverage": coverage_rows(batch, table),
        "kinds": kind_view(batch),
        "assumptions": assumptions,
        "readings": readings(assumptions),
        "budget": budget(batch, table),
        "charts": charts,
    }
    title = f"{experiment.title.in_language(lang)} · {head.id}"
    page = statistics_page(experiment.id, head.id)
    return PageView(page, "statistics.md.j2", title, context, head.synthetic, hide=("navigation", "toc"))


def decisions(batch: BatchReport) -> list[VariantDecision]:
    """One a variant, baseline first."""
    found = []
    for variant in shown_variants(batch):
        number = batch.number(variant_name(variant.id), batch.experiment.pass_metric)
        if number is not None and number.verdict is not None:
            found.append(VariantDecision(variant, number, _difference(batch, variant, batch.experiment.pass_metric)))
    return found


def contract_row(report: Report, batch: BatchReport) -> MetricRow | None:
    """How often each variant kept the contract of its experiment; None without one."""
    metric = report.source.metrics.by_id().get(CONTRACT_METRIC)
    has_contract = report.source.contract_of(batch.experiment) is not None
    return metric_row(batch, metric) if has_contract and metric is not None else None


def other_comparisons(batch: BatchReport, metrics: Sequence[Metric]) -> list[OtherComparison]:
    """In the order of the metric table; those whose groups are not empty."""
    found = []
    for metric in metrics:
        for variant in shown_variants(batch):
            difference = _difference(batch, variant, metric.id)
            if difference is None or difference.value is None or metric.id == batch.experiment.pass_metric:
                continue
            if difference.verdict is not None:
                found.append(OtherComparison(metric, variant, difference))
    return found


def behaviours(batch: BatchReport) -> list[VariantBehaviour]:
    """One a variant, baseline first."""
    found = []
    for variant in shown_variants(batch):
        number = batch.number(variant_name(variant.id), "fingerprint_dimension")
        if number is not None:
            found.append(VariantBehaviour(variant, number, _difference(batch, variant, "fingerprint_shift")))
    return found


def coverage_rows(batch: BatchReport, metrics: Sequence[Metric]) -> list[MetricRow]:
    """The five dimensions and what they come to, in the order of the metric table."""
    return [metric_row(batch, metric) for metric in metrics if (metric.operation or "").startswith("coverage")]


def _difference(batch: BatchReport, variant: Variant, metric: str) -> Number | None:
    baseline = batch.experiment.baseline
    return None if variant.id == baseline else batch.number(difference_variant(variant.id, baseline), metric)
