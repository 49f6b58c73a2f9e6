"""What runs took: time and tokens."""

import math
from collections.abc import Sequence
from typing import Any

import altair as alt

from generator.charts.chart import Chart, ChartCell, Setting
from generator.charts.layout import Key, Label, heading, stack
from generator.charts.marks import count_axis, data, layered, look, own_colour, pixels
from generator.charts.proportions import number_cell
from generator.charts.svg import draw
from generator.charts.theme import GROUND, style
from generator.model.addresses import variant_name
from generator.model.metrics import Metric

ECDF_HEIGHT = 190
LINEAR_TO_MS = 1000
STRIP_HEIGHT = 20
TICK_LENGTH = 14
MEAN_SIZE = 110
QUANTILE_SIZE = 66
LABEL_SPACE = 0.11
SHARES = [0, 0.5, 0.95]
TOP_SHARE = 1.02
MOST_STEPS = 300
MOST_TICKS = 60
_TICKS_MS = (0, 250, 500, 1000, 2000, 5000, 10_000, 20_000, 60_000, 120_000, 300_000, 600_000, 3_600_000)
_UNIT_LABEL = "datum.value < 60000 ? datum.value / 1000 + ' s' : datum.value / 60000 + ' min'"


def draw_durations(setting: Setting) -> Chart | None:
    """The empirical distribution of the time of each variant's valid runs, with its quantiles marked.

    The axis is Vega's symlog with the constant 1 s: about linear below it, logarithmic above.
    """
    metrics = [m for m in setting.source.metrics.metrics if m.aggregate == "quantile" and m.unit == "ms"]
    samples = [_values(setting, variant.id, metrics[0]) if metrics else [] for variant in setting.variants]
    if not any(samples):
        return None
    highest = max(max(sample) for sample in samples if sample) * 1.04 or 1
    title, description = setting.text("durations.title"), setting.text("durations.description")
    if _pools_strata(setting):
        description = f"{description} {setting.text('durations.pooled')}"
    svg = draw(
        _ecdf(setting, metrics, samples, highest),
        ECDF_HEIGHT,
        identifier=setting.identifier("durations"),
        title=title,
        description=description,
        keys=[Key(text, style=style(index)) for index, text in enumerate(setting.variant_names)],
        labels=[
            Label(0, ECDF_HEIGHT * (1 - share / TOP_SHARE) - 3, f"{share:.0%}", role="axis") for share in SHARES[1:]
        ],
    )
    return Chart("durations", title, description, svg, *_table(setting, metrics))


def _pools_strata(setting: Setting) -> bool:
    """Whether the durations of some variant are not those of one thing."""
    own = {metric.id for metric in setting.source.metrics.metrics if metric.operation == "time_strata_runs"}
    numbers = (number for number in setting.batch.numbers.values() if number.metric in own)
    return any((number.detail or {}).get("differs") for number in numbers)


def draw_tokens(setting: Setting) -> Chart | None:
    """Each run's tokens as a thin line, the mean of each variant as its mark."""
    metrics = [m for m in setting.source.metrics.metrics if m.aggregate == "mean" and m.unit == "tokens"]
    samples = [_values(setting, variant.id, metrics[0]) if metrics else [] for variant in setting.variants]
    if not any(samples):
        return None
    bands = stack([1] * len(samples), STRIP_HEIGHT)
    highest = max(max(sample) for sample in samples if sample) * 1.04 or 1
    x, y = count_axis("value", highest), pixels("y", bands.height)
    strips, means = [], []
    for index, (variant, sample) in enumerate(zip(setting.variants, samples, strict=True)):
        middle = bands.rows[index][0]
        row: dict[str, Any] = {"y": middle, **style(index).mark(MEAN_SIZE)}
        ends = {"top": middle - TICK_LENGTH / 2, "bottom": middle + TICK_LENGTH / 2, "colour": style(index).colour}
        ticks = alt.Chart(data([{**ends, "value": value} for value in _thinned(sample, MOST_TICKS)]))
        strip = ticks.mark_rule(strokeWidth=1, strokeOpacity=0.8)
        strips.append(strip.encode(x=x, y=pixels("top", bands.height), y2="bottom:Q", color=own_colour()))
        number = setting.batch.number(variant_name(variant.id), metrics[0].id)
        if number is not None and number.value is not None:
            means.append({**row, "value": number.value})
    marks = look(alt.Chart(data(means)).mark_point(stroke=GROUND, strokeWidth=1.5)).encode(x=x, y=y)
    title, description = setting.text("tokens.title"), setting.text("tokens.description")
    svg = draw(
        layered(*strips, marks),
        bands.height,
        identifier=setting.identifier("tokens"),
        title=title,
        description=description,
        labels=[heading(place, text) for place, text in zip(bands.headings, setting.variant_names, strict=True)],
    )
    return Chart("tokens", title, description, svg, *_table(setting, metrics[:1]))


def _table(setting: Setting, metrics: Sequence[Metric]) -> tuple[list[str], list[list[ChartCell]]]:
    columns = [setting.text("variant"), *(setting.name(metric) for metric in metrics)]
    rows = []
    for variant, name in zip(setting.variants, setting.variant_names, strict=True):
        numbers = [setting.batch.number(variant_name(variant.id), metric.id) for metric in metrics]
        rows.append([ChartCell(text=name), *(number_cell(number) for number in numbers)])
    return columns, rows


def _values(setting: Setting, variant: str, metric: Metric) -> list[float]:
    """The recorded values of the variant's valid runs, sorted."""
    judged = (row.assertions.get(metric.id) for row in setting.batch.rows if row.variant == variant)
    return sorted(float(found.value) for found in judged if found is not None and found.value is not None)


def _thinned(values: Sequence[float], most: int) -> list[float]:
    """At most so many of sorted values, at even ranks, first and last included."""
    if len(values) <= most:
        return list(values)
    return [values[rank * (len(values) - 1) // (most - 1)] for rank in range(most)]


def _ecdf(
    setting: Setting, metrics: Sequence[Metric], samples: Sequence[Sequence[float]], highest: float
) -> alt.LayerChart:
    scale = alt.Scale(type="symlog", constant=LINEAR_TO_MS, domain=[0, highest], nice=False)
    x = alt.X("ms:Q", scale=scale, axis=alt.Axis(values=_ticks(highest), labelExpr=_UNIT_LABEL))
    shares = alt.Axis(values=SHARES, labels=False)
    y = alt.Y("share:Q", scale=alt.Scale(domain=[0, TOP_SHARE], nice=False), axis=shares)
    layers: list[alt.Chart] = []
    quantiles = []
    for index, (variant, sample) in enumerate(zip(setting.variants, samples, strict=True)):
        if not sample:
            continue
        line = alt.Chart(data(_steps(sample, highest))).mark_line(
            interpolate="step-after", strokeDash=list(style(index).dash)
        )
        layers.append(line.encode(x=x, y=y, color=alt.value(style(index).colour)))
        for metric in metrics:
            number = setting.batch.number(variant_name(variant.id), metric.id)
            if number is not None and number.value is not None:
                quantiles.append({"ms": number.value, "share": metric.p, **style(index).mark(QUANTILE_SIZE)})
    points = look(alt.Chart(data(quantiles)).mark_point(stroke=GROUND, strokeWidth=1.2))
    layers.append(points.encode(x=x, y=y))
    return layered(*layers)


def _ticks(highest: float) -> list[int]:
    """Round times, none so near to the one before that their labels would touch."""
    places = [(tick, math.log1p(tick / LINEAR_TO_MS) / math.log1p(highest / LINEAR_TO_MS)) for tick in _TICKS_MS]
    ticks, last = [], -1.0
    for tick, place in places:
        if place <= 1 and place - last >= LABEL_SPACE:
            ticks.append(tick)
            last = place
    return ticks


def _steps(sample: Sequence[float], highest: float) -> list[dict[str, float]]:
    """The corners of the distribution function, from nothing to all."""
    n = len(sample)
    ranks = range(n) if n <= MOST_STEPS else [step * (n - 1) // (MOST_STEPS - 1) for step in range(MOST_STEPS)]
    steps = {sample[rank]: (rank + 1) / n for rank in ranks}
    corners = [{"ms": 0.0, "share": 0.0}, *({"ms": ms, "share": share} for ms, share in steps.items())]
    return [*corners, {"ms": highest, "share": 1.0}]
