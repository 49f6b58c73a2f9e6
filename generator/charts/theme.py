"""How charts look. Colours are variables of `site_src/assets/tokens.css`: light, dark and print need no redrawing.

Charts are drawn for a column as wide as a phone and scaled up from there: what is readable at 340 pixels is readable
everywhere.
"""

from dataclasses import dataclass
from typing import Any

WIDTH = 380
LEFT = 6
"""Room for the half of a mark at zero."""
RIGHT = 17
"""Room for the half of the last axis label."""
AXIS = 20
FONT_SIZE = 11.5

INK = "var(--rc-ink)"
SOFT = "var(--rc-soft)"
LINE = "var(--rc-line)"
GROUND = "var(--rc-bg)"

COLOURS = tuple(f"var(--rc-v{number})" for number in range(1, 7))
SHAPES = ("circle", "square", "triangle-up", "diamond", "cross", "triangle-down")
DASHES = ((1, 0), (7, 3), (2, 2.5), (9, 3, 2, 3), (4, 2), (12, 3))
POINT_SIZE = 48
_LOOK_SMALLER = {"triangle-up": 1.25, "triangle-down": 1.25, "diamond": 1.15, "cross": 1.15}
"""Shapes that need more area to look as large as a circle."""


@dataclass(frozen=True)
class Style:
    """How a variant is drawn in every chart."""

    colour: str
    shape: str
    dash: tuple[float, ...]

    def mark(self, size: float = POINT_SIZE) -> dict[str, str | float]:
        """The fields of a row of data that `marks.look` encodes."""
        return {"colour": self.colour, "shape": self.shape, "size": size * _LOOK_SMALLER.get(self.shape, 1)}


def style(index: int) -> Style:
    """Of the variant at that place, baseline 0. Pairs of colour and shape repeat after 36."""
    turn = index + index // len(COLOURS)
    return Style(COLOURS[index % len(COLOURS)], SHAPES[turn % len(SHAPES)], DASHES[turn % len(DASHES)])


def vega_config() -> dict[str, Any]:
    """The Vega-Lite configuration: a quiet grid, no frame, no ticks."""
    return {
        "aria": False,
        "background": "transparent",
        "font": "sans-serif",
        "view": {"stroke": None},
        "axis": {
            "domain": False,
            "ticks": False,
            "gridColor": LINE,
            "labelColor": SOFT,
            "labelFontSize": FONT_SIZE,
            "labelPadding": 6,
            "labelOverlap": True,
            "title": None,
        },
        "point": {"filled": True, "opacity": 1},
        "rule": {"strokeWidth": 2, "strokeCap": "round"},
        "line": {"strokeWidth": 1.75},
    }
