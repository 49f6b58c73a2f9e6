"""The box on the result page: runs of each variant against the profile in force."""

from collections.abc import Sequence
from dataclasses import dataclass

from generator.model.addresses import difference_variant, slice_name, variant_name
from generator.model.box import FACTOR, INSIDE
from generator.model.experiments import Variant
from generator.model.numbers import Number
from generator.model.profiles import TIME_COLUMNS, Factor, Profile
from generator.model.report import BatchReport, Report
from generator.views.frame import Cell, metric_row, shown_variants

SUMMARY = (INSIDE, "box_rmsl", "box_median_score", "box_mean_score", "box_spread")
CHARTS = "box-"
"""What the names of charts of the box begin with."""


@dataclass(frozen=True)
class BoxRow:
    """The numbers of a variant, by metric."""

    variant: Variant
    cells: dict[str, Cell]

    @property
    def inside(self) -> Number:
        return self.cells[INSIDE].number


@dataclass(frozen=True)
class FactorRow:
    """A factor, and mean badness and mean loss of each variant."""

    factor: Factor
    cells: list[tuple[Variant, Number, Number]]


@dataclass(frozen=True)
class BoxView:
    """`margins`: one a variant besides the baseline, and whether the order that it is about is unsettled."""

    profile: Profile
    rows: list[BoxRow]
    factors: list[FactorRow]
    margins: list[tuple[Variant, Number, bool]]
    charts: list[object]
    summary: tuple[str, ...] = SUMMARY

    @property
    def has_times(self) -> bool:
        """Whether a factor is a time, which is pooled over strata."""
        return any(factor.column in TIME_COLUMNS for factor in self.profile.factors)


def box_view(report: Report, batch: BatchReport, charts: Sequence[object]) -> BoxView | None:
    """None without numbers of the box."""
    profile = report.source.box_profile
    rows = [row for row in _rows(report, batch) if row.cells.keys() >= set(SUMMARY)]
    if profile is None or not rows:
        return None
    return BoxView(
        profile=profile,
        rows=rows,
        factors=[FactorRow(factor, _of_factor(batch, factor)) for factor in profile.factors],
        margins=_margins(batch),
        charts=[chart for chart in charts if is_of_box(chart)],
    )


def is_of_box(chart: object) -> bool:
    return str(getattr(chart, "name", "")).startswith(CHARTS)


def _rows(report: Report, batch: BatchReport) -> list[BoxRow]:
    known = report.source.metrics.by_id()
    by_metric = {name: metric_row(batch, known[name]).cells for name in SUMMARY if name in known}
    return [
        BoxRow(variant, {name: cell for name, cells in by_metric.items() for cell in cells if cell.variant is variant})
        for variant in shown_variants(batch)
    ]


def _of_factor(batch: BatchReport, factor: Factor) -> list[tuple[Variant, Number, Number]]:
    found = []
    for variant in shown_variants(batch):
        group, slice_ = variant_name(variant.id), slice_name(FACTOR, factor.name)
        badness, loss = (batch.number(group, metric, slice_) for metric in ("box_badness", "box_loss"))
        if badness is not None and loss is not None:
            found.append((variant, badness, loss))
    return found


def _margins(batch: BatchReport) -> list[tuple[Variant, Number, bool]]:
    found = []
    for variant in shown_variants(batch):
        group = difference_variant(variant.id, batch.experiment.baseline)
        margin, apart = (batch.number(group, metric) for metric in ("box_margin", "box_rmsl"))
        if margin is not None:
            found.append((variant, margin, apart is not None and _holds_zero(apart)))
    return found


def _holds_zero(difference: Number) -> bool:
    return difference.interval is not None and difference.interval.low <= 0 <= difference.interval.high
