"""Proportions with their intervals: by metric, and by category."""

from collections.abc import Sequence
from typing import Any

import altair as alt

from generator.charts.chart import Chart, ChartCell, Setting
from generator.charts.layout import Bands, Key, Label, heading, stack
from generator.charts.marks import data, layered, look, own_colour, pixels, share_axis
from generator.charts.svg import draw
from generator.charts.theme import LEFT, RIGHT, WIDTH, style
from generator.model.addresses import slice_name, variant_name
from generator.model.metrics import Metric
from generator.model.numbers import Number

ROW_HEIGHT = 12
COUNT_WIDTH = 62
_ARROWS = {"higher": " ↑", "lower": " ↓", "neutral": ""}

Row = list[Number | None]
"""One number a variant."""


def draw_proportions(setting: Setting) -> Chart | None:
    """Every proportion that has a value for some variant, in the order of the metric table."""
    named: list[tuple[str, Row]] = []
    for metric in setting.source.metrics.metrics:
        row = _row(setting, metric)
        if metric.aggregate == "proportion" and _has_value(row):
            named.append((setting.name(metric) + _ARROWS[metric.direction], row))
    if not named:
        return None
    title, description = setting.text("proportions.title"), setting.text("proportions.description")
    return _chart(setting, "proportions", title, description, setting.text("metric"), named, counts=False)


def draw_categories(setting: Setting) -> Chart | None:
    """The pass metric by category; where nothing passed judgement, the first main metric that has values."""
    bank = setting.source.case_banks.get(setting.batch.batch.case_bank.id)
    experiment = setting.batch.experiment
    for metric_id in (experiment.pass_metric, *experiment.main_metrics):
        metric = setting.source.metrics.metric(metric_id)
        named = [
            (category.name.in_language(setting.lang), row)
            for category in ([] if bank is None else bank.categories)
            if _has_value(row := _row(setting, metric, slice_name("category", category.id)))
        ]
        if metric.aggregate == "proportion" and len(named) > 1:
            title = setting.text("categories.title", metric=setting.name(metric))
            description = setting.text("categories.description")
            first = setting.texts["common.category"]
            return _chart(setting, "categories", title, description, first, named, counts=True)
    return None


def _row(setting: Setting, metric: Metric, slice_: str | None = None) -> Row:
    return [setting.batch.number(variant_name(variant.id), metric.id, slice_) for variant in setting.variants]


def _has_value(row: Row) -> bool:
    return any(number is not None and number.value is not None for number in row)


def _chart(
    setting: Setting,
    name: str,
    title: str,
    description: str,
    first_column: str,
    named: Sequence[tuple[str, Row]],
    *,
    counts: bool,
) -> Chart:
    bands = stack([len(row) for _, row in named], ROW_HEIGHT)
    right = COUNT_WIDTH if counts else RIGHT
    labels = [heading(y, text) for y, (text, _) in zip(bands.headings, named, strict=True)]
    if counts:
        labels += _count_labels(named, bands)
    svg = draw(
        _marks([row for _, row in named], bands),
        bands.height,
        identifier=setting.identifier(name),
        title=title,
        description=description,
        keys=[Key(text, style=style(index)) for index, text in enumerate(setting.variant_names)],
        labels=labels,
        right=right,
    )
    columns = [first_column, *setting.variant_names]
    rows = [[ChartCell(text=text), *(number_cell(number) for number in row)] for text, row in named]
    return Chart(name, title, description, svg, columns, rows)


def number_cell(number: Number | None) -> ChartCell:
    return ChartCell(text="—") if number is None else ChartCell(number=number.id)


def _count_labels(named: Sequence[tuple[str, Row]], bands: Bands) -> list[Label]:
    x = WIDTH - LEFT - 4
    return [
        Label(x, y + 3.5, f"{number.numerator}/{number.denominator}", anchor="end", size=10.5)
        for (_, row), places in zip(named, bands.rows, strict=True)
        for number, y in zip(row, places, strict=True)
        if number is not None and number.value is not None
    ]


def _marks(rows: Sequence[Row], bands: Bands) -> alt.LayerChart:
    points: list[dict[str, Any]] = []
    for row, places in zip(rows, bands.rows, strict=True):
        for index, (number, y) in enumerate(zip(row, places, strict=True)):
            if number is not None and number.value is not None:
                low, high = (number.interval.low, number.interval.high) if number.interval else (None, None)
                points.append({"y": y, "value": number.value, "low": low, "high": high, **style(index).mark()})
    middle = pixels("y", bands.height)
    base = alt.Chart(data(points))
    intervals = base.mark_rule().encode(x=share_axis("low"), x2="high:Q", y=middle, color=own_colour())
    values = look(base.mark_point()).encode(x=share_axis("value"), y=middle)
    return layered(intervals, values)
