"""What all pages for readers share: how a page is described, and how it links."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol

from generator.model.addresses import difference_variant, relative, variant_name
from generator.model.base import Lang
from generator.model.experiments import Variant
from generator.model.metrics import Metric
from generator.model.numbers import Number
from generator.model.report import BatchReport, Report


class DrawnChart(Protocol):
    """A chart that is drawn already. `page` is the page of its batch on which it stands."""

    @property
    def page(self) -> str: ...


@dataclass(frozen=True)
class PageView:
    """One page of one language. `path` is its address below the language's root; `context` feeds the template."""

    path: str
    template: str
    title: str
    context: Mapping[str, object]
    banner: bool = False
    hide: tuple[str, ...] = ("navigation",)

    @property
    def source_path(self) -> str:
        return self.path.removesuffix(".html") + ".md"


@dataclass(frozen=True)
class Links:
    """Relative addresses from one page."""

    path: str
    lang: Lang

    @property
    def address(self) -> str:
        """Of the page, from the root of the site."""
        return f"en/{self.path}" if self.lang == "en" else self.path

    def to(self, target: str) -> str:
        """To a page of the same language."""
        return relative(target, self.path)

    def out(self, target: str) -> str:
        """To what stands once for both languages: evidence, numbers, lists of runs, files."""
        anchor = "#en" if self.lang == "en" and target.endswith(".html") else ""
        return relative(target, self.address) + anchor


@dataclass(frozen=True)
class IntervalBar:
    """A proportion and its interval, in hundredths of the axis from 0 to 1."""

    low: float
    high: float
    value: float


@dataclass(frozen=True)
class Cell:
    """A number of one variant, with what stands beside it."""

    variant: Variant
    number: Number
    difference: Number | None = None
    bar: IntervalBar | None = None

    @property
    def not_applicable(self) -> list[str]:
        """Keys of `excluded` for runs that the metric does not apply to."""
        return sorted(key for key in self.number.excluded if key.startswith("not_applicable:"))

    @property
    def settled(self) -> bool | None:
        """Whether the interval of the difference leaves out the value zero; None where there is no interval."""
        interval = None if self.difference is None else self.difference.interval
        return None if interval is None else not interval.low <= 0 <= interval.high


@dataclass(frozen=True)
class MetricRow:
    """A metric across the variants of a batch, baseline first. No cells: the batch has no such number."""

    metric: Metric
    cells: list[Cell] = field(default_factory=list)

    @property
    def applies(self) -> bool:
        return any(cell.number.value is not None for cell in self.cells)

    @property
    def shared_reason(self) -> str | None:
        """Why no variant has a value, where all say the same."""
        reasons = {cell.number.reason for cell in self.cells}
        return reasons.pop() if len(reasons) == 1 else None


def metric_row(report: BatchReport, metric: Metric, slice_: str | None = None) -> MetricRow:
    """The numbers of one metric and slice, with differences to the baseline where the report has them."""
    experiment = report.experiment
    cells = []
    for variant in shown_variants(report):
        number = report.number(variant_name(variant.id), metric.id, slice_)
        if number is None:
            continue
        group = difference_variant(variant.id, experiment.baseline)
        difference = None if variant.id == experiment.baseline else report.number(group, metric.id, slice_)
        cells.append(Cell(variant, number, difference, interval_bar(number)))
    return MetricRow(metric, cells)


def shown_variants(report: BatchReport) -> list[Variant]:
    """The variants that the batch planned, baseline first."""
    planned = set(report.batch.planned.variants)
    return [variant for variant in report.experiment.ordered_variants if variant.id in planned]


def interval_bar(number: Number) -> IntervalBar | None:
    """Null for whatever is not a proportion with an interval."""
    if number.value is None or number.unit != "ratio" or number.interval is None:
        return None
    low, high, value = (round(100 * part, 2) for part in (number.interval.low, number.interval.high, number.value))
    return IntervalBar(low, high, value)


def main_metrics(report: BatchReport, metrics: Mapping[str, Metric]) -> list[Metric]:
    """The metrics that stand for the experiment; its pass metric where it names none."""
    named = report.experiment.main_metrics or [report.experiment.pass_metric]
    return [metrics[metric_id] for metric_id in named if metric_id in metrics]


def example_number(report: Report) -> Number | None:
    """The number that the pages explain: the first main proportion of the newest batch that has a value."""
    table = report.source.metrics.by_id()
    for batch in report.batches:
        for metric in main_metrics(batch, table):
            for cell in metric_row(batch, metric).cells if metric.aggregate == "proportion" else ():
                if cell.number.numerator is not None and cell.number.value is not None:
                    return cell.number
    return None
