"""Counts of runs: what became of the plan, and in which layer runs failed."""

from typing import Any

import altair as alt

from generator.charts.chart import Chart, ChartCell, Setting
from generator.charts.layout import Bands, Key, Label, heading, stack
from generator.charts.marks import count_axis, data, layered, look, own_colour, pixels
from generator.charts.proportions import number_cell
from generator.charts.svg import draw, pattern_fill
from generator.charts.theme import INK, LEFT, RIGHT, SOFT, WIDTH, style
from generator.model.addresses import variant_name
from generator.model.assertions import layer_place
from generator.model.report import Accounting

BAR_HEIGHT = 18
ROW_HEIGHT = 13
STATES = ("complete", "failed", "invalid", "cancelled", "skipped")
_FILLS = {"complete": "var(--rc-good)", "skipped": "none"} | {
    state: pattern_fill(state) for state in ("failed", "invalid", "cancelled")
}
_NARROWEST_LABELLED = 24


def draw_accounting(setting: Setting) -> Chart | None:
    """One bar a variant, as long as the plan, cut by how the runs ended."""
    accounts = [setting.batch.accounting[variant.id] for variant in setting.variants]
    highest = max((account.planned for account in accounts), default=0)
    if highest == 0:
        return None
    bands = stack([1] * len(accounts), BAR_HEIGHT)
    encoded, labels = cut_bars([_counts(account) for account in accounts], _FILLS, bands, highest)
    title, description = setting.text("accounting.title"), setting.text("accounting.description")
    names = [heading(y, text) for y, text in zip(bands.headings, setting.variant_names, strict=True)]
    svg = draw(
        layered(encoded),
        bands.height,
        identifier=setting.identifier("accounting"),
        title=title,
        description=description,
        keys=[Key(setting.text(f"states.{state}"), fill=_FILLS[state]) for state in STATES],
        labels=[*names, *labels],
    )
    return Chart("accounting", title, description, svg, *_accounting_table(setting))


def cut_bars(
    counts: list[dict[str, int]], fills: dict[str, str], bands: Bands, highest: int
) -> tuple[alt.Chart, list[Label]]:
    """One bar a band, a piece a key of `counts` in its order; `highest` is the end of the axis. Pieces that have room
    bear their count."""
    scale = (WIDTH - LEFT - RIGHT) / highest
    segments: list[dict[str, Any]] = []
    labels = []
    for of_bar, places in zip(counts, bands.rows, strict=True):
        start = 0
        for key, count in of_bar.items():
            if count:
                top, bottom = places[0] - BAR_HEIGHT / 2 + 2, places[0] + BAR_HEIGHT / 2 - 2
                cut = {"start": start, "end": start + count, "top": top, "bottom": bottom}
                segments.append({**cut, "fill": fills[key]})
                if count * scale >= _NARROWEST_LABELLED:
                    middle = (start + count / 2) * scale
                    labels.append(Label(middle, places[0] + 4, str(count), "middle", fill=INK, weight=600, halo=True))
                start += count
    bars = alt.Chart(data(segments)).mark_rect(strokeWidth=1)
    encoded = bars.encode(
        x=count_axis("start", highest),
        x2="end:Q",
        y=pixels("top", bands.height),
        y2="bottom:Q",
        fill=alt.Fill("fill:N", scale=None),
        stroke=alt.value(SOFT),
    )
    return encoded, labels


def _counts(account: Accounting) -> dict[str, int]:
    return {
        "complete": account.complete,
        "failed": account.failed,
        "invalid": sum(account.invalid.values()),
        "cancelled": sum(account.cancelled.values()),
        "skipped": sum(account.skipped.values()),
    }


def _accounting_table(setting: Setting) -> tuple[list[str], list[list[ChartCell]]]:
    columns = [setting.text("variant"), *(setting.text(f"states.{state}") for state in STATES)]
    rows = []
    for variant, name in zip(setting.variants, setting.variant_names, strict=True):
        numbers = [setting.batch.number(variant_name(variant.id), f"runs_{state}") for state in STATES]
        rows.append([ChartCell(text=name), *(number_cell(number) for number in numbers)])
    return columns, rows


def draw_failures(setting: Setting) -> Chart | None:
    """Valid runs by the layers that their failures were put down to."""
    found: dict[str, list[int]] = {}
    places = {variant.id: index for index, variant in enumerate(setting.variants)}
    for row in setting.batch.rows:
        if row.validity == "valid":
            for layer in {attribution.layer for attribution in row.attribution}:
                found.setdefault(layer, [0] * len(places))[places[row.variant]] += 1
    if not found:
        return None
    layers = sorted(found, key=lambda layer: (layer_place(layer), layer))
    bands = stack([len(places)] * len(layers), ROW_HEIGHT)
    highest = max(max(counts) for counts in found.values()) * 1.08
    title, description = setting.text("failures.title"), setting.text("failures.description")
    names = [_layer_name(setting, layer) for layer in layers]
    svg = draw(
        _failure_bars([found[layer] for layer in layers], bands, highest),
        bands.height,
        identifier=setting.identifier("failures"),
        title=title,
        description=description,
        keys=[Key(text, style=style(index)) for index, text in enumerate(setting.variant_names)],
        labels=[
            *(heading(y, text) for y, text in zip(bands.headings, names, strict=True)),
            *_failure_counts([found[layer] for layer in layers], bands, highest),
        ],
    )
    rows = [
        [ChartCell(text=name), *(ChartCell(text=str(count), anchor="failures") for count in found[layer])]
        for layer, name in zip(layers, names, strict=True)
    ]
    return Chart("failures", title, description, svg, [setting.text("layer"), *setting.variant_names], rows)


def _failure_counts(counts: list[list[int]], bands: Bands, highest: float) -> list[Label]:
    scale = (WIDTH - LEFT - RIGHT) / highest
    return [
        Label(count * scale + 8, y + 4, str(count), size=10.5)
        for row, places in zip(counts, bands.rows, strict=True)
        for count, y in zip(row, places, strict=True)
    ]


def _failure_bars(counts: list[list[int]], bands: Bands, highest: float) -> alt.LayerChart:
    bars = [
        {"start": 0, "count": count, "y": y, **style(index).mark()}
        for row, places in zip(counts, bands.rows, strict=True)
        for index, (count, y) in enumerate(zip(row, places, strict=True))
    ]
    y = pixels("y", bands.height)
    base = alt.Chart(data(bars))
    stems = base.mark_rule(strokeWidth=3, opacity=0.8).encode(
        x=count_axis("start", highest), x2="count:Q", y=y, color=own_colour()
    )
    heads = look(base.mark_point()).encode(x=count_axis("count", highest), y=y)
    return layered(stems, heads)


def _layer_name(setting: Setting, layer: str) -> str:
    for metric in setting.source.metrics.metrics:
        if metric.id == layer:
            return setting.name(metric)
    return setting.texts.get(f"result.layers.{layer}", layer)
