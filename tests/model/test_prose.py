import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generator.model.prose import figures, pieces_with_digits

NAMES = [
    "p95",
    "C-1",
    "v1",
    "v3.11",
    "pass^4",
    "gpt-4.1-mini",
    "Qwen2.5-72B",
    "call-relation-v1",
    "2026-11",
    "2026-11-30",
    "2026-11-30T10:00:00Z",
    "2026",
    "1.6.1",
    "sha256:0123abcd",
    "2025-10-13T11:40:16.379079_airline_llm_agent_grok-3.json",
    "max_steps_5",
]
FIGURES = [
    "95%",
    "0.85",
    "12/16",
    "12",
    "350ms",
    "1st",
    "5-point",
    "3.5",
    "1,234",
    "９５％",
    "~40",
    "+12.5%",
    "95 %",
    "1e-6",
]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("sentence", ["{}", "about {}, or so", "评测{}的结果（{}）。", "“{}”: yes"])
def test_a_name_is_no_figure(name: str, sentence: str) -> None:
    assert figures(sentence.format(name, name)) == []


@pytest.mark.parametrize("figure", FIGURES)
@pytest.mark.parametrize("sentence", ["{}", "pass rate {}, at last", "通过率{}，很好", "rate={}", "rate:{}", "({})"])
def test_a_figure_is_found(figure: str, sentence: str) -> None:
    assert figures(sentence.format(figure))


@pytest.mark.parametrize("text", ["p95%", "pass-rate-95%", "pass-rate-95 %", "通过率 p95％"])
def test_no_percentage_is_a_name(text: str) -> None:
    assert figures(text)


def test_figures_are_told_as_they_stand() -> None:
    assert figures("12 of 16 runs passed (75%), with gpt-4 on 2026-11-30") == ["12", "16", "75%"]
    assert figures("十六次中通过12次") == ["12"]


@settings(deadline=None, database=None, derandomize=True, max_examples=300)
@given(st.text(st.sampled_from("aZ中5９7 .%-:/，（")))
def test_every_digit_is_in_one_piece(text: str) -> None:
    pieces = pieces_with_digits(text)
    places = [place for piece in pieces for place in range(piece.start, piece.end)]
    assert len(places) == len(set(places))
    assert {found.start() for found in re.finditer(r"\d", text)} <= set(places)
