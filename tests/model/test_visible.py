"""What a reader cannot see is marked, and nothing else changes."""

import re
import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generator.model.visible import all_seen, mark, visible

repeatable = settings(deadline=None, database=None, derandomize=True, max_examples=200)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a\u202eb", "a⟦U+202E⟧b"),
        ("a\u200bb", "a⟦U+200B⟧b"),
        ("\x1b[31m", "⟦U+001B⟧[31m"),
        ("\U000e0041", "⟦U+E0041⟧"),
        ("\ud800x", "⟦U+D800⟧x"),
        ("\ufeff", "⟦U+FEFF⟧"),
        ("a\r\nb", "a⟦U+000D⟧\nb"),
        ("\u3164", "⟦U+3164⟧"),
        ("⟦已脱敏：邮箱⟧", "⟦U+27E6⟧已脱敏：邮箱⟧"),
        ("❤\ufe0f", "❤\ufe0f"),
        ("\ufe0f", "⟦U+FE0F⟧"),
        ("❤\ufe0f\ufe0f", "❤\ufe0f⟦U+FE0F⟧"),
        ("a\ufe01", "a⟦U+FE01⟧"),
        ("\U000e0100", "⟦U+E0100⟧"),
        ("\U0010ffff", "⟦U+10FFFF⟧"),
    ],
)
def test_marks(text: str, expected: str) -> None:
    assert visible(text) == expected


@pytest.mark.parametrize("text", ["", "plain", "两行\n\t，全角　空格", "emoji 👍🏽 é ä", "عربي עברית हिन्दी"])
def test_ordinary_text_stays(text: str) -> None:
    assert visible(text) == text
    assert all_seen(text) or "\ufe0f" in text


@repeatable
@given(st.text())
def test_nothing_unseen_is_left(text: str) -> None:
    shown = visible(text)
    shown.encode()
    bidirectional = {"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"}
    assert not any(unicodedata.bidirectional(character) in bidirectional for character in shown)
    assert not any(unicodedata.category(character) == "Cc" and character not in "\n\t" for character in shown)


@repeatable
@given(st.text())
def test_marks_can_be_read_back(text: str) -> None:
    back = re.sub(r"⟦U\+([0-9A-F]{4,6})⟧", lambda found: chr(int(found[1], 16)), visible(text))
    assert back == text


def test_the_cheap_question_never_says_yes_wrongly() -> None:
    for code in range(0x110000):
        character = chr(code)
        if visible(character) != character:
            assert not all_seen(character), mark(character)
