"""The Vega-Lite specification of a drawing, to take along: with legend and labels, which in the drawing of a page are
set beside what Vega draws, and with colours that stand for themselves."""

import json
import re
from collections.abc import Iterable, Sequence
from functools import cache
from typing import Any

from generator.charts.layout import KEY_TEXT, Key, Label, fit
from generator.charts.theme import AXIS, LEFT, POINT_SIZE, SOFT, WIDTH
from generator.resources import resource

_VARIABLE = re.compile(r"var\((--rc-[a-z0-9]+)\)")
_DECLARED = re.compile(r"(--rc-[a-z0-9]+):\s*(#[0-9a-f]{6})")
_PATTERN = re.compile(r"url\(#(\w+)\)")
_PATTERN_COLOURS = {"failed": "var(--rc-bad)", "invalid": "var(--rc-soft)", "cancelled": "var(--rc-open)"}
_SWATCH = 110
"""Area of a square of the legend."""


def specification(
    content: dict[str, Any],
    *,
    title: str,
    description: str,
    top: float,
    lines: Sequence[Sequence[tuple[float, Key]]],
    key_height: float,
    labels: Iterable[Label],
) -> str:
    """JSON. `content` is what Vega draws, a layered chart; `lines` of the legend stand in the room of `top` pixels
    above the plot."""
    texts, marks = list(labels), []
    for number, line in enumerate(lines):
        y = 12 + number * key_height - top
        for x, key in line:
            texts.append(Label(x + KEY_TEXT, y, fit(key.text, WIDTH - LEFT - KEY_TEXT)))
            marks.append(_key_mark(x + 5, y - 4, key))
    extended = {
        "$schema": "https://vega.github.io/schema/vega-lite/v6.json",
        "title": {"text": title, "fontSize": 1, "color": "transparent"},
        "description": f"{title}: {description}",
        **{name: value for name, value in content.items() if name != "$schema"},
        "layer": [*content["layer"], *_text_layers(texts), *([_key_layer(marks)] if marks else [])],
        "padding": {**content["padding"], "left": LEFT, "top": max(top, 4), "bottom": AXIS},
    }
    return with_plain_colours(json.dumps(extended, ensure_ascii=False, sort_keys=True))


def with_plain_colours(text: str, *, patterns: bool = True) -> str:
    """The variables of the style sheet as the colours that they have on light ground; `patterns` as plain fills."""
    plain = _PATTERN.sub(lambda match: _PATTERN_COLOURS.get(match[1], SOFT), text) if patterns else text
    return _VARIABLE.sub(lambda match: light_colours()[match[1]], plain)


@cache
def light_colours() -> dict[str, str]:
    """The first block of `assets/tokens.css`, by name."""
    style = (resource("site_src") / "assets" / "tokens.css").read_text(encoding="utf-8")
    return dict(_DECLARED.findall(style[: style.index("}")]))


def _place(field: str) -> dict[str, Any]:
    return {"field": field, "type": "quantitative", "scale": None, "axis": None}


def _text_layers(labels: Sequence[Label]) -> list[dict[str, Any]]:
    """One layer for all labels that look alike."""
    alike: dict[tuple[str, float, int, str], list[Label]] = {}
    for label in labels:
        alike.setdefault((label.anchor, label.size, label.weight, label.fill), []).append(label)
    aligned = {"start": "left", "middle": "center", "end": "right"}
    return [
        {
            "data": {"values": [{"x": label.x, "y": label.y, "text": label.text} for label in group]},
            "mark": {
                "type": "text",
                "align": aligned[anchor],
                "baseline": "alphabetic",
                "tooltip": None,
                "fontSize": size,
                "fontWeight": weight,
                "color": fill,
            },
            "encoding": {"x": _place("x"), "y": _place("y"), "text": {"field": "text", "type": "nominal"}},
        }
        for (anchor, size, weight, fill), group in alike.items()
    ]


def _key_mark(x: float, y: float, key: Key) -> dict[str, Any]:
    if key.style is not None:
        return {"x": x, "y": y, **key.style.mark(POINT_SIZE)}
    return {"x": x, "y": y, "colour": key.fill or SOFT, "shape": "square", "size": _SWATCH}


def _key_layer(marks: list[dict[str, Any]]) -> dict[str, Any]:
    return {
        "data": {"values": marks},
        "mark": {"type": "point", "filled": True, "tooltip": None, "stroke": SOFT, "strokeWidth": 0.5},
        "encoding": {
            "x": _place("x"),
            "y": _place("y"),
            "fill": {"field": "colour", "type": "nominal", "scale": None},
            "shape": {"field": "shape", "type": "nominal", "scale": None},
            "size": {"field": "size", "type": "quantitative", "scale": None},
        },
    }
