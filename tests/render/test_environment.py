"""Texts, numbers and links in templates of one language and of both."""

from typing import Any

import jinja2
import pytest

from generator.model.base import Text
from generator.model.numbers import Counted, Interval, Number
from generator.render.environment import MissingText, make_environment
from tests.render.sample import sample

HERE = "experiments/e/b.html"


def render(template: str, **context: Any) -> str:
    environment = make_environment(sample().texts, sample().source.metrics)
    return environment.from_string(template).render(context)


def number(**changes: Any) -> Number:
    fields: dict[str, Any] = {
        "id": "b/v/tool_selection_accuracy",
        "batch": "b",
        "experiment": "e",
        "variant": "v",
        "slice": None,
        "metric": "tool_selection_accuracy",
        "metric_version": 1,
        "unit": "ratio",
        "value": 10 / 18,
        "numerator": 10,
        "denominator": 18,
        "runset": "rs-0",
        "numerator_runset": "rs-1",
        "excluded": {"invalid:rate_limited": Counted(count=2, runset="rs-2")},
        "missing": None,
        "interval": Interval(method="wilson", level=0.95, low=0.3372, high=0.7544),
        "reason": None,
        "page": "numbers/b/v/tool_selection_accuracy.html",
    }
    return Number(**{**fields, **changes})


def test_number_as_the_brief_writes_it() -> None:
    assert render("{{ number(n) }}", n=number(), here=HERE, lang="zh") == (
        '<a class="num" data-num="b/v/tool_selection_accuracy"'
        ' href="../../numbers/b/v/tool_selection_accuracy.html">55.6%'
        '<span data-part="count"> 10/18</span><span data-part="interval"> [33.7, 75.4]</span></a>'
    )


def test_english_pages_open_the_number_in_english() -> None:
    shown = render("{{ number(n, count=false, interval=false) }}", n=number(), here=f"en/{HERE}", lang="en")
    assert 'href="../../../numbers/b/v/tool_selection_accuracy.html#en">55.6%</a>' in shown


def test_difference_is_in_points() -> None:
    difference = number(value=-0.346, numerator=None, denominator=None, interval=None, compares=("a", "b"))
    assert '>−34.6<span data-part="unit"> 个百分点</span></a>' in render(
        "{{ number(n) }}", n=difference, here=HERE, lang="zh"
    )
    assert '>−34.6<span data-part="unit"> pp</span></a>' in render(
        "{{ number(n) }}", n=difference, here=HERE, lang="en"
    )


def test_sample_size_stands_behind_a_mean() -> None:
    mean = number(metric="avg_turns", unit="turns", value=3.25, numerator=None, denominator=66, interval=None)
    shown = render("{{ number(n) }}", n=mean, here=HERE, lang="zh")
    assert '>3.25<span data-part="unit"> 轮</span><span data-part="count"> n 66</span></a>' in shown


def test_no_value_is_a_dash() -> None:
    empty = number(value=None, numerator=0, denominator=0, interval=None, reason="no_valid_runs")
    assert '>—<span data-part="count"> 0/0</span></a>' in render("{{ number(n) }}", n=empty, here=HERE, lang="zh")


@pytest.mark.parametrize(
    ("part", "text"),
    [
        ("numerator", "10"),
        ("misses", "8"),
        ("denominator", "18"),
        ("excluded:invalid:rate_limited", "2"),
        ("low", "33.7"),
    ],
)
def test_parts(part: str, text: str) -> None:
    shown = render("{{ part(n, p, '#x') }}", n=number(), p=part, here=HERE)
    expected = f'<a class="ref" data-of="b/v/tool_selection_accuracy" data-part="{part}" href="#x">{text}</a>'
    assert shown == expected


def test_a_part_that_the_number_lacks() -> None:
    with pytest.raises(KeyError, match="missing"):
        render("{{ part(n, 'missing', '#x') }}", n=number(), here=HERE)


def test_texts_follow_the_language_of_the_page() -> None:
    template = '{{ t("common.none") }}'
    assert render(template, lang="zh") == "无"
    assert render(template, lang="en") == "none"
    assert render(template) == '<span lang="zh-CN">无</span><span lang="en">none</span>'


def test_only_names_in_prose_are_references() -> None:
    told = Text(zh="由 gpt-4 执行，通过率 95%", en="by gpt-4, pass rate 95%")
    assert render("{{ x | say_prose }}", x=told, lang="en") == ('by <span class="ref">gpt-4</span>, pass rate 95%')
    assert render("{{ x | say_prose }}", x=told) == (
        '<span lang="zh-CN">由 <span class="ref">gpt-4</span> 执行，通过率 95%</span>'
        '<span lang="en">by <span class="ref">gpt-4</span>, pass rate 95%</span>'
    )


def test_digits_of_configured_values_are_references_and_nothing_else() -> None:
    name = Text(zh="温度 0.7", en="Temperature 0.7 & more")
    assert render("{{ x | say }}", x=name, lang="zh") == '温度 <span class="ref">0.7</span>'
    assert (
        render('{{ both("evidence.same_case_caption", metric=x) }}', x=name).count('<span class="ref">0.7</span>') == 2
    )
    assert "Temperature <span" in render('{{ both("evidence.same_case_caption", metric=x) }}', x=name)
    assert render("{{ x | say }}", x=Text(zh="p95", en="p95")) == '<span class="ref">p95</span>'


def test_texts_of_the_interface_hold_no_digit() -> None:
    texts = sample().texts
    assert [key for lang in texts for key, text in texts[lang].items() if any(map(str.isdigit, text))] == []


def test_a_missing_text_is_an_error() -> None:
    with pytest.raises(MissingText, match=r"common\.nothing"):
        render('{{ t("common.nothing") }}', lang="zh")


def test_values_in_texts_are_escaped_and_markup_stays() -> None:
    shown = render('{{ both("evidence.turn", turn=x) }}', x="<b>")
    assert "&lt;b&gt;" in shown
    assert "<code>3</code>" in render('{{ both("evidence.turn", turn="<code>3</code>" | safe) }}')


def test_unknown_reasons_stand_as_they_are() -> None:
    assert render('{{ named("reasons", "rate_limited") }}', lang="en") == "rate limited"
    assert render('{{ named("reasons", "x<1") }}', lang="en") == '<code class="ref">x&lt;1</code>'


def test_everything_is_escaped_and_nothing_undefined() -> None:
    assert render("{{ x }}|{{ n }}|{{ none }}|{{ f }}", x="<&>", n=3, f=True) == "&lt;&amp;&gt;|3|None|True"
    with pytest.raises(jinja2.UndefinedError):
        render("{{ y }}")


def test_links_need_to_know_their_page() -> None:
    assert render("{{ link('runs/b/r.html') }}", here="numbers/b/v/m.html") == "../../../runs/b/r.html"
    with pytest.raises(jinja2.UndefinedError, match="here"):
        render("{{ link('runs/b/r.html') }}")


def test_both_languages_have_the_same_keys() -> None:
    texts = sample().texts
    assert texts["zh"].keys() == texts["en"].keys()
