"""Charts to take along."""

import csv
import io
import json
from xml.etree import ElementTree

import pytest

from generator.charts.downloads import COLUMNS, chart_files, csv_file, svg_file
from generator.charts.specification import light_colours
from generator.model.base import LANGS, Lang
from tests.charts.test_charts import NAMES_OF_CHARTS, drawn, report


@pytest.mark.parametrize("lang", LANGS)
def test_each_chart_has_a_drawing_a_table_and_a_specification(lang: Lang) -> None:
    files = dict(chart_files(report(), list(drawn(lang).values()), lang))
    folder = f"charts/{report().batch.id}/{lang}/"
    assert set(files) == {f"{folder}{name}.{it}" for name in NAMES_OF_CHARTS for it in ("svg", "csv", "vl.json")}


@pytest.mark.parametrize("name", NAMES_OF_CHARTS)
def test_a_drawing_stands_alone(name: str) -> None:
    chart = drawn("en")[name]
    alone = svg_file(chart.svg)
    root = ElementTree.fromstring(alone)
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    assert "var(" not in alone
    texts = [
        [it.text for it in of.iter() if it.tag.endswith("text")] for of in (root, ElementTree.fromstring(chart.svg))
    ]
    assert texts[0] == texts[1]


@pytest.mark.parametrize("name", NAMES_OF_CHARTS)
def test_a_table_says_what_its_numbers_are(name: str) -> None:
    chart = drawn("en")[name]
    lines = list(csv.DictReader(io.StringIO(csv_file(chart, report()))))
    cells = [cell for row in chart.rows for cell in row[1:]]
    assert [line["number"] for line in lines] == [cell.number or "" for cell in cells]
    for line in lines:
        if line["number"]:
            number = report().numbers[line["number"]]
            assert (line["value"] == "") == (number.value is None)
            assert line["value"] == "" or float(line["value"]) == number.value
            assert line["denominator"] == ("" if number.denominator is None else str(number.denominator))
    assert tuple(lines[0]) == COLUMNS


@pytest.mark.parametrize("name", NAMES_OF_CHARTS)
def test_a_specification_draws_without_the_page(name: str) -> None:
    """Vega accepts it, with every label that the page sets beside the drawing, and with plain colours."""
    import vl_convert

    chart = drawn("en")[name]
    specification = chart.drawing.specification
    again = ElementTree.fromstring(vl_convert.vegalite_to_svg(specification))
    shown = {it.text for it in again.iter() if it.tag.endswith("text")}
    labels = {it.text for it in ElementTree.fromstring(chart.svg).iter("text") if it.get("class") == "ref"}
    assert labels <= shown
    assert "var(" not in specification
    assert json.loads(specification)["description"] == f"{chart.title}: {chart.description}"


def test_colours_are_those_of_light_ground() -> None:
    assert light_colours()["--rc-bg"] == "#ffffff"
    assert light_colours()["--rc-ink"] == "#1b1f24"
