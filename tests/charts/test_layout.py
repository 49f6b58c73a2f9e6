"""Places are computed, not measured."""

import pytest

from generator.charts.layout import Key, fit, stack, text_width, wrap_keys
from generator.charts.measures import _thinned, _ticks
from generator.charts.theme import COLOURS, style


def test_rows_stand_below_their_headings_and_never_touch() -> None:
    bands = stack([2, 1], 10)
    assert bands.headings == [12, 58]
    assert bands.rows == [[22, 32], [68]]
    assert bands.height == 82


def test_the_legend_breaks_before_it_leaves_the_drawing() -> None:
    keys = [Key("长" * 10) for _ in range(4)]
    lines = wrap_keys(keys, 330)
    assert [len(line) for line in lines] == [2, 2]
    assert [line[0][0] for line in lines] == [0, 0]
    assert wrap_keys([Key("长" * 100)], 330) == [[(0, Key("长" * 100))]]


def test_a_name_that_is_too_long_keeps_its_beginning_and_end() -> None:
    name = "tool-calling-model-0.0_range_0--1_user-other-model-llm_0920134328__trials_1"
    short = fit(name, 300)
    assert short.startswith("tool-calling-model")
    assert short.endswith("__trials_1")
    assert "…" in short
    assert text_width(short) <= 300
    assert fit("short", 300) == "short"
    assert fit("a\u202eb", 300) == "a⟦U+202E⟧b"


def test_thirty_six_variants_look_different() -> None:
    looks = {(style(index).colour, style(index).shape) for index in range(36)}
    assert len(looks) == 36
    assert [style(index).colour for index in range(6)] == list(COLOURS)


@pytest.mark.parametrize(
    ("highest", "expected"),
    [(400, [0, 250]), (1000, [0, 250, 500, 1000]), (12_000, [0, 500, 1000, 2000, 5000, 10_000])],
)
def test_times_on_the_axis_keep_their_distance(highest: float, expected: list[int]) -> None:
    assert _ticks(highest) == expected


def test_thinning_keeps_the_ends() -> None:
    values = [float(value) for value in range(1000)]
    thinned = _thinned(values, 60)
    assert len(thinned) == 60
    assert (thinned[0], thinned[-1]) == (0, 999)
    assert thinned == sorted(thinned)
    assert _thinned(values[:5], 60) == values[:5]
