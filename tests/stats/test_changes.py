from fractions import Fraction

import pytest

from generator.model.metrics import Direction
from generator.stats.changes import change_word
from tests.stats.golden import Entry, entries, label

WORDS = {
    "改善": "improved",
    "回归": "regressed",
    "持平": "unchanged",
    "上升": "up",
    "下降": "down",
    "不可比": "incomparable",
}


@pytest.mark.parametrize("entry", entries("change_label"), ids=label)
def test_words_agree_with_the_reference(entry: Entry) -> None:
    before, after = (
        None if entry["input"][side] is None else Fraction(entry["input"][side]) for side in ("before", "after")
    )
    assert change_word(before, after, entry["input"]["better"]) == WORDS[entry["expected"]["label"]]


@pytest.mark.parametrize(
    ("direction", "rise", "fall"),
    [("higher", "improved", "regressed"), ("lower", "regressed", "improved"), ("neutral", "up", "down")],
)
def test_direction_decides(direction: Direction, rise: str, fall: str) -> None:
    assert change_word(Fraction(1, 3), Fraction(1, 2), direction) == rise
    assert change_word(Fraction(1, 2), Fraction(1, 3), direction) == fall


def test_equality_is_of_rationals_not_of_rounded_texts() -> None:
    # 55.55% and 55.56% both read 55.6% and still differ.
    assert change_word(Fraction(5555, 10000), Fraction(5556, 10000), "higher") == "improved"
