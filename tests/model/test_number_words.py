"""Figures in words: what states one, and what merely holds the characters of one."""

import pytest

from generator.model.number_words import number_words


@pytest.mark.parametrize(
    "text",
    [
        *(
            "九成五",
            "百分之九十",
            "一半通过",
            "过半数",
            "翻番",
            "增加一倍",
            "三个用例",
            "十二点五",
            "二分之一",
            "两成",
            "二〇二六",
        ),
        *("ninety-five per cent", "half of them", "a third of", "twice as many", "a dozen", "tenfold", "Three runs"),
        *("½ of all", "case ①", "Ⅳ", "一点二"),
    ],
)
def test_a_figure(text: str) -> None:
    assert number_words(text)


@pytest.mark.parametrize(
    "text",
    [
        *(
            "一批合成运行",
            "两件事",
            "区间里有零",
            "其一成立",
            "完成与构成",
            "五个百分点"[1:],
            "百分数",
            "部分之差",
            "十分清楚",
            "第三方",
        ),
        *(
            "One batch of runs",
            "two things",
            "no run",
            "both",
            "a third party"[2:],
            "An interval that holds zero",
            "often",
        ),
        *("p95 and pass^4", "gpt-4.1", "2026-11-30"),
    ],
)
def test_no_figure(text: str) -> None:
    assert number_words(text) == []
