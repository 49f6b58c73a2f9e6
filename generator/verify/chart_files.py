"""Charts to take along: each is the drawing of its page, and says what the numbers of its table say."""

import csv
import io
import json
import re
from collections import defaultdict
from collections.abc import Iterator
from fractions import Fraction
from html import unescape
from pathlib import Path
from typing import Any

from generator.verify.names import file_name
from generator.verify.published import Api
from generator.verify.result import Finding, VerifyResult

_CHARTS = "charts/"
_CHART_FIGURE = re.compile(r'<figure class="rc-chart" id="chart-([a-z0-9-]+)">(.*?)</figure>', re.DOTALL)
_DRAWING = re.compile(r'<svg class="rc-drawing".*?</svg>', re.DOTALL)
_SHOWN_NUMBER = re.compile(r'data-num="([^"]*)"')
_SHOWN_TEXT = re.compile(r"<text\b[^>]*>([^<]*)</text>")
_COLOUR_NAME = re.compile(r"var\((--rc-[a-z0-9]+)\)")
_COLOUR = re.compile(r"(--rc-[a-z0-9]+):\s*(#[0-9a-f]{6})")
_ELEMENTS = re.compile(r"<[^>]*>")
_WHITE = re.compile(r"[\s\u200b]+")
_CHART_COLUMNS = [
    "row",
    "column",
    "text",
    "value",
    "unit",
    "numerator",
    "denominator",
    "low",
    "high",
    "reason",
    "number",
]
_DECIMAL = re.compile(r"-?\d+(\.\d+)?(e[+-]?\d{1,3})?")
_BYTE_ORDER_MARK = "\ufeff"


def check_chart_files(root: Path, files: set[str], api: Api, result: VerifyResult) -> None:
    """Every file is of a figure on the page of its batch, and every figure has its files."""
    expected: dict[str, tuple[str, str]] = {}
    for entry in api.index["batches"]:
        for lang, folder in (("zh", ""), ("en", "en/")):
            for page in (entry["page"], f"{entry['page'].removesuffix('.html')}/statistics.html"):
                if folder + page in files:
                    text = (root / folder / page).read_text(encoding="utf-8")
                    for name, figure in _CHART_FIGURE.findall(text):
                        expected[f"{_CHARTS}{file_name(entry['id'])}/{lang}/{name}"] = (folder + page, figure)
    present: dict[str, set[str]] = defaultdict(set)
    for address in files:
        if address.startswith(_CHARTS):
            base, _, suffix = address.partition(".")
            present[base].add(suffix)
    for base in sorted(present.keys() - expected.keys()):
        result.differ(base, "a file of a chart", "of no figure", "none")
    colours = _light_colours(root)
    for base, (page, figure) in sorted(expected.items()):
        if present.get(base) != {"svg", "csv", "vl.json"}:
            result.differ(page, "files of a chart", ", ".join(sorted(present.get(base, ()))), "svg, csv, vl.json")
            continue
        for suffix, findings in (
            ("svg", _svg_findings(root / f"{base}.svg", figure, colours)),
            ("csv", _csv_findings(root / f"{base}.csv", figure, api)),
            ("vl.json", _specification_findings(root / f"{base}.vl.json", figure)),
        ):
            result.checked["files of charts"] += 1
            with result.reading(f"{base}.{suffix}"):
                for finding in findings:
                    result.differ(f"{base}.{suffix}", *finding)


def _light_colours(root: Path) -> dict[str, str]:
    style = (root / "assets/tokens.css").read_text(encoding="utf-8")
    return dict(_COLOUR.findall(style.partition("}")[0]))


def _svg_findings(path: Path, figure: str, colours: dict[str, str]) -> Iterator[Finding]:
    """The drawing of the page, to the byte, but for its colours, font and ground."""
    drawing = _DRAWING.search(figure)
    written = path.read_text(encoding="utf-8")
    if drawing is None:
        yield "a drawing", "a file", "none on the page"
        return
    ground = f'</desc><rect width="100%" height="100%" fill="{colours["--rc-bg"]}"/>'
    alone = drawing[0].replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" font-family="sans-serif" ', 1)
    alone = alone.replace("</desc>", ground, 1).replace("\n", " ")
    if written != _COLOUR_NAME.sub(lambda name: colours.get(name[1], "none"), alone) + "\n":
        yield "a drawing", "another one", "that of the page"


def _csv_findings(path: Path, figure: str, api: Api) -> Iterator[Finding]:
    """The numbers of the figure in order, each as the API has it."""
    text = path.read_text(encoding="utf-8")
    if not text.startswith(_BYTE_ORDER_MARK):
        yield "encoding", "no mark", "UTF-8 with a byte order mark"
    lines = list(csv.reader(io.StringIO(text.removeprefix(_BYTE_ORDER_MARK), newline="")))
    if lines[0] != _CHART_COLUMNS:
        yield "columns", ", ".join(lines[0]), ", ".join(_CHART_COLUMNS)
        return
    rows = [dict(zip(_CHART_COLUMNS, line, strict=True)) for line in lines[1:]]
    listed = [row["number"].removeprefix("'") for row in rows if row["number"]]
    shown = [unescape(number) for number in _SHOWN_NUMBER.findall(figure)]
    if listed != shown:
        yield "numbers", ", ".join(listed), ", ".join(shown)
        return
    words = _WHITE.sub("", unescape(_ELEMENTS.sub("", figure)))
    for row in rows:
        for name in ("row", "column", "text"):
            if _WHITE.sub("", row[name].removeprefix("'")) not in words:
                yield name, row[name], "a text of the figure"
        if row["number"]:
            number = api.numbers[row["number"].removeprefix("'")].number
            for column, value in _fields(number).items():
                if not _says(row[column], value):
                    yield f"{number['id']} {column}", row[column], "nothing" if value is None else str(value)


def _fields(number: dict[str, Any]) -> dict[str, Any]:
    interval = number["interval"] or {"low": None, "high": None}
    fields = {name: number[name] for name in ("value", "unit", "numerator", "denominator", "reason")}
    return fields | {"low": interval["low"], "high": interval["high"]}


def _says(text: str, value: Any) -> bool:
    if value is None or isinstance(value, str):
        return text == (value or "")
    return _DECIMAL.fullmatch(text) is not None and Fraction(text) == value


def _specification_findings(path: Path, figure: str) -> Iterator[Finding]:
    """It loads nothing and leads nowhere, and its labels are those of the drawing."""
    specification = json.loads(path.read_text(encoding="utf-8"))
    shown = {unescape(text) for text in _SHOWN_TEXT.findall(figure)}
    for place, value in _members(specification):
        if place in ("url", "href"):
            yield "an address", str(value), "none"
        elif place == "text" and isinstance(value, str) and value not in {*shown, specification["title"]["text"]}:
            yield "a label", value, "a text of the drawing"


def _members(value: Any) -> Iterator[tuple[str, Any]]:
    if isinstance(value, dict):
        for name, member in value.items():
            yield name, member
            yield from _members(member)
    elif isinstance(value, list):
        for member in value:
            yield from _members(member)
