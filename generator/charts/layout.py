"""Where things stand. Computed here, not by measuring fonts, so that every machine draws the same."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from generator.charts.theme import FONT_SIZE, INK, LEFT, RIGHT, SOFT, WIDTH, Style
from generator.model.visible import visible_again

LABEL_HEIGHT = 17
GAP = 9
KEY_TEXT = 16
"""From the left edge of an entry of the legend to its text."""
HEADING_WIDTH = WIDTH - LEFT - RIGHT


@dataclass(frozen=True)
class Label:
    """A text of the drawing, at its baseline. `role` tells the check of numbers what it is: a marked reference, or an
    axis."""

    x: float
    y: float
    text: str
    anchor: Literal["start", "middle", "end"] = "start"
    role: Literal["ref", "axis"] = "ref"
    fill: str = SOFT
    size: float = FONT_SIZE
    weight: int = 400
    halo: bool = False


@dataclass(frozen=True)
class Key:
    """An entry of the legend: the mark of a variant, or a swatch of a fill."""

    text: str
    style: Style | None = None
    fill: str | None = None


@dataclass(frozen=True)
class Bands:
    """Rows below one another, in groups with a heading each. `rows[group][row]` is the middle of a row."""

    headings: list[float]
    rows: list[list[float]]
    height: float


def stack(groups: Sequence[int], row_height: float) -> Bands:
    """Room for groups of so many rows."""
    headings, rows = [], []
    y = 0.0
    for count in groups:
        headings.append(y + LABEL_HEIGHT - 5)
        y += LABEL_HEIGHT
        rows.append([y + row_height * (row + 0.5) for row in range(count)])
        y += row_height * count + GAP
    return Bands(headings, rows, y)


def heading(y: float, text: str) -> Label:
    return Label(0, y, fit(text, HEADING_WIDTH), fill=INK, weight=600, halo=True)


def text_width(text: str, size: float = FONT_SIZE) -> float:
    """A careful guess: an em for wide characters, somewhat more than half of one for the others."""
    return sum(size if ord(character) > 0x2E80 else size * 0.58 for character in text)


def fit(text: str, width: float, size: float = FONT_SIZE) -> str:
    """`text`, or its beginning and end where it is wider. What cannot be seen is marked."""
    seen = visible_again(" ".join(text.split()))
    shown, kept = seen, len(seen)
    while kept > 2 and text_width(shown, size) > width:
        kept -= 1
        shown = f"{seen[: kept - kept // 2]}…{seen[len(seen) - kept // 2 :]}"
    return shown


def wrap_keys(keys: Sequence[Key], width: float) -> list[list[tuple[float, Key]]]:
    """Lines of the legend, each entry with its left edge."""
    lines: list[list[tuple[float, Key]]] = [[]]
    x = 0.0
    for key in keys:
        needed = KEY_TEXT + text_width(fit(key.text, width - KEY_TEXT)) + 14
        if lines[-1] and x + needed > width:
            lines.append([])
            x = 0.0
        lines[-1].append((x, key))
        x += needed
    return lines
