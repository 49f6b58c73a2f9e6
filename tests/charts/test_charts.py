"""What is drawn, and the tables beside it."""

import re
from functools import cache
from typing import Any
from xml.etree import ElementTree

import altair
import pytest

from generator.charts import Chart, draw_charts
from generator.charts.svg import _vega_svg
from generator.model.base import LANGS, Lang
from generator.model.report import BatchReport
from generator.resources import resource
from tests.charts.build import NAMES, VARIANTS, make_report, make_source, texts

SVG = "{http://www.w3.org/2000/svg}"
NAMES_OF_CHARTS = ["proportions", "accounting", "categories", "durations", "tokens", "failures", "sequential"]


@cache
def report() -> BatchReport:
    return make_report()


@cache
def drawn(lang: Lang) -> dict[str, Chart]:
    return {chart.name: chart for chart in draw_charts(report(), make_source(), lang, texts(lang))}


def drawing(name: str, lang: Lang = "zh") -> ElementTree.Element:
    return ElementTree.fromstring(drawn(lang)[name].svg)


def texts_of(element: ElementTree.Element, role: str) -> list[str]:
    return [text.text or "" for text in element.iter("text") if text.get("class") == role]


@pytest.mark.parametrize("lang", LANGS)
def test_all_charts_in_the_order_of_the_page(lang: Lang) -> None:
    assert list(drawn(lang)) == NAMES_OF_CHARTS


def test_drawing_again_gives_the_same_bytes() -> None:
    first = draw_charts(report(), make_source(), "zh", texts("zh"))
    _vega_svg.cache_clear()
    again = draw_charts(make_report(), make_source(), "zh", texts("zh"))
    assert first == again


@pytest.mark.parametrize("name", NAMES_OF_CHARTS)
def test_a_drawing_scales_speaks_and_links_nowhere(name: str) -> None:
    chart, svg = drawn("en")[name], drawing(name, "en")
    assert svg.get("viewBox", "").startswith("0 0 380 ")
    assert (svg.get("width"), svg.get("height"), svg.get("role")) == ("100%", None, "img")
    title, description = svg.find("title"), svg.find("desc")
    assert title is not None
    assert description is not None
    assert (title.text, description.text) == (chart.title, chart.description)
    assert svg.get("aria-labelledby") == f"{title.get('id')} {description.get('id')}"
    for forbidden in ("href", "style=", "<script", "<style", "<image", "http", "data:"):
        assert forbidden not in chart.svg


@pytest.mark.parametrize("name", NAMES_OF_CHARTS)
def test_colours_are_variables_of_the_page(name: str) -> None:
    paints = re.findall(r'(?:fill|stroke)="([^"]+)"', drawn("zh")[name].svg)
    assert paints
    assert all(re.fullmatch(r"none|var\(--rc-[a-z0-9]+\)|url\(#rc-ctx-drawn-[a-z-]+\)", paint) for paint in paints)


@pytest.mark.parametrize("name", NAMES_OF_CHARTS)
def test_every_text_says_whether_it_is_an_axis_or_a_reference(name: str) -> None:
    assert {text.get("class") for text in drawing(name).iter("text")} == {"axis", "ref"}


def test_ids_are_unique_on_a_page_and_every_reference_has_its_target() -> None:
    page = "".join(chart.svg for chart in drawn("zh").values())
    ids = re.findall(r'\bid="([^"]+)"', page)
    assert len(ids) == len(set(ids))
    assert set(re.findall(r"url\(#([^)]+)\)", page)) <= set(ids)


@pytest.mark.parametrize("lang", LANGS)
def test_tables_are_full_and_their_numbers_exist(lang: Lang) -> None:
    for chart in drawn(lang).values():
        assert chart.rows
        for row in chart.rows:
            assert len(row) == len(chart.columns)
            assert row[0].number is None
            for cell in row:
                assert (cell.text is None) != (cell.number is None)
                assert cell.number is None or cell.number in report().numbers


def test_proportions_show_every_ratio_with_a_value() -> None:
    chart = drawn("en")["proportions"]
    assert [row[0].text for row in chart.rows][:3] == [
        "Tool selection accuracy ↑",
        "Hallucinated tool rate ↓",
        "Unauthorised leak rate ↓",
    ]
    assert "Task pass rate" not in chart.svg
    marks = re.findall(r'<path transform="translate\([\d.,]+\)" d="[^"]+" fill="var\(--rc-v1\)"', chart.svg)
    assert len(marks) == len(chart.rows) + 1  # and one in the legend


def test_a_value_stands_where_its_axis_says() -> None:
    number = report().number("full", "tool_selection_accuracy")
    assert number is not None
    assert isinstance(number.value, float)
    assert number.interval is not None
    width = 380 - 6 - 17
    places = re.findall(
        r'<path transform="translate\(([\d.]+),[\d.]+\)"[^>]*fill="var\(--rc-v1\)"', drawn("zh")["proportions"].svg
    )
    assert float(places[1]) == pytest.approx(number.value * width, abs=0.02)
    lines = re.findall(
        r'<line transform="translate\(([\d.]+),[\d.]+\)" x2="(-?[\d.]+)"', drawn("zh")["proportions"].svg
    )
    ends = {tuple(sorted((float(start), float(start) + float(length)))) for start, length in lines}
    wanted = (number.interval.low * width, number.interval.high * width)
    assert any(end == pytest.approx(wanted, abs=0.03) for end in ends)


def test_categories_carry_their_denominators() -> None:
    numbers = [report().number(variant, "call_relation_pass_rate", "category-safety") for variant in VARIANTS]
    counts = [f"{number.numerator}/{number.denominator}" for number in numbers if number is not None]
    assert len(counts) == len(VARIANTS)
    shown = texts_of(drawing("categories"), "ref")
    assert all(count in shown for count in counts)


def test_accounting_has_a_pattern_for_each_state_besides_its_colour() -> None:
    svg = drawn("zh")["accounting"].svg
    for state in ("failed", "invalid", "cancelled"):
        assert f'<pattern id="rc-ctx-drawn-accounting-{state}"' in svg
    assert texts_of(drawing("accounting"), "ref")[:5] == ["完成", "失败", "无效", "取消", "未发起"]


def test_states_look_alike_in_charts_and_tables() -> None:
    template = (resource("templates") / "partials" / "page.html.j2").read_text(encoding="utf-8")
    patterns = re.findall(r'<pattern id="rc-ctx-drawn-accounting-(\w+)"(.*?</pattern>)', drawn("zh")["accounting"].svg)
    assert len(patterns) == 3
    for state, pattern in patterns:
        assert f'<pattern id="state-{state}"{pattern}' in template


def test_failures_count_valid_runs_by_layer() -> None:
    chart = drawn("en")["failures"]
    rows = [row for row in report().rows if row.validity == "valid"]
    expected = [
        str(sum(row.variant == variant and any(a.layer == "dependency" for a in row.attribution) for row in rows))
        for variant in VARIANTS
    ]
    (found,) = [row for row in chart.rows if row[0].text == "A value did not flow as required"]
    assert [cell.text for cell in found[1:]] == expected


@pytest.mark.parametrize("lang", LANGS)
def test_variants_are_named_in_the_language_baseline_first(lang: Lang) -> None:
    names = [NAMES[variant][LANGS.index(lang)] for variant in VARIANTS]
    assert drawn(lang)["proportions"].columns[1:] == names
    assert texts_of(drawing("durations", lang), "ref") == names


def test_without_runs_there_is_no_empty_frame() -> None:
    charts = draw_charts(make_report(empty=True), make_source(), "zh", texts("zh"))
    assert [chart.name for chart in charts] == ["accounting"]


def test_what_is_drawn_keeps_to_the_schema_of_vega_lite(monkeypatch: pytest.MonkeyPatch) -> None:
    """Drawing skips this check for speed."""
    from generator.charts import svg

    def checked(chart: altair.LayerChart, height: float, right: float) -> dict[str, Any]:
        chart.to_dict(validate=True)
        return unchecked(chart, height, right)

    unchecked = svg._content
    monkeypatch.setattr(svg, "_content", checked)
    assert len(draw_charts(report(), make_source(), "en", texts("en"))) == len(NAMES_OF_CHARTS)


def test_both_languages_have_the_same_texts() -> None:
    keys = {lang: {key for key in texts(lang) if key.startswith("charts.")} for lang in LANGS}
    assert keys["zh"] == keys["en"]


def test_titles_and_descriptions_hold_no_digit() -> None:
    for lang in LANGS:
        for chart in drawn(lang).values():
            assert not re.search(r"\d", chart.title + chart.description)
