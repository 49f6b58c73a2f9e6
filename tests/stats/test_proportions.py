import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binom

from generator.stats.proportions import clopper_pearson_interval, newcombe_interval, wilson_interval
from tests.stats.golden import Entry, close, entries, label

COUNTS = st.integers(0, 400).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))


@pytest.mark.parametrize("entry", entries("wilson"), ids=label)
def test_wilson_agrees_with_the_reference(entry: Entry) -> None:
    given_, expected = entry["input"], entry["expected"]
    interval = wilson_interval(given_["k"], given_["n"], float(given_["confidence"]))
    if expected["lower"] is None:
        assert interval is None
        return
    assert interval is not None
    assert close(interval[0], expected["lower"], entry["tolerance"])
    assert close(interval[1], expected["upper"], entry["tolerance"])


@pytest.mark.parametrize("n", [1, 7, 60, 1000])
def test_wilson_ends_are_pinned(n: int) -> None:
    none, every = wilson_interval(0, n), wilson_interval(n, n)
    assert none is not None
    assert none[0] == 0.0
    assert every is not None
    assert every[1] == 1.0


def test_wilson_of_one_half_by_hand() -> None:
    # z = 1 at level 0.6826894921…: centre (p + 1/2n)/(1 + 1/n), half width sqrt(p(1−p)/n + 1/4n²)/(1 + 1/n); n = 4.
    interval = wilson_interval(2, 4, 0.6826894921370859)
    assert interval is not None
    assert interval[0] == pytest.approx(0.5 - math.sqrt(0.0625 + 1 / 64) / 1.25, abs=1e-12)
    assert interval[1] == pytest.approx(0.5 + math.sqrt(0.0625 + 1 / 64) / 1.25, abs=1e-12)


@settings(deadline=None, derandomize=True, max_examples=200)
@given(COUNTS, st.sampled_from([0.5, 0.9, 0.95, 0.99]))
def test_wilson_holds_the_value_and_mirrors(counts: tuple[int, int], level: float) -> None:
    hits, n = counts
    interval, mirrored = wilson_interval(hits, n, level), wilson_interval(n - hits, n, level)
    if n == 0:
        assert interval is None
        return
    assert interval is not None
    assert mirrored is not None
    assert 0 <= interval[0] <= hits / n <= interval[1] <= 1
    assert interval[0] == pytest.approx(1 - mirrored[1], abs=1e-12)


@pytest.mark.parametrize(("hits", "n"), [(-1, 3), (4, 3), (0, -1)])
def test_wilson_refuses_impossible_counts(hits: int, n: int) -> None:
    with pytest.raises(ValueError, match=r"hits must lie in \[0, n\]"):
        wilson_interval(hits, n)


@pytest.mark.parametrize("level", [0.0, 1.0, 1.5, -0.1])
def test_wilson_refuses_impossible_levels(level: float) -> None:
    with pytest.raises(ValueError, match=r"level must lie in \(0, 1\)"):
        wilson_interval(1, 2, level)


@pytest.mark.parametrize(
    ("counts", "low", "high"),
    [
        # Newcombe (1998), Statistics in Medicine 17:873–890, table II, method 10, cases (a) to (h).
        ((56, 70, 48, 80), 0.0524, 0.3339),
        ((9, 10, 3, 10), 0.1705, 0.8090),
        ((6, 7, 2, 7), 0.0582, 0.8062),
        ((5, 56, 0, 29), -0.0381, 0.1926),
        ((0, 10, 0, 20), -0.1611, 0.2775),
        ((0, 10, 0, 10), -0.2775, 0.2775),
        ((10, 10, 0, 20), 0.6791, 1.0000),
        ((10, 10, 0, 10), 0.6075, 1.0000),
    ],
)
def test_newcombe_agrees_with_its_paper(counts: tuple[int, int, int, int], low: float, high: float) -> None:
    interval = newcombe_interval(*counts)
    assert interval is not None
    assert (round(interval[0], 4), round(interval[1], 4)) == (low, high)


@settings(deadline=None, derandomize=True, max_examples=200)
@given(COUNTS, COUNTS)
def test_newcombe_holds_the_difference_and_is_antisymmetric(own: tuple[int, int], base: tuple[int, int]) -> None:
    interval, turned = newcombe_interval(*own, *base), newcombe_interval(*base, *own)
    if not own[1] or not base[1]:
        assert interval is None
        return
    assert interval is not None
    assert turned is not None
    assert -1 <= interval[0] <= own[0] / own[1] - base[0] / base[1] <= interval[1] <= 1
    assert interval[0] == pytest.approx(-turned[1], abs=1e-12)


@settings(deadline=None, derandomize=True, max_examples=100)
@given(COUNTS, st.sampled_from([0.5, 0.9, 0.95, 0.99]))
def test_exact_ends_are_rates_at_which_the_tail_is_the_level(counts: tuple[int, int], level: float) -> None:
    hits, n = counts
    interval, mirrored = clopper_pearson_interval(hits, n, level), clopper_pearson_interval(n - hits, n, level)
    if n == 0:
        assert interval is None
        return
    assert interval is not None
    assert mirrored is not None
    assert 0 <= interval[0] <= hits / n <= interval[1] <= 1
    assert interval[0] == pytest.approx(1 - mirrored[1], abs=1e-12)
    if hits:
        assert binom.sf(hits - 1, n, interval[0]) == pytest.approx((1 - level) / 2, rel=1e-7)
    else:
        assert interval[0] == 0.0
    if hits == n:
        assert interval[1] == 1.0


def test_the_exact_interval_by_hand() -> None:
    # No hit in n runs: 1 − (α/2)^(1/n).
    interval = clopper_pearson_interval(0, 7)
    assert interval is not None
    assert interval[1] == pytest.approx(1 - 0.025 ** (1 / 7))


def test_the_exact_interval_refuses_what_the_other_refuses() -> None:
    with pytest.raises(ValueError, match=r"hits must lie in \[0, n\]"):
        clopper_pearson_interval(4, 3)
    with pytest.raises(ValueError, match=r"level must lie in \(0, 1\)"):
        clopper_pearson_interval(1, 3, 1.0)
