import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generator.judge.fact_values import fold, is_stated, known_facts, statement, statements_of
from generator.judge.json_values import leaves
from generator.model.base import Json
from generator.model.cases import Fact


def stated(value: str | int | float, text: str) -> bool:
    [fact] = known_facts([Fact(id="f", values=[value])]) or []
    return is_stated(fact, [statement(text)])


@pytest.mark.parametrize(
    ("value", "text", "expected"),
    [
        # numbers by value, without rounding; percentages are ratios
        ("1,234.50", "总价 1234.5 元", True),
        ("1234.5 元", "USD 1,234.50", True),
        ("¥1,234.5", "1234.50", True),
        (1234.5, "一共 1234.5", True),
        ("4.1%", "0.041", True),
        ("0.041", "4.10%", True),
        ("4.1%", "4.1", False),
        ("4.1%", "4.12%", False),
        ("1.2万", "12,000", True),
        (12, "共 120 项，2012 年，A12，3.12 版", False),
        (12, "十二项", True),
        (2012, "2012 年起", True),
        (5, "5. 第五点", False),
        (5, "```\n5\n```", True),
        (20240907001, "订单号 20240907001", True),
        ("-5%", "-0.05", True),
        # moments by their parts: the text gives each part that the fact gives
        ("2026-09-09", "2026年9月9日发布", True),
        ("9月9日", "2026-09-09", True),
        ("2026-09-09", "9月9日", False),
        ("22:30", "窗口 22:30 开始", True),
        ("22:30", "窗口 22:31 开始", False),
        # text
        ("没有权限", "您没有 权限。", True),
        ("Pulsar", "改用 ＰＵＬＳＡＲ", True),
        ("FEE-2026", "文件 fee-2026 写明", True),
        ("FEE-2026", "FEE-20261", False),
        ("4.8.1", "修复于 4.8.1。", True),
        ("4.8.1", "14.8.1", False),
        ("4.8.1", "4.8.1.2", False),
        ("3-5 天", "需 3-5天", True),
        ("3-5 天", "需 13-5 天", False),
        ("", "", False),
        ("  ", "x", False),
    ],
)
def test_fact(value: str | int | float, text: str, expected: bool) -> None:
    assert stated(value, text) is expected


@pytest.mark.parametrize(
    ("value", "result", "expected"),
    [
        ("88.5", {"p": [88.5]}, True),
        ("88.5", {"p": "88.50 元"}, True),
        ("4.1%", {"r": 0.041}, True),
        ("1", {"ok": True}, False),
        ("持有", {"持有": 1}, False),
    ],
)
def test_fact_in_a_result(value: str, result: Json, expected: bool) -> None:
    [fact] = known_facts([Fact(id="f", values=[value])]) or []
    assert is_stated(fact, statements_of(leaves(result))) is expected


def test_any_value_states_a_fact() -> None:
    [fact] = known_facts([Fact(id="f", values=["甲", "乙"])]) or []
    assert is_stated(fact, [statement("丙"), statement("乙")])
    assert not is_stated(fact, [])


@settings(deadline=None, database=None, derandomize=True, max_examples=200)
@given(st.text(max_size=20))
def test_a_text_states_itself(text: str) -> None:
    """Whatever characters a value has (brackets, stars, backslashes), they are looked for literally."""
    assert stated(text, text) == bool(fold(text))


@settings(deadline=None, database=None, derandomize=True, max_examples=100)
@given(st.text("甲乙.*+?()[]{}|^$\\", min_size=1, max_size=8), st.text("甲乙.*+?()[]{}|^$\\", max_size=12))
def test_text_is_a_substring(value: str, text: str) -> None:
    assert stated(value, text) == (value in text)
