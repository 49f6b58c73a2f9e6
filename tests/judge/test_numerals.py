from decimal import Decimal

import pytest

from generator.judge.numerals import numeral, scale_value

NUMERALS = {
    "十二": ("12", "1"),
    "二十": ("20", "1"),
    "三百": ("300", "1"),
    "一百二": ("120", "10"),
    "一百零二": ("102", "1"),
    "一百十五": ("115", "1"),
    "两千五": ("2500", "100"),
    "三千": ("3000", "1000"),
    "三千五百": ("3500", "1"),
    "十万": ("100000", "100000"),
    "一万五": ("15000", "1000"),
    "一万零五百": ("10500", "1"),
    "二千万": ("20000000", "10000000"),
    "一亿二千万": ("120000000", "10000000"),
    "一万亿": ("1000000000000", "1000000000000"),
    "三亿零五万": ("300050000", "10000"),
    "十二点五": ("12.5", "0.1"),
    "零点零五": ("0.05", "0.01"),
    "一点五亿": ("150000000", "10000000"),
}


@pytest.mark.parametrize("written", NUMERALS)
def test_numeral(written: str) -> None:
    value, step = NUMERALS[written]
    assert numeral(written) == (Decimal(value), Decimal(step))


@pytest.mark.parametrize("written", ["三四十", "百", "万", "二三", "十百", "一百千", "一千亿点", "亿亿", "五百百"])
def test_no_numeral(written: str) -> None:
    assert numeral(written) is None


def test_scale() -> None:
    assert {scale: scale_value(scale) for scale in ("", "千", "万", "百万", "千万", "亿", "万亿")} == {
        "": 1,
        "千": 10**3,
        "万": 10**4,
        "百万": 10**6,
        "千万": 10**7,
        "亿": 10**8,
        "万亿": 10**12,
    }
