"""Texts that state figures by reference."""

from generator.model.base import Text
from generator.model.bound_text import bound_numbers, numbers_of_text, text_pieces, unbound_figures


def test_a_text_in_its_pieces() -> None:
    pieces = list(text_pieces("从 num(b/v/m) 到 ref( 7.5 )。"))
    assert pieces == [("text", "从 "), ("num", "b/v/m"), ("text", " 到 "), ("ref", "7.5"), ("text", "。")]


def test_nothing_to_bind() -> None:
    assert list(text_pieces("没有")) == [("text", "没有")]
    assert list(text_pieces("")) == []


def test_a_word_that_ends_like_a_call_is_none() -> None:
    assert bound_numbers("denum(a)") == []


def test_numbers_of_both_languages_stand_once() -> None:
    assert numbers_of_text(Text(zh="num(a) num(b)", en="num(b) num(c)")) == ["a", "b", "c"]


def test_figures_outside_of_calls() -> None:
    assert unbound_figures("num(evidence/e02/x--at-30s) 是 p95 的 12% 在 2026-11-30") == ["12%"]
    assert unbound_figures("ref(12%) 与 num(a)") == []
