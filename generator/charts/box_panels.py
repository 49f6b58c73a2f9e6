"""Runs beside the box, factor against factor, and three factors at once."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import altair as alt

from generator.charts.box import axis_titles, boxed_runs, factor_table, with_thinning
from generator.charts.chart import Chart, ChartCell, Setting
from generator.charts.layout import Key, Label, fit, heading
from generator.charts.marks import data, layered, look, own_colour, pixels
from generator.charts.proportions import number_cell
from generator.charts.svg import draw
from generator.charts.theme import GROUND, INK, LEFT, LINE, RIGHT, SOFT, WIDTH, Style, style
from generator.model.addresses import variant_name
from generator.model.box import INSIDE, BoxedRun
from generator.model.profiles import Profile

PLOT_WIDTH = WIDTH - LEFT - RIGHT
MOST_COLUMNS, GAP, HEADING, ABOVE, FOOT, MARGIN = 3, 16, 18, 14, 30, 20
CUBE_COLUMNS, CUBE_HEIGHT = 2, 150
POINT_SIZE, SMALLEST, LARGEST = 26, 14, 110
MOST_POINTS, LABEL_SIZE = 300, 10
SLOPE = math.cos(math.radians(30)), 0.5
"""Of an isometric axis: how far right and how far down one unit of it leads."""
INSIDE_KEY, OUTSIDE_KEY = Style(INK, "circle", (1, 0)), Style(INK, "cross", (1, 0))

_Place = tuple[float, float]


@dataclass(frozen=True)
class _Drawing:
    """Marks in pixels from the upper left: filled areas, lines, points; and texts."""

    areas: list[dict[str, Any]]
    lines: list[dict[str, Any]]
    points: list[dict[str, Any]]
    labels: list[Label]


def place(x: float) -> float:
    """Where a badness stands, in sides of the box: proportional inside, each tenfold beyond as long as a side."""
    return x if x <= 1 else 1 + math.log10(x)


def draw_panels(setting: Setting) -> Chart | None:
    """For each variant one panel a pair of factors, with the box drawn; circles inside, crosses outside."""
    profile, samples = _samples(setting)
    if profile is None or len(profile.factors) < 2 or not any(samples):
        return None
    pairs = list(combinations(range(len(profile.factors)), 2))
    columns = min(len(pairs), MOST_COLUMNS)
    side = (PLOT_WIDTH - columns * MARGIN - (columns - 1) * GAP) / columns
    tops = _tops(profile, samples)
    drawing, y = _Drawing([], [], [], []), 0.0
    for index, (name, sample) in enumerate(zip(setting.variant_names, samples, strict=True)):
        drawing.labels.append(heading(y + 12, name))
        y += HEADING
        for row in range(0, len(pairs), columns):
            for column, pair in enumerate(pairs[row : row + columns]):
                left = column * (side + MARGIN + GAP) + MARGIN
                _panel(drawing, setting, profile, (left, y + ABOVE, side), pair, tops, sample, index)
            y += ABOVE + side + FOOT
    return _chart(setting, "box-panels", drawing, y, *factor_table(setting, profile, "box_badness"))


def draw_cubes(setting: Setting) -> Chart | None:
    """For each variant the first three factors at once: the box as a cube, runs as large as their scores."""
    profile, samples = _samples(setting)
    if profile is None or len(profile.factors) < 3 or not any(samples):
        return None
    width = (PLOT_WIDTH - GAP) / CUBE_COLUMNS
    tops = _tops(profile, samples)[:3]
    highest = max(math.log1p(run.score or 0) for sample in samples for run in sample) or 1
    drawing, y = _Drawing([], [], [], []), 0.0
    for index, (name, sample) in enumerate(zip(setting.variant_names, samples, strict=True)):
        column = index % CUBE_COLUMNS
        left = column * (width + GAP)
        drawing.labels.append(Label(left, y + 12, fit(name, width), fill=INK, weight=600))
        cube = _Cube(left + width / 2, y + HEADING + ABOVE, width, tops)
        _cube(drawing, axis_titles(setting, profile)[:3], cube)
        _cube_points(drawing, profile, cube, sample, index, highest)
        if column == CUBE_COLUMNS - 1 or index == len(samples) - 1:
            y += HEADING + ABOVE + CUBE_HEIGHT + ABOVE
    return _chart(setting, "box-cubes", drawing, y, *_inside_table(setting))


def _samples(setting: Setting) -> tuple[Profile | None, list[list[BoxedRun]]]:
    """Runs that have a score, of each variant; at evenly spaced places where there are many."""
    samples = [boxed_runs(setting, variant.id) for variant in setting.variants]
    return setting.source.box_profile, [sample[:: max(1, -(-len(sample) // MOST_POINTS))] for sample in samples]


def _tops(profile: Profile, samples: Sequence[Sequence[BoxedRun]]) -> list[float]:
    """How far each factor's axis goes, in sides of the box."""
    found = []
    for factor in profile.factors:
        largest = max(place(run.factors[factor.name].x) for sample in samples for run in sample)
        found.append(max(1.4, largest * 1.06))
    return found


def _panel(
    drawing: _Drawing,
    setting: Setting,
    profile: Profile,
    frame: tuple[float, float, float],
    pair: tuple[int, int],
    tops: Sequence[float],
    sample: Sequence[BoxedRun],
    index: int,
) -> None:
    left, top, side = frame
    across, up = (profile.factors[one] for one in pair)
    names = [axis_titles(setting, profile)[one] for one in pair]

    def at(x: float, y: float) -> _Place:
        return left + place(x) / tops[pair[0]] * side, top + side - place(y) / tops[pair[1]] * side

    right, high = at(1, 1)
    drawing.areas.append({"x": left, "x2": right, "y": high, "y2": top + side})
    for x1, y1, x2, y2 in ((left, top + side, left + side, top + side), (left, top, left, top + side)):
        drawing.lines.append({"x": x1, "y": y1, "x2": x2, "y2": y2, "colour": LINE})
    for x1, y1, x2, y2 in ((right, high, right, top + side), (left, high, right, high)):
        drawing.lines.append({"x": x1, "y": y1, "x2": x2, "y2": y2, "colour": SOFT})
    for tick in _ticks(tops[pair[0]]):
        drawing.labels.append(
            Label(at(tick, 0)[0], top + side + 11, f"{tick:g}", anchor="middle", role="axis", size=9.5)
        )
    for tick in _ticks(tops[pair[1]]):
        drawing.labels.append(Label(left - 3, at(0, tick)[1] + 3, f"{tick:g}", anchor="end", role="axis", size=9.5))
    below, above = fit(f"→ {names[0]}", side + GAP, LABEL_SIZE), fit(f"↑ {names[1]}", side + GAP, LABEL_SIZE)
    drawing.labels.append(Label(left + side / 2, top + side + 22, below, anchor="middle", size=LABEL_SIZE))
    drawing.labels.append(Label(left - 4, top - 5, above, size=LABEL_SIZE))
    for run in sample:
        x, y = at(run.factors[across.name].x, run.factors[up.name].x)
        drawing.points.append({"x": x, "y": y, **_mark(run, index, POINT_SIZE)})


def _mark(run: BoxedRun, index: int, size: float) -> dict[str, Any]:
    return Style(style(index).colour, "circle" if run.inside else "cross", (1, 0)).mark(size)


def _ticks(top: float) -> Iterator[int]:
    """0, 1, and tenfolds, as far as the axis goes; at most five."""
    tenfolds = range(int(top))
    step = -(-len(tenfolds) // 4)
    yield 0
    yield from (10**power for power in tenfolds if power % max(step, 1) == 0)


@dataclass(frozen=True)
class _Cube:
    """An isometric view: the first factor leads down to the right, the second down to the left, the third up."""

    middle: float
    top: float
    width: float
    tops: Sequence[float]

    def at(self, *sides: float) -> _Place:
        """A place given in sides of the box along each axis."""
        a, b, c = (one / top for one, top in zip(sides, self.tops, strict=True))
        across = self.width / 2 * 0.94 / SLOPE[0]
        down = CUBE_HEIGHT - across
        return self.middle + (a - b) * across * SLOPE[0], self.top + down * (1 - c) + (a + b) * across * SLOPE[1]


def _cube(drawing: _Drawing, names: Sequence[str], cube: _Cube) -> None:
    corners = [(a, b, c) for a in (0, 1) for b in (0, 1) for c in (0, 1)]
    for one, other in combinations(corners, 2):
        if sum(first != second for first, second in zip(one, other, strict=True)) == 1:
            drawing.lines.append(_line(cube.at(*one), cube.at(*other), SOFT))
    for axis in range(3):
        end = [0.0, 0.0, 0.0]
        end[axis] = cube.tops[axis]
        drawing.lines.append(_line(cube.at(0, 0, 0), cube.at(*end), LINE))
        x, y = cube.at(*end)
        anchor = ("end", "start", "middle")[axis]
        dx, dy = ((2, 13), (-2, 13), (0, -3))[axis]
        text = fit(f"{('↘', '↙', '↑')[axis]} {names[axis]}", cube.width / 2, LABEL_SIZE)
        drawing.labels.append(Label(x + dx, y + dy, text, anchor=anchor, size=LABEL_SIZE))  # type: ignore[arg-type]


def _cube_points(
    drawing: _Drawing, profile: Profile, cube: _Cube, sample: Sequence[BoxedRun], index: int, highest: float
) -> None:
    """The best last, so that large marks hide no small ones."""
    for run in sorted(sample, key=lambda run: -(run.score or 0)):
        sides = [place(run.factors[factor.name].x) for factor in profile.factors[:3]]
        x, y = cube.at(*sides)
        size = SMALLEST + (LARGEST - SMALLEST) * math.log1p(run.score or 0) / highest
        drawing.points.append({"x": x, "y": y, **_mark(run, index, size)})


def _line(one: _Place, other: _Place, colour: str) -> dict[str, Any]:
    return {"x": one[0], "y": one[1], "x2": other[0], "y2": other[1], "colour": colour}


def _inside_table(setting: Setting) -> tuple[list[str], list[list[ChartCell]]]:
    known = setting.source.metrics.by_id()
    metrics = [metric for metric in (INSIDE, "box_rmsl") if metric in known]
    columns = [setting.text("variant"), *(setting.name(known[metric]) for metric in metrics)]
    rows = []
    for variant, name in zip(setting.variants, setting.variant_names, strict=True):
        numbers = (setting.batch.number(variant_name(variant.id), metric) for metric in metrics)
        rows.append([ChartCell(text=name), *map(number_cell, numbers)])
    return columns, rows


def _chart(
    setting: Setting, name: str, drawing: _Drawing, height: float, columns: list[str], rows: list[list[ChartCell]]
) -> Chart:
    key = name.removeprefix("box-")
    title, description = setting.texts[f"box.charts.{key}"], setting.texts[f"box.charts.{key}_about"]
    samples = [boxed_runs(setting, variant.id) for variant in setting.variants]
    description = with_thinning(setting, description, samples, MOST_POINTS)
    svg = draw(
        _marks(drawing, height),
        height,
        identifier=setting.identifier(name),
        title=title,
        description=description,
        keys=[
            Key(setting.texts["box.run.inside"], style=INSIDE_KEY),
            Key(setting.texts["box.run.outside"], style=OUTSIDE_KEY),
        ],
        labels=drawing.labels,
    )
    return Chart(name, title, description, svg, columns, rows)


def _marks(drawing: _Drawing, height: float) -> alt.LayerChart:
    x = alt.X("x:Q", scale=alt.Scale(domain=[0, PLOT_WIDTH], range=[0, PLOT_WIDTH]), axis=None)
    y = pixels("y", height)
    points = alt.Chart(data(drawing.points)).mark_point(stroke=GROUND, strokeWidth=0.5, opacity=0.8)
    lines = alt.Chart(data(drawing.lines)).mark_rule(strokeWidth=1)
    layers = [lines.encode(x=x, x2="x2:Q", y=y, y2="y2:Q", color=own_colour()), look(points).encode(x=x, y=y)]
    if drawing.areas:
        areas = alt.Chart(data(drawing.areas)).mark_rect(fill=LINE, opacity=0.45)
        layers = [areas.encode(x=x, x2="x2:Q", y=y, y2="y2:Q"), *layers]
    return layered(*layers)
