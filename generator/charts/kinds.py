"""Mutants by the component that was changed, and violation rates of relations."""

from collections import Counter
from typing import Any

import altair as alt

from generator.charts.chart import Chart, ChartCell, Setting
from generator.charts.counts import BAR_HEIGHT, cut_bars
from generator.charts.layout import Key, heading, stack
from generator.charts.marks import data, layered, look, own_colour, pixels, share_axis
from generator.charts.proportions import number_cell
from generator.charts.svg import draw, pattern_fill
from generator.charts.theme import SOFT, style
from generator.model.addresses import slice_name, variant_name
from generator.model.formatting import exact
from generator.model.kinds import COMPONENTS, RELATION_FAMILIES
from generator.model.numbers import Number

ROW_HEIGHT = 14
_FILLS = {
    "killed": "var(--rc-good)",
    "survived": pattern_fill("failed"),
    "equivalent": "none",
    "doubtful_equivalent": pattern_fill("cancelled"),
    "not_judged": pattern_fill("invalid"),
}


def draw_mutants(setting: Setting) -> Chart | None:
    """One bar a component, cut by what became of its mutants."""
    families = [(family, number) for family in COMPONENTS if (number := _family(setting, "mutation_score", family))]
    if not families:
        return None
    counts = [_outcomes(number) for _, number in families]
    highest = max(sum(count.values()) for count in counts)
    bands = stack([1] * len(families), BAR_HEIGHT)
    names = [heading(y, _name(setting, family)) for y, (family, _) in zip(bands.headings, families, strict=True)]
    ordered = [{outcome: count[outcome] for outcome in _FILLS} for count in counts]
    encoded, labels = cut_bars(ordered, _FILLS, bands, highest)
    title, description = setting.text("mutants.title"), setting.text("mutants.description")
    shown = [outcome for outcome in _FILLS if any(count[outcome] for count in counts)]
    svg = draw(
        layered(encoded),
        bands.height,
        identifier=setting.identifier("mutants"),
        title=title,
        description=description,
        keys=[Key(setting.texts[f"kinds.outcome.{outcome}"], fill=_FILLS[outcome]) for outcome in shown],
        labels=[*names, *labels],
    )
    columns = [setting.text("mutants.family"), setting.name(setting.source.metrics.metric("mutation_score"))]
    rows = [[ChartCell(text=_name(setting, family)), number_cell(number)] for family, number in families]
    return Chart("mutants", title, description, svg, columns, rows, page="statistics")


def draw_violations(setting: Setting) -> Chart | None:
    """The violation rate of each relation with its interval, family by family, and the bound ε + δ."""
    rates = {variant.id: _rate(setting, variant.id) for variant in setting.variants}
    families = [
        (
            family,
            [
                index
                for index, variant in enumerate(setting.variants)
                if rates[variant.id] and variant.relation and variant.relation.family == family
            ],
        )
        for family in RELATION_FAMILIES
    ]
    families = [(family, places) for family, places in families if places]
    if not families:
        return None
    bands = stack([len(places) for _, places in families], ROW_HEIGHT)
    points: list[dict[str, Any]] = []
    rows: list[list[ChartCell]] = []
    for (_, places), middles in zip(families, bands.rows, strict=True):
        for index, y in zip(places, middles, strict=True):
            number = rates[setting.variants[index].id]
            rows.append([ChartCell(text=setting.variant_names[index]), number_cell(number)])
            if number is not None and number.value is not None and number.interval is not None:
                ends = {"low": number.interval.low, "high": number.interval.high}
                points.append({"y": y, "value": number.value, **ends, **style(index).mark()})
    levels = setting.source.publication.thresholds
    bound = float(exact(levels.epsilon) + exact(levels.delta))
    middle, base = pixels("y", bands.height), alt.Chart(data(points))
    line = alt.Chart(data([{"value": bound}])).mark_rule(stroke=SOFT, strokeWidth=1, strokeDash=[4, 3])
    intervals = base.mark_rule().encode(x=share_axis("low"), x2="high:Q", y=middle, color=own_colour())
    title, description = setting.text("violations.title"), setting.text("violations.description")
    svg = draw(
        layered(
            line.encode(x=share_axis("value")),
            intervals,
            look(base.mark_point()).encode(x=share_axis("value"), y=middle),
        ),
        bands.height,
        identifier=setting.identifier("violations"),
        title=title,
        description=description,
        keys=[Key(setting.variant_names[index], style=style(index)) for _, places in families for index in places],
        labels=[heading(y, _name(setting, family)) for y, (family, _) in zip(bands.headings, families, strict=True)],
    )
    columns = [setting.texts["common.relation"], setting.name(setting.source.metrics.metric("violation_rate"))]
    return Chart("violations", title, description, svg, columns, rows, page="statistics")


def _name(setting: Setting, family: str) -> str:
    return setting.texts[f"kinds.family.{family}"]


def _family(setting: Setting, metric: str, family: str) -> Number | None:
    baseline = variant_name(setting.batch.experiment.baseline)
    return setting.batch.number(baseline, metric, slice_name("family", family))


def _rate(setting: Setting, variant: str) -> Number | None:
    baseline = variant_name(setting.batch.experiment.baseline)
    return setting.batch.number(baseline, "violation_rate", slice_name("relation", variant))


def _outcomes(number: Number) -> Counter[str]:
    mutants: Any = (number.detail or {})["mutants"]
    return Counter(mutant["outcome"] for mutant in mutants.values())
