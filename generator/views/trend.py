"""Main numbers over the batches of one experiment. A line joins only what was measured alike."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from generator.model.addresses import result_page, variant_name
from generator.model.experiments import Variant
from generator.model.metrics import Metric
from generator.model.numbers import Number
from generator.model.report import BatchReport, Report
from generator.views.frame import main_metrics, shown_variants

MOST_BATCHES = 12
"""The newest ones; a line of more could not be read."""
_HEIGHT, _MARGIN = 40.0, 4.0


@dataclass(frozen=True)
class TrendBatch:
    """`breaks` names what was changed since the batch before; empty where both are measured alike."""

    report: BatchReport
    page: str
    breaks: list[str]


@dataclass(frozen=True)
class TrendPoint:
    """A place in the drawing, the interval from `low` to `high`; all in its units."""

    x: float
    y: float
    low: float
    high: float


@dataclass(frozen=True)
class TrendLine:
    """A variant: a number for each batch, and the drawing. `parts` are paths, cut at breaks and gaps."""

    variant: Variant
    numbers: list[Number | None]
    points: list[TrendPoint]
    parts: list[str]


@dataclass(frozen=True)
class MetricTrend:
    """`cuts` are the places of breaks in drawings that are `width` wide."""

    metric: Metric
    lines: list[TrendLine]
    width: float
    cuts: list[float]


@dataclass(frozen=True)
class Trend:
    """`batches` oldest first."""

    batches: list[TrendBatch]
    metrics: list[MetricTrend]

    @property
    def has_breaks(self) -> bool:
        return any(batch.breaks for batch in self.batches)


def trend(report: Report, newest: BatchReport) -> Trend | None:
    """Of the batches of an experiment up to this one; None where there is but one."""
    known = [batch for batch in report.batches if batch.experiment.id == newest.experiment.id]
    batches = known[known.index(newest) :][:MOST_BATCHES][::-1]
    if len(batches) < 2 or newest.experiment.kind != "comparison":
        return None
    breaks = [[], *(changed(before, after) for before, after in pairwise(batches))]
    shown = [
        TrendBatch(batch, result_page(batch.experiment.id, batch.batch.id), cut)
        for batch, cut in zip(batches, breaks, strict=True)
    ]
    metrics = main_metrics(newest, report.source.metrics.by_id())
    return Trend(shown, [_metric_trend(metric, shown, newest) for metric in metrics])


def changed(before: BatchReport, after: BatchReport) -> list[str]:
    """What makes numbers of two batches incomparable: keys of the words for it."""
    first, second = before.batch, after.batch
    found = {
        "metric_table": first.metric_table_version != second.metric_table_version,
        "case_bank": first.case_bank != second.case_bank,
        "cases": set(first.planned.cases) != set(second.planned.cases),
        "judges": first.judges != second.judges,
        "fixtures": first.fixtures != second.fixtures,
    }
    return [name for name, is_changed in found.items() if is_changed]


def _metric_trend(metric: Metric, batches: Sequence[TrendBatch], newest: BatchReport) -> MetricTrend:
    step = max(24.0, 96.0 / len(batches))
    lines = {
        variant: [batch.report.number(variant_name(variant.id), metric.id) for batch in batches]
        for variant in shown_variants(newest)
    }
    top = 1.0 if metric.unit == "ratio" else max((_highest(it) for of in lines.values() for it in of), default=1) or 1
    cuts = [step * place for place, batch in enumerate(batches) if batch.breaks]
    drawn = [_line(variant, numbers, batches, step, top) for variant, numbers in lines.items()]
    return MetricTrend(metric, drawn, step * len(batches), cuts)


def _highest(number: Number | None) -> float:
    if number is None or number.value is None:
        return 0
    return max(number.value, number.interval.high if number.interval else 0)


def _line(
    variant: Variant, numbers: list[Number | None], batches: Sequence[TrendBatch], step: float, top: float
) -> TrendLine:
    points: list[TrendPoint] = []
    parts: list[str] = []
    is_joined = False
    for place, (number, batch) in enumerate(zip(numbers, batches, strict=True)):
        if number is None or number.value is None:
            is_joined = False
            continue
        ends = (number.interval.low, number.interval.high) if number.interval else (number.value, number.value)
        point = TrendPoint(step * (place + 0.5), *(_height(it, top) for it in (number.value, *ends)))
        if is_joined and not batch.breaks:
            parts[-1] += f"L{point.x:g} {point.y:g}"
        else:
            parts.append(f"M{point.x:g} {point.y:g}")
        is_joined = True
        points.append(point)
    return TrendLine(variant, numbers, points, parts)


def _height(value: float, top: float) -> float:
    return round(_MARGIN + (_HEIGHT - 2 * _MARGIN) * (1 - value / top), 2)
