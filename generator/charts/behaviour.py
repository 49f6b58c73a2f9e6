"""What runs did: how far their features drifted from the baseline, and how much of the behaviour was reached."""

from collections.abc import Sequence
from typing import Any

import altair as alt

from generator.charts.chart import Chart, ChartCell, Setting
from generator.charts.layout import Key, heading, stack
from generator.charts.marks import data, layered, look, own_colour, pixels, share_axis
from generator.charts.proportions import number_cell
from generator.charts.svg import Drawing, draw
from generator.charts.theme import GROUND, SOFT, style
from generator.model.addresses import difference_variant, variant_name
from generator.model.metrics import Metric
from generator.model.numbers import Number

ROW_HEIGHT = 12
LEAST_REACH = 0.5
MARGIN = 1.08

Point = tuple[int, float]
"""Place of the variant, and its value."""


def draw_drift(setting: Setting) -> Chart | None:
    """Difference of the mean of each feature to the baseline, in pooled standard deviations; one mark a variant."""
    shifts = {index: number for index, number in enumerate(_shifts(setting)) if number is not None}
    features = [metric for metric in setting.source.metrics.metrics if metric.family == "fingerprint"]
    named = [(metric, points) for metric in features if (points := _drifts(shifts, metric.id))]
    if not named:
        return None
    reach = max(LEAST_REACH, *(abs(value) for _, points in named for _, value in points)) * MARGIN
    x = alt.X("value:Q", scale=alt.Scale(domain=[-reach, reach], nice=False), axis=alt.Axis(tickCount=5))
    title, description = setting.text("drift.title"), setting.text("drift.description")
    columns = [
        setting.text("variant"),
        *(setting.name(setting.source.metrics.metric(m)) for m in ("fingerprint_shift",)),
    ]
    rows = [[ChartCell(text=setting.variant_names[index]), number_cell(number)] for index, number in shifts.items()]
    svg = _rows(setting, "drift", (title, description), [(setting.name(m), p) for m, p in named], x, zero=True)
    return Chart("drift", title, description, svg, columns, rows, page="statistics")


def draw_coverage(setting: Setting) -> Chart | None:
    """The five dimensions and their geometric mean, one mark a variant."""
    metrics = [m for m in setting.source.metrics.metrics if (m.operation or "").startswith("coverage")]
    table = [(metric, _numbers(setting, metric)) for metric in metrics]
    named = [
        (setting.name(metric), [(index, float(n.value)) for index, n in enumerate(row) if n and n.value is not None])
        for metric, row in table
    ]
    named = [(name, points) for name, points in named if points]
    if not named:
        return None
    title, description = setting.text("coverage.title"), setting.text("coverage.description")
    columns = [setting.text("metric"), *setting.variant_names]
    rows = [[ChartCell(text=setting.name(metric)), *(number_cell(number) for number in row)] for metric, row in table]
    svg = _rows(setting, "coverage", (title, description), named, share_axis("value"), zero=False)
    return Chart("coverage", title, description, svg, columns, rows, page="statistics")


def _rows(
    setting: Setting,
    name: str,
    texts: tuple[str, str],
    named: Sequence[tuple[str, Sequence[Point]]],
    x: alt.X,
    *,
    zero: bool,
) -> Drawing:
    """A heading for each name, below it one row a variant."""
    bands = stack([len(points) for _, points in named], ROW_HEIGHT)
    y = pixels("y", bands.height)
    marks: list[dict[str, Any]] = [
        {"y": place, "value": value, "zero": 0, **style(index).mark()}
        for (_, points), places in zip(named, bands.rows, strict=True)
        for (index, value), place in zip(points, places, strict=True)
    ]
    layers = [look(alt.Chart(data(marks)).mark_point(stroke=GROUND, strokeWidth=1)).encode(x=x, y=y)]
    if zero:
        stems = alt.Chart(data(marks)).mark_rule(strokeWidth=1.5)
        line = alt.Chart(data([{"value": 0}])).mark_rule(stroke=SOFT, strokeWidth=1).encode(x=x)
        layers = [line, stems.encode(x=x, x2="zero:Q", y=y, color=own_colour()), *layers]
    shown = sorted({index for _, points in named for index, _ in points})
    return draw(
        layered(*layers),
        bands.height,
        identifier=setting.identifier(name),
        title=texts[0],
        description=texts[1],
        keys=[Key(setting.variant_names[index], style=style(index)) for index in shown],
        labels=[heading(place, text) for place, (text, _) in zip(bands.headings, named, strict=True)],
    )


def _numbers(setting: Setting, metric: Metric) -> list[Number | None]:
    return [setting.batch.number(variant_name(variant.id), metric.id) for variant in setting.variants]


def _shifts(setting: Setting) -> list[Number | None]:
    """Of each variant; None for the baseline."""
    baseline = setting.batch.experiment.baseline
    return [
        setting.batch.number(difference_variant(variant.id, baseline), "fingerprint_shift")
        for variant in setting.variants
    ]


def _drifts(shifts: dict[int, Number], feature: str) -> list[Point]:
    found = []
    for index, number in shifts.items():
        differences: Any = (number.detail or {}).get("differences") or {}
        value = differences.get(feature, {}).get("standardised")
        if value is not None:
            found.append((index, float(value)))
    return found
