"""Runs against the box: scores, and losses by factor."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import altair as alt

from generator.charts.chart import Chart, ChartCell, Setting
from generator.charts.layout import Key, Label, heading, stack
from generator.charts.marks import data, layered, look, own_colour, pixels
from generator.charts.proportions import number_cell
from generator.charts.svg import draw
from generator.charts.theme import GROUND, INK, SOFT, style
from generator.model.addresses import slice_name, variant_name
from generator.model.box import FACTOR, SCORES, BoxedRun
from generator.model.profiles import Profile
from generator.stats.box import AT_LIMIT

STRIP_HEIGHT, TICK_LENGTH, ROW_HEIGHT = 30, 12, 14
MOST_TICKS = 400
MARK_SIZE = 110
_TICKS = (0, 0.5, 1, 2, 5, 10, 30, 100, 300, 1000, 10_000, 100_000, 1_000_000)


def draw_scores(setting: Setting) -> Chart | None:
    """Each run's score as a tick, inside above the line and outside below, on the scale of ln(1 + score); the RMSL of
    each variant as its mark."""
    samples = [boxed_runs(setting, variant.id) for variant in setting.variants]
    if not any(samples):
        return None
    bands = stack([1] * len(samples), STRIP_HEIGHT)
    x = _logarithmic(max(run.score or 0 for sample in samples for run in sample), 1)
    ticks, lines, means = [], [], []
    for index, (variant, sample) in enumerate(zip(setting.variants, samples, strict=True)):
        middle, colour = bands.rows[index][0], style(index).colour
        lines.append({"y": middle})
        step = max(1, -(-len(sample) // MOST_TICKS))
        for run in sorted(sample, key=lambda run: run.score or 0)[::step]:
            end = middle - TICK_LENGTH if run.inside else middle + TICK_LENGTH
            ticks.append({"value": run.score, "from": middle, "to": end, "colour": colour})
        rmsl = setting.batch.number(variant_name(variant.id), "box_rmsl")
        if rmsl is not None and rmsl.value is not None:
            means.append({"y": middle, "value": rmsl.value, **style(index).mark(MARK_SIZE)})
    strips = alt.Chart(data(ticks)).mark_rule(strokeWidth=1, strokeOpacity=0.75)
    rules = alt.Chart(data(lines)).mark_rule(stroke=SOFT, strokeWidth=0.75).encode(y=pixels("y", bands.height))
    marks = look(alt.Chart(data(means)).mark_point(stroke=GROUND, strokeWidth=1.5))
    chart = layered(
        _line_at(1, x),
        rules,
        strips.encode(x=x, y=pixels("from", bands.height), y2="to:Q", color=own_colour()),
        marks.encode(x=x, y=pixels("y", bands.height)),
    )
    title, description = setting.texts["box.charts.scores"], setting.texts["box.charts.scores_about"]
    description = with_thinning(setting, description, samples, MOST_TICKS)
    svg = draw(
        chart,
        bands.height,
        identifier=setting.identifier("box-scores"),
        title=title,
        description=description,
        labels=[_heading(place, text) for place, text in zip(bands.headings, setting.variant_names, strict=True)],
    )
    return Chart("box-scores", title, description, svg, *_table(setting, [(metric, None) for metric in SCORES]))


def draw_losses(setting: Setting) -> Chart | None:
    """The mean loss of each factor, one mark a variant, beside that at the limit."""
    profile = setting.source.box_profile
    if profile is None or not setting.batch.box:
        return None
    found = [
        [setting.batch.number(variant_name(v.id), "box_loss", slice_name(FACTOR, f.name)) for v in setting.variants]
        for f in profile.factors
    ]
    values = [number.value for row in found for number in row if number is not None and number.value is not None]
    if not values:
        return None
    bands = stack([len(row) for row in found], ROW_HEIGHT)
    points: list[dict[str, Any]] = [
        {"y": y, "value": number.value, "zero": 0, **style(index).mark()}
        for row, places in zip(found, bands.rows, strict=True)
        for index, (number, y) in enumerate(zip(row, places, strict=True))
        if number is not None and number.value is not None
    ]
    x, y = _logarithmic(max(values), AT_LIMIT), pixels("y", bands.height)
    stems = alt.Chart(data(points)).mark_rule(strokeWidth=1.5)
    marks = look(alt.Chart(data(points)).mark_point(stroke=GROUND, strokeWidth=1))
    chart = layered(
        _line_at(AT_LIMIT, x), stems.encode(x=x, x2="zero:Q", y=y, color=own_colour()), marks.encode(x=x, y=y)
    )
    title, description = setting.texts["box.charts.losses"], setting.texts["box.charts.losses_about"]
    names = factor_titles(setting, profile)
    svg = draw(
        chart,
        bands.height,
        identifier=setting.identifier("box-losses"),
        title=title,
        description=description,
        keys=[Key(text, style=style(index)) for index, text in enumerate(setting.variant_names)],
        labels=[_heading(place, name) for place, name in zip(bands.headings, names, strict=True)],
    )
    return Chart("box-losses", title, description, svg, *factor_table(setting, profile, "box_loss"))


def with_thinning(setting: Setting, description: str, samples: Sequence[Sequence[BoxedRun]], most: int) -> str:
    """A description that says so where a variant has more runs than are drawn."""
    is_thinned = any(len(sample) > most for sample in samples)
    return f"{description}{setting.texts['box.charts.thinned']}" if is_thinned else description


def boxed_runs(setting: Setting, variant: str) -> list[BoxedRun]:
    """The runs of a variant that have a score, in executed order."""
    rows = (row for row in setting.batch.rows if row.variant == variant)
    found = (setting.batch.box.get(row.run_id) for row in rows)
    return [run for run in found if run is not None and run.score is not None]


def factor_titles(setting: Setting, profile: Profile) -> list[str]:
    return [factor.title.in_language(setting.lang) for factor in profile.factors]


def axis_titles(setting: Setting, profile: Profile) -> list[str]:
    """Axes show badness: where higher is better that is no more of what the factor is called."""
    form = setting.texts["box.charts.axis"]
    titles = zip(profile.factors, factor_titles(setting, profile), strict=True)
    return [form.format(factor=title) if factor.direction == "higher" else title for factor, title in titles]


def factor_table(setting: Setting, profile: Profile, metric: str) -> tuple[list[str], list[list[ChartCell]]]:
    """Columns and rows of a table of one metric: variants by factors."""
    columns = [setting.text("variant"), *factor_titles(setting, profile)]
    slices = [(metric, slice_name(FACTOR, factor.name)) for factor in profile.factors]
    return columns, _table(setting, slices)[1]


def _table(setting: Setting, chosen: Sequence[tuple[str, str | None]]) -> tuple[list[str], list[list[ChartCell]]]:
    known = setting.source.metrics.by_id()
    columns = [setting.text("variant"), *(setting.name(known[metric]) for metric, _ in chosen if metric in known)]
    rows = []
    for variant, name in zip(setting.variants, setting.variant_names, strict=True):
        numbers = (setting.batch.number(variant_name(variant.id), metric, slice_) for metric, slice_ in chosen)
        rows.append([ChartCell(text=name), *map(number_cell, numbers)])
    return columns, rows


def _logarithmic(highest: float, constant: float) -> alt.X:
    """log(1 + value ÷ constant), from zero."""
    top = max(highest, 2) * 1.08
    scale = alt.Scale(type="symlog", constant=constant, domain=[0, top], nice=False)
    short = "datum.value >= 1000 ? datum.value / 1000 + 'k' : datum.value"
    axis = alt.Axis(values=[tick for tick in _TICKS if tick <= top], labelExpr=short)
    return alt.X("value:Q", scale=scale, axis=axis)


def _heading(y: float, text: str) -> Label:
    """With a halo, because the line at the limit runs through it."""
    return replace(heading(y, text), halo=True)


def _line_at(value: float, x: alt.X) -> alt.Chart:
    rule: alt.Chart = alt.Chart(data([{"value": value}])).mark_rule(stroke=INK, strokeWidth=1, strokeDash=[4, 3])
    line: alt.Chart = rule.encode(x=x)
    return line
