"""The path of each variant through the sequential test, between its bounds."""

import altair as alt

from generator.charts.chart import Chart, ChartCell, Setting
from generator.charts.layout import Key, Label
from generator.charts.marks import count_axis, data, layered, look
from generator.charts.proportions import number_cell
from generator.charts.svg import draw
from generator.charts.theme import GROUND, LEFT, RIGHT, SOFT, WIDTH, style
from generator.model.addresses import variant_name
from generator.model.formatting import exact
from generator.model.numbers import Sequential
from generator.stats.sequential import SprtPlan, sprt_plan, sprt_run

HEIGHT = 210
END_SIZE = 70
MARGIN = 1.12
LABEL_GAP = 4


def draw_sequential(setting: Setting) -> Chart | None:
    """Log likelihood ratio after each judged run, in recorded order, up to the decision."""
    paths = {variant.id: path for variant in setting.variants if (path := _path(setting, variant.id))}
    if not paths:
        return None
    levels = setting.source.publication.thresholds
    plan = sprt_plan(exact(levels.theta), exact(levels.delta), exact(levels.alpha), exact(levels.beta))
    longest = max(len(path) for path in paths.values()) - 1
    reach = max(-plan.lower, plan.upper, *(abs(value) for path in paths.values() for value in path)) * MARGIN
    x = count_axis("run", max(longest, 1) * 1.02)
    y = alt.Y("ratio:Q", scale=alt.Scale(domain=[-reach, reach], nice=False), axis=None)
    layers = [
        alt.Chart(data([{"ratio": bound}])).mark_rule(stroke=SOFT, strokeDash=[3, 3]).encode(y=y)
        for bound in (plan.lower, plan.upper)
    ]
    ends = []
    for index, variant in enumerate(setting.variants):
        if variant.id not in paths:
            continue
        path = paths[variant.id]
        points = [{"run": run, "ratio": value} for run, value in enumerate(path)]
        line = alt.Chart(data(points)).mark_line(strokeDash=list(style(index).dash), strokeWidth=1.6)
        layers.append(line.encode(x=x, y=y, color=alt.value(style(index).colour)))
        ends.append({**points[-1], **style(index).mark(END_SIZE)})
    layers.append(look(alt.Chart(data(ends)).mark_point(stroke=GROUND, strokeWidth=1.2)).encode(x=x, y=y))
    title, description = setting.text("sequential.title"), setting.text("sequential.description")
    svg = draw(
        layered(*layers),
        HEIGHT,
        identifier=setting.identifier("sequential"),
        title=title,
        description=description,
        keys=[Key(name, style=style(index)) for index, name in enumerate(setting.variant_names)],
        labels=_bounds(setting, plan, reach),
    )
    return Chart("sequential", title, description, svg, *_table(setting), page="statistics")


def _path(setting: Setting, variant: str) -> list[float]:
    """Of the log likelihood ratio; empty where nothing was judged."""
    number = setting.batch.number(variant_name(variant), setting.batch.experiment.pass_metric)
    test: Sequential | None = None if number is None else number.sequential
    if test is None:
        return []
    plan = sprt_plan(exact(test.theta), exact(test.delta), exact(test.alpha), exact(test.beta))
    rows = (row for row in setting.batch.rows if row.variant == variant)
    judged = (row.assertions.get(setting.batch.experiment.pass_metric) for row in rows)
    outcomes = (found.outcome for found in judged if found is not None)
    return list(sprt_run(plan, (outcome == "hit" for outcome in outcomes if outcome in ("hit", "miss"))).path)


def _bounds(setting: Setting, plan: SprtPlan, reach: float) -> list[Label]:
    """What crossing each bound decides, at the bound's end."""

    def place(ratio: float) -> float:
        return HEIGHT * (reach - ratio) / (2 * reach)

    right = WIDTH - LEFT - RIGHT
    return [
        Label(right, place(plan.upper) - LABEL_GAP, setting.text("sequential.fail"), anchor="end"),
        Label(right, place(plan.lower) + 3 * LABEL_GAP, setting.text("sequential.pass"), anchor="end"),
    ]


def _table(setting: Setting) -> tuple[list[str], list[list[ChartCell]]]:
    metric = setting.source.metrics.metric(setting.batch.experiment.pass_metric)
    rows = [
        [ChartCell(text=name), number_cell(setting.batch.number(variant_name(variant.id), metric.id))]
        for variant, name in zip(setting.variants, setting.variant_names, strict=True)
    ]
    return [setting.text("variant"), setting.name(metric)], rows
