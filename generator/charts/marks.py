"""Encodings that several charts share."""

from collections.abc import Sequence
from typing import Any

import altair as alt


def data(rows: Sequence[dict[str, Any]]) -> alt.InlineData:
    return alt.InlineData(values=list(rows))


def layered(*layers: alt.Chart) -> alt.LayerChart:
    """Charts on top of one another, the last one in front."""
    return alt.LayerChart(layer=list(layers))


def pixels(field: str, height: float) -> alt.Y:
    """A vertical place in pixels from the top."""
    return alt.Y(f"{field}:Q", scale=alt.Scale(domain=[0, height], range=[0, height]), axis=None)


def own_colour() -> alt.Color:
    """The colour that stands in the row."""
    return alt.Color("colour:N", scale=None)


def look(points: alt.Chart) -> alt.Chart:
    """Points with the colour, shape and size that stand in their rows (`Style.mark`)."""
    return points.encode(
        fill=alt.Fill("colour:N", scale=None),
        shape=alt.Shape("shape:N", scale=None),
        size=alt.Size("size:Q", scale=None),
    )


def share_axis(field: str) -> alt.X:
    """A fraction, 0–100%."""
    axis = alt.Axis(format=".0%", values=[0, 0.25, 0.5, 0.75, 1])
    return alt.X(f"{field}:Q", scale=alt.Scale(domain=[0, 1]), axis=axis)


def count_axis(field: str, highest: float) -> alt.X:
    """From zero to `highest`, at whole steps; thousands as `2k`."""
    short = "datum.value >= 1000 ? datum.value / 1000 + 'k' : datum.value"
    axis = alt.Axis(labelExpr=short, tickCount=5, tickMinStep=1)
    return alt.X(f"{field}:Q", scale=alt.Scale(domain=[0, highest], nice=False), axis=axis, stack=None)
