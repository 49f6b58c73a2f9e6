"""Charts to take along: the drawing, its numbers, and its Vega-Lite specification. PNG is made by the reader's browser,
because the fonts of a building machine would be in its bytes."""

import csv
import io
from collections.abc import Iterator, Sequence

from generator.charts.chart import Chart, ChartCell
from generator.charts.specification import light_colours, with_plain_colours
from generator.model.addresses import chart_file
from generator.model.base import Lang
from generator.model.numbers import Number
from generator.model.report import BatchReport
from generator.model.visible import visible_again

COLUMNS = ("row", "column", "text", "value", "unit", "numerator", "denominator", "low", "high", "reason", "number")
_RISKY = ("=", "+", "-", "@", "\t", "\r")


def chart_files(batch: BatchReport, charts: Sequence[Chart], lang: Lang) -> Iterator[tuple[str, bytes]]:
    """Address and bytes of each file of the charts of a batch in one language."""
    for chart in charts:
        yield chart_file(batch.batch.id, lang, chart.name, "svg"), svg_file(chart.svg).encode()
        yield chart_file(batch.batch.id, lang, chart.name, "csv"), csv_file(chart, batch).encode("utf-8-sig", "replace")
        yield chart_file(batch.batch.id, lang, chart.name, "vl.json"), (chart.drawing.specification + "\n").encode()


def svg_file(svg: str) -> str:
    """A drawing of a page as a file that stands alone: on light ground, with colours instead of variables."""
    head = '<svg xmlns="http://www.w3.org/2000/svg" font-family="sans-serif" '
    ground = f'</desc><rect width="100%" height="100%" fill="{light_colours()["--rc-bg"]}"/>'
    alone = svg.replace("<svg ", head, 1).replace("</desc>", ground, 1).replace("\n", " ")
    return with_plain_colours(alone, patterns=False) + "\n"


def csv_file(chart: Chart, batch: BatchReport) -> str:
    """The table of a chart, a line a cell. Numbers stand as the API has them, with their id; texts that a spreadsheet
    would take for a formula begin with an apostrophe, and what cannot be seen is marked."""
    written = io.StringIO()
    writer = csv.writer(written, lineterminator="\r\n")
    writer.writerow(COLUMNS)
    for row in chart.rows:
        for column, cell in zip(chart.columns[1:], row[1:], strict=True):
            named = [_safe(row[0].text or row[0].number or ""), _safe(column)]
            writer.writerow([*named, *_cell(cell, batch)])
    return written.getvalue()


def _cell(cell: ChartCell, batch: BatchReport) -> list[object]:
    if cell.number is None:
        return [_safe(cell.text or ""), *[""] * 8]
    number: Number = batch.numbers[cell.number]
    low, high = ("", "") if number.interval is None else (number.interval.low, number.interval.high)
    counts = [number.numerator, number.denominator]
    shown = ["", number.value, number.unit, *counts, low, high, number.reason, _safe(number.id)]
    return ["" if it is None else it for it in shown]


def _safe(text: str) -> str:
    text = visible_again(" ".join(text.split()))
    return f"'{text}" if text.startswith(_RISKY) else text
