"""Which source value an answer's number may rest on."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generator.judge.json_values import leaves
from generator.judge.number_match import is_held
from generator.judge.number_scan import scan
from generator.judge.number_sources import values_of
from generator.model.base import Json


def held(answer: str, source: Json) -> bool:
    [mention] = scan(answer)
    return is_held(mention.what, values_of(leaves(source)))


@pytest.mark.parametrize(
    ("answer", "source", "expected"),
    [
        # rounding at the precision shown; a tie goes both ways; truncation does not match
        ("12.35%", 0.12349, True),
        ("12.34%", 0.12349, False),
        ("0.13", 0.125, True),
        ("0.12", 0.125, True),
        ("0.11", 0.125, False),
        ("5", 4.9, True),
        ("5.0", 4.9, False),
        ("1.23亿", 123456789, True),
        ("1.24亿", 123456789, False),
        ("约1200", 1249, True),
        ("约1200", 1251, False),
        ("0.3", 0.1 + 0.2, True),
        # percent against percent, face and ratio
        ("5%", "5%", True),
        ("5%", 5, True),
        ("5%", 0.05, True),
        ("5%", "50‰", True),
        ("0.5%", "50%", False),
        ("0.5%", 0.5, True),
        ("0.05", "5%", True),
        ("5", "5%", True),
        ("500", "5%", False),
        ("12.3%", 12.34, True),
        ("12.3%", "12.34%", True),
        ("12.3", "12.34%", True),
        ("5‰", 0.005, True),
        ("5‰", "5%", False),
        ("2.5 个百分点", 0.025, True),
        # sign
        ("5%", -0.05, False),
        ("下降 5%", -0.05, True),
        ("下降 5%", 0.05, True),
        ("-5%", -0.05, True),
        ("-5%", 0.05, False),
        ("下降 -5%", 0.05, False),
        ("-5%", "下降 5%", True),
        # no evidence
        ("1", True, False),
        ("1", "ORD-1", False),
        ("20240907001", "订单号 20240907001", False),
        ("7", {"7": "x"}, False),
        # evidence: list numbers and code of a source, any depth
        ("3", "3. 步骤", True),
        ("7", "```\n7\n```", True),
        ("7", {"a": [{"b": [None, 7]}]}, True),
        # moments
        ("9月9日", "2026-09-09T08:00:00Z", True),
        ("2026年", "2026-09-09", True),
        ("2026年", 2026, True),
        ("2026年9月", "2026-10-09", False),
        ("2026-09-09", "9月9日", False),
        ("08:00", "2026-09-09T08:00:00Z", True),
        ("2026-09-09T08:00:00", "2026-09-09 08:00:00", True),
        ("2026-09-09T08:00:00", "2026-09-09，另有 08:00:00", False),
    ],
)
def test_match(answer: str, source: Json, expected: bool) -> None:
    assert held(answer, source) is expected


@settings(deadline=None, database=None, derandomize=True, max_examples=150)
@given(st.decimals(0, 10**9, places=3, allow_nan=False), st.integers(0, 3))
def test_half_up_rounding_is_always_held(value: object, decimals: int) -> None:
    """Any value, printed at fewer decimals, is found again."""
    assert held(f"{value:.{decimals}f}", str(value))


@settings(deadline=None, database=None, derandomize=True, max_examples=150)
@given(st.integers(-(10**6), 10**6), st.integers(-(10**6), 10**6))
def test_whole_numbers_match_only_themselves(stated: int, source: int) -> None:
    assert held(str(stated), source) == (stated == source)
