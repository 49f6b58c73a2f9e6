"""What counts as a factual number of an answer, and what its value is."""

from decimal import Decimal

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from generator.judge.number_mentions import Amount, Moment
from generator.judge.number_scan import scan

FACTUAL = {
    # identifiers
    "型号 GPT-4、p95、v1.2、A12、2026Q3、3f9a-22": [],
    "地址 10.0.0.1:8080，版本 1.2.3": [],
    "订单号：20240907001，编号 A-7，批次 12，ID=77，No. 5，#9": [],
    "order id 552 paid 500": ["500"],
    "用时 120ms，30-day 期限，3kg-5kg": ["120", "30", "3", "5"],
    "USD1,200 与 CNY 30": ["1,200", "30"],
    "sha 550e8400-e29b-41d4-a716-446655440000": [],
    # dates and times
    "2026-09-09 与 2026/9/9 与 2026.9.9": ["2026-09-09", "2026/9/9", "2026.9.9"],
    "2026 年 9 月 9 日、2026年9月、9月9日、2026年": ["2026 年 9 月 9 日", "2026年9月", "9月9日", "2026年"],
    "2026-09-09T08:00:00Z 起，14:30 止": ["2026-09-09T08:00:00Z", "14:30"],
    "On May 20, 2026 or 3 June": ["May 20, 2026", "3 June"],
    "you may 20 times; 9月": ["20", "9"],
    "2026-13-45": ["2026", "13", "45"],
    # structure
    "1. 甲\n2、乙\n(3) 丙\n- 4. 丁": [],
    "1.5 倍\n2、3件": ["1.5", "2", "3"],
    "① 第3步，第 4-6 条，步骤 2，见表 3、图 4，以下3点，Step 2, Table 1": [],
    "代表 3 人，文章 2 篇": ["3", "2"],
    "流程图2，数据表 3，本节 4": [],
    "## 2.1 标题\n## 3 小节": [],
    "结果如下 3 元": ["3"],
    # numbers
    "+5、-5、−5": ["+5", "-5", "−5"],
    "3-5 天，10%-20%，100元-200元，5万-8万": ["3", "5", "10%", "20%", "100", "200", "5万", "8万"],
    "同比-5%，-$30": ["-5%", "-$30"],
    "1,234.50 与 12,345,678 与 1,2345": ["1,234.50", "12,345,678", "1", "2345"],
    "１，２３４ 与 １２．５％": ["１", "２３４", "１２．５％"],
    "1.23亿、12 万、3千万、5万亿、1亿2000万": ["1.23亿", "12 万", "3千万", "5万亿", "1亿2000万"],
    "5千克、3千米、2千": ["5", "3", "2千"],
    "5k、1.2M、3bn、5km、2MB": ["5k", "1.2M", "3bn", "5", "2"],
    "5 %、3‰、2.5 个百分点": ["5 %", "3‰", "2.5 个百分点"],
    "6.02e23 与 1e-5": ["6.02e23", "1e-5"],
    "5 million": ["5 million"],
    "10\n万元": ["10"],
    # Chinese numerals
    "百分之十二点五、百分之5、百分之百": ["百分之十二点五", "百分之5", "百分之百"],
    "三成、三成五、3成、成功三成功": ["三成", "三成五", "3成"],
    "十二人、一亿二千万、两千五": ["十二", "一亿二千万", "两千五"],
    "三个方面、一步一步、十分、万一、千万别、一成不变、成千上万、几十万、数百万、二十几": [],
    "总数三百二十、人数二十": ["三百二十", "二十"],
    "一点建议，第十二章，双十一": [],
    # removed
    "```\nx = 5\n```\n后 6": ["6"],
    "```\nx = 5": [],
    "见 https://a.com/5/6?x=7，共 8": ["8"],
}


def texts(text: str, role: str = "factual") -> list[str]:
    return [text[mention.start : mention.end] for mention in scan(text) if mention.role == role]


@pytest.mark.parametrize("text", FACTUAL)
def test_factual_numbers(text: str) -> None:
    assert texts(text) == FACTUAL[text]


@pytest.mark.parametrize(
    ("text", "value", "step", "per"),
    [
        ("12.30%", "12.30", "0.01", 100),
        ("3‰", "3", "1", 1000),
        ("1.23亿", "123000000", "1000000", 1),
        ("12 万", "120000", "10000", 1),
        ("1亿2000万", "120000000", "10000", 1),
        ("1万2345", "12345", "1", 1),
        ("1.5k", "1500", "100", 1),
        ("2e3", "2000", "1000", 1),
        ("1.5e-3", "0.0015", "0.0001", 1),
        ("约1200", "1200", "100", 1),
        ("大约 5000", "5000", "1000", 1),
        ("接近 300", "300", "100", 1),
        ("nearly 4,000", "4000", "1000", 1),
        ("节约1200", "1200", "1", 1),
        ("最近 30", "30", "1", 1),
        ("约12.50", "12.50", "0.01", 1),
        ("约 120 万", "1200000", "10000", 1),
        ("约一千二百", "1200", "100", 1),
        ("三成", "30", "10", 100),
        ("三成五", "35", "1", 100),
        ("百分之十二点五", "12.5", "0.1", 100),
        ("-$30", "-30", "1", 1),
    ],
)
def test_value_and_precision(text: str, value: str, step: str, per: int) -> None:
    [mention] = scan(text)
    assert isinstance(mention.what, Amount)
    assert mention.what[:3] == (Decimal(value), Decimal(step), per)


@pytest.mark.parametrize(
    ("text", "moment"),
    [
        ("2026-09-09T08:05:06.7+08:00", Moment(2026, 9, 9, 8, 5, 6)),
        ("2026年9月", Moment(2026, 9)),
        ("9月9日", Moment(None, 9, 9)),
        ("2026年", Moment(2026)),
        ("Sept 3, 2026", Moment(2026, 9, 3)),
        ("20th of May 2026", Moment(2026, 5, 20)),
        ("May 2026", Moment(2026, 5)),
        ("14:30", Moment(hour=14, minute=30)),
        ("3:30 PM", Moment(hour=15, minute=30)),
        ("下午 3:30", Moment(hour=15, minute=30)),
        ("12:05 am", Moment(hour=0, minute=5)),
    ],
)
def test_moment(text: str, moment: Moment) -> None:
    assert [mention.what for mention in scan(text)] == [moment]


@pytest.mark.parametrize(
    ("text", "decreasing"),
    [("下降 5%", True), ("下降了约 5%", True), ("decreased by 5%", True), ("下降，利润 5%", False), ("增长 5%", False)],
)
def test_words_of_decrease(text: str, decreasing: bool) -> None:
    [mention] = scan(text)
    assert isinstance(mention.what, Amount)
    assert mention.what.decreasing is decreasing


def test_roles() -> None:
    text = "1. 订单号 20240907001\n```\n7\n```\n8"
    assert [(text[m.start : m.end], m.role) for m in scan(text)] == [
        ("1", "structural"),
        ("20240907001", "labelled"),
        ("7", "code"),
        ("8", "factual"),
    ]


@pytest.mark.parametrize(
    "text",
    [
        "9" * 100_000,
        "a-" * 50_000 + "1",
        "1-a" * 30_000,
        "1,234," * 20_000 + "5",
        "1万" * 30_000,
        "亿" * 50_000,
        "一万亿" * 20_000,
        "1.1." * 30_000,
        "5 " * 50_000,
        "```\n1\n" * 10_000,
        "百分之" * 30_000,
        "1e999",
        "1" + "0" * 5_000 + "%",
    ],
    ids=lambda text: text[:6],
)
def test_hostile_text_ends(text: str) -> None:
    scan(text)


PIECES = st.sampled_from(
    [
        *"0123456789.,%-+:/eE约成万亿千百十点年月日三#\n ",
        "百分之",
        "订单号",
        "第",
        "2026-09-09",
        "```",
        "GPT-4",
        "下降",
        "１",
        "T",
        "May ",
    ]
)


@settings(deadline=None, database=None, derandomize=True, max_examples=300)
@given(st.one_of(st.text(), st.lists(PIECES, max_size=25).map("".join)))
@example("\ud800" + "1")
def test_any_text_is_scanned(text: str) -> None:
    end = 0
    for mention in scan(text):
        assert end <= mention.start < mention.end <= len(text)
        end = mention.end


@settings(deadline=None, database=None, derandomize=True, max_examples=100)
@given(st.integers(0, 10**12), st.integers(0, 4))
def test_grouped_digits_are_one_number(number: int, decimals: int) -> None:
    [mention] = scan(f"共 {number:,}{'.' + '5' * decimals if decimals else ''} 元")
    assert isinstance(mention.what, Amount)
    assert mention.what.value == Decimal(f"{number}.{'5' * decimals}")
    assert mention.what.step == Decimal(10) ** -decimals
