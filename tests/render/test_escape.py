"""Any text can be shown, and nothing of it is hidden or obeyed."""

import html
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generator.model.visible import visible_again
from generator.render.escape import foreign, marked

ANY_TEXT = st.text(alphabet=st.characters(codec=None, exclude_categories=()))


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain text 12", "plain text 12"),
        ("两行\n与\t制表", "两行\n与\t制表"),
        ("a\u202eb", "a⟦U+202E⟧b"),
        ("\u200bzero", "⟦U+200B⟧zero"),
        ("\U000e0041tag", "⟦U+E0041⟧tag"),
        ("\x1b[31mred", "⟦U+001B⟧[31mred"),
        ("\ud800", "⟦U+D800⟧"),
        ("\ufeff", "⟦U+FEFF⟧"),
        ("a\ufe01", "a⟦U+FE01⟧"),
        ("\U0001d173", "⟦U+1D173⟧"),
        ("\U000fffff", "⟦U+FFFFF⟧"),
        ("❤\ufe0f", "❤\ufe0f"),
        ("kept ⟦已脱敏：邮箱⟧\u200b", "kept ⟦已脱敏：邮箱⟧⟦U+200B⟧"),
    ],
)
def test_hidden_characters_become_code_points(text: str, shown: str) -> None:
    assert visible_again(text) == shown


def test_markup_is_escaped_once() -> None:
    assert foreign('<script>alert("&amp;")</script>') == "&lt;script&gt;alert(&#34;&amp;amp;&#34;)&lt;/script&gt;"


@given(ANY_TEXT)
@settings(deadline=None, database=None, derandomize=True, max_examples=200)
def test_any_text_survives(text: str) -> None:
    shown = str(foreign(text))
    shown.encode("utf-8")
    assert not re.search("[<>\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2066-\u2069]", shown)
    assert html.unescape(shown) == visible_again(text)


def test_marks_stand_where_the_offsets_say() -> None:
    assert marked("a<b> 777", [(5, 8, "k")]) == 'a&lt;b&gt; <mark class="k">777</mark>'


@given(st.text(max_size=12), st.lists(st.tuples(st.integers(-3, 15), st.integers(-3, 15), st.just("k")), max_size=4))
@settings(deadline=None, database=None, derandomize=True, max_examples=200)
def test_wrong_offsets_lose_no_text(text: str, spans: list[tuple[int, int, str]]) -> None:
    shown = re.sub(r'<mark class="k">|</mark>', "", str(marked(text, spans)))
    assert shown == str(foreign(text))
