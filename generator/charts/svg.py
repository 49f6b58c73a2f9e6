"""Altair chart → inline SVG.

Vega draws the marks and axes; headings, legend and data labels are set here, because the drawing is then the same in
both languages (and drawn once), and because no font of the building machine decides where anything stands.
"""

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree

from generator.charts.layout import KEY_TEXT, Key, Label, fit, wrap_keys
from generator.charts.specification import specification
from generator.charts.theme import AXIS, GROUND, LEFT, LINE, RIGHT, SOFT, WIDTH, vega_config

if TYPE_CHECKING:
    import altair

_SVG = "http://www.w3.org/2000/svg"
_KEY_HEIGHT = 18
_DROPPED = ("role", "pointer-events", "font-family", "aria-roledescription", "aria-hidden", "opacity", "class")
_INHERITED = (
    "fill",
    "stroke",
    "stroke-width",
    "stroke-opacity",
    "stroke-linecap",
    "font-size",
    "text-anchor",
)
_NUMBER = re.compile(r"-?\d+\.\d+(?:e-?\d+)?")
_NUMERIC = ("transform", "d", "x", "y", "x2", "y2", "width", "height")
_PATTERNS = {
    "failed": '<path d="M-1,1l2,-2M0,6l6,-6M5,7l2,-2" stroke="var(--rc-bad)" stroke-width="2"/>',
    "invalid": '<path d="M0,3h6M3,0v6" stroke="var(--rc-soft)" stroke-width="1.4"/>',
    "cancelled": '<circle cx="3" cy="3" r="1.7" fill="var(--rc-open)"/>',
}
_OUTLINES = {
    "circle": "M4.5,0A4.5,4.5,0,1,1,-4.5,0A4.5,4.5,0,1,1,4.5,0",
    "square": "M-4,-4h8v8h-8Z",
    "triangle-up": "M0,-4.6L5,4H-5Z",
    "diamond": "M0,-5.4L5.4,0L0,5.4L-5.4,0Z",
    "cross": "M-5,-1.7h3.3v-3.3h3.4v3.3h3.3v3.4h-3.3v3.3h-3.4v-3.3h-3.3Z",
    "triangle-down": "M0,4.6L5,-4H-5Z",
}


@dataclass(frozen=True)
class Drawing:
    """`svg` goes into a page as it is; `specification` is Vega-Lite, as JSON."""

    svg: str
    specification: str


def pattern_fill(state: str) -> str:
    """The fill of a state that is told apart by a pattern; `draw` makes the pattern of each drawing its own."""
    return f"url(#{state})"


def draw(
    chart: "altair.LayerChart",
    height: float,
    *,
    identifier: str,
    title: str,
    description: str,
    keys: Sequence[Key] = (),
    labels: Iterable[Label] = (),
    right: float = RIGHT,
) -> Drawing:
    """The drawing of a chart whose plot is `height` high; `labels` count from the plot's upper left corner.

    `identifier` is in every id of the drawing, so that several can stand on a page.
    """
    lines = wrap_keys(keys, WIDTH - LEFT) if keys else []
    top = len(lines) * _KEY_HEIGHT + (4 if lines else 0)
    total = round(top + height + AXIS)
    labels = list(labels)
    content = _content(chart, height, right)
    plot = ElementTree.fromstring(_vega_svg(json.dumps(content, sort_keys=True)))
    body = _clean(plot)
    drawing = ElementTree.Element(
        "svg",
        {
            "class": "rc-drawing",
            "viewBox": f"0 0 {WIDTH} {total}",
            "width": "100%",
            "role": "img",
            "aria-labelledby": f"{identifier}-title {identifier}-desc",
        },
    )
    ElementTree.SubElement(drawing, "title", {"id": f"{identifier}-title"}).text = title
    ElementTree.SubElement(drawing, "desc", {"id": f"{identifier}-desc"}).text = description
    for number, line in enumerate(lines):
        for x, key in line:
            _draw_key(drawing, LEFT + x, 12 + number * _KEY_HEIGHT, key)
    moved = ElementTree.SubElement(drawing, "g", {"transform": f"translate({LEFT},{top})"})
    moved.extend(body)
    for label in labels:
        _draw_label(moved, label)
    svg = _own_ids(ElementTree.tostring(drawing, encoding="unicode"), identifier)
    told = specification(
        content,
        title=title,
        description=description,
        top=top,
        lines=lines,
        key_height=_KEY_HEIGHT,
        labels=labels,
    )
    return Drawing(svg, told)


def _content(chart: "altair.LayerChart", height: float, right: float) -> dict[str, Any]:
    content: dict[str, Any] = chart.to_dict(validate=False)
    content["config"] = vega_config()
    content["width"], content["height"] = WIDTH - LEFT - right, height
    content["autosize"] = {"type": "none"}
    content["padding"] = {"left": 0, "right": right, "top": 0, "bottom": AXIS}
    return content


@lru_cache(maxsize=256)
def _vega_svg(spec: str) -> str:
    import vl_convert

    svg: str = vl_convert.vegalite_to_svg(spec)
    return svg


def _clean(plot: ElementTree.Element) -> list[ElementTree.Element]:
    """What Vega drew, without empty frames, roles and superfluous digits; texts of axes get their class."""
    _prune(plot, axis=False)
    return list(plot)


def _prune(element: ElementTree.Element, *, axis: bool) -> None:
    for child in list(element):
        child.tag = child.tag.removeprefix(f"{{{_SVG}}}")
        classes = child.get("class", "").split()
        if "background" in classes or "foreground" in classes:
            element.remove(child)
            continue
        in_axis = axis or any(name.startswith("role-axis") for name in classes)
        for name in _DROPPED:
            if name != "opacity" or child.get(name) == "1":
                child.attrib.pop(name, None)
        for name in _NUMERIC:
            if name in child.attrib:
                child.set(name, _NUMBER.sub(_shorter, child.attrib[name]))
        if child.tag == "text":
            child.set("class", "axis" if in_axis else "ref")
        _prune(child, axis=in_axis)
        if child.tag == "g" and len(child) == 0:
            element.remove(child)
    _share(element)


def _share(group: ElementTree.Element) -> None:
    """Say once on a group what all its members say."""
    members = list(group)
    if group.tag != "g" or len(members) < 2:
        return
    for name in _INHERITED:
        said = {member.get(name) for member in members}
        if len(said) == 1 and None not in said:
            group.set(name, said.pop() or "")
            for member in members:
                del member.attrib[name]


def _shorter(number: re.Match[str]) -> str:
    short = f"{float(number.group()):.2f}".rstrip("0").rstrip(".")
    return "0" if short == "-0" else short


def _draw_key(drawing: ElementTree.Element, x: float, y: float, key: Key) -> None:
    if key.style is not None:
        outline = {"d": _OUTLINES[key.style.shape], "fill": key.style.colour}
        ElementTree.SubElement(drawing, "path", {"transform": f"translate({x + 5:g},{y - 4:g})", **outline})
    else:
        box = {"x": f"{x:g}", "y": f"{y - 9:g}", "width": "11", "height": "11"}
        ElementTree.SubElement(drawing, "rect", {**box, "fill": key.fill or "none", "stroke": SOFT})
    _draw_label(drawing, Label(x + KEY_TEXT, y, fit(key.text, WIDTH - LEFT - KEY_TEXT)))


def _draw_label(drawing: ElementTree.Element, label: Label) -> None:
    attributes = {"class": label.role, "x": f"{label.x:g}", "y": f"{label.y:g}", "fill": label.fill}
    attributes["font-size"] = f"{label.size:g}"
    if label.anchor != "start":
        attributes["text-anchor"] = label.anchor
    if label.weight != 400:
        attributes["font-weight"] = str(label.weight)
    if label.halo:
        attributes |= {"stroke": GROUND, "stroke-width": "3", "paint-order": "stroke", "stroke-linejoin": "round"}
    ElementTree.SubElement(drawing, "text", attributes).text = label.text


def _own_ids(svg: str, identifier: str) -> str:
    """Ids of clip paths and patterns with the drawing's name before them, and the patterns that it uses."""
    svg = re.sub(r'(?<=\bid=")(clip\w*)', rf"{identifier}-\1", svg)
    svg = re.sub(r"url\(#(\w+)\)", rf"url(#{identifier}-\1)", svg)
    used = [state for state in _PATTERNS if f"url(#{identifier}-{state})" in svg]
    if not used:
        return svg
    size = 'width="6" height="6" patternUnits="userSpaceOnUse"'
    ground = f'<rect width="6" height="6" fill="{LINE}" fill-opacity="0.35"/>'
    patterns = "".join(
        f'<pattern id="{identifier}-{state}" {size}>{ground}{_PATTERNS[state]}</pattern>' for state in used
    )
    return svg.replace("</svg>", f"<defs>{patterns}</defs></svg>")
