"""What a number on a page says of its sample."""

from typing import Any

import pytest

from generator.verify.found import ShownNumber
from generator.verify.shown import number_findings, published_number

WORDS = {"zh": {"common.unit.cases": "个用例"}, "en": {"common.unit.cases": "cases"}}


def number(**changes: Any) -> dict[str, Any]:
    known = {
        "id": "b/v/pass_hat_2",
        "value": 0.5,
        "unit": "ratio",
        "numerator": None,
        "denominator": 4,
        "missing": None,
        "excluded": {},
        "interval": None,
        "compares": None,
        "page": "numbers/b/v/pass_hat_2.html",
    }
    return known | changes


def places(aggregate: str, parts: dict[str, str]) -> list[str]:
    known = published_number(number(), {"unit": "ratio", "decimals": 1, "aggregate": aggregate}, "50.0%", WORDS)
    shown = ShownNumber("b/v/pass_hat_2", "../../numbers/b/v/pass_hat_2.html", "50.0%", parts, None)
    return [place for place, _, _ in number_findings(shown, known, "runs/b")]


@pytest.mark.parametrize("word", ["cases", "个用例", "个用例cases"])
def test_a_mean_over_cases_says_that_it_counts_cases(word: str) -> None:
    assert places("pass_hat", {"count": "n 4", "sample": f" {word}"}) == []


@pytest.mark.parametrize(
    ("aggregate", "parts", "place"),
    [
        ("pass_hat", {"count": "n 4"}, "b/v/pass_hat_2 sample"),
        ("pass_hat", {"count": "n 4", "sample": "runs"}, "b/v/pass_hat_2 sample"),
        ("mean", {"count": "n 4", "sample": "cases"}, "b/v/pass_hat_2 sample"),
        ("pass_hat", {"count": "n 5", "sample": "cases"}, "b/v/pass_hat_2 count"),
        ("pass_hat", {"count": "n 4", "sample": "cases", "more": "best"}, "b/v/pass_hat_2 more"),
    ],
)
def test_another_word_is_found(aggregate: str, parts: dict[str, str], place: str) -> None:
    assert places(aggregate, parts) == [place]


def test_without_a_count_nothing_is_counted() -> None:
    assert places("pass_hat", {}) == []
