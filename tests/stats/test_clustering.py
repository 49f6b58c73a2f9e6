"""Correlation within cases: by hand, against the variance components of NumPy, and in a simulation."""

from fractions import Fraction
from random import Random
from statistics import mean

import numpy
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generator.stats.clustering import clustering, interval_of_rate
from generator.stats.proportions import INTERVALS, IntervalMethod

COUNTS = st.lists(st.tuples(st.integers(0, 4), st.integers(0, 3)).map(lambda c: (c[0], c[0] + c[1])), max_size=8)


def test_by_hand() -> None:
    # Rates 1, 0, 1, 1/4 of four runs each. Between: (4 + 0 + 4 + 1/4 − 81/16)/3 = 17/16; within: (3/4)/12 = 1/16.
    # (17/16 − 1/16)/(17/16 + 3/16) = 4/5; design effect 1 + 3·4/5 = 17/5; 16 runs are worth 80/17.
    found = clustering([(4, 4), (0, 4), (4, 4), (1, 4)])
    assert found is not None
    assert (found.cases, found.runs) == (4, 16)
    assert (found.correlation, found.design_effect) == (Fraction(4, 5), Fraction(17, 5))
    assert found.effective == Fraction(80, 17)


def test_cases_that_all_agree_within_and_differ_between() -> None:
    found = clustering([(3, 3), (0, 3)])
    assert found is not None
    assert [found.correlation, found.effective] == [1, 2]


def test_cases_more_even_than_chance_gain_nothing() -> None:
    found = clustering([(1, 2)] * 5)
    assert found is not None
    # Between 0, within 5·(1/2)/5 = 1/2: −(1/2)/((2 − 1)·1/2).
    assert [found.correlation, found.design_effect, found.effective] == [-1, 1, 10]


@pytest.mark.parametrize(
    "counts", [[], [(1, 3)], [(0, 1), (1, 1)], [(2, 2), (3, 3)], [(0, 2), (0, 4)], [(1, 2), (0, 0)]]
)
def test_where_nothing_can_be_said(counts: list[tuple[int, int]]) -> None:
    assert clustering(counts) is None


@settings(deadline=None, derandomize=True, max_examples=150)
@given(COUNTS)
def test_against_the_variances_of_numpy(counts: list[tuple[int, int]]) -> None:
    found = clustering(counts)
    groups = [[1.0] * hits + [0.0] * (n - hits) for hits, n in counts if n]
    if found is None:
        return
    every = [value for group in groups for value in group]
    k, n = len(groups), len(every)
    grand = mean(every)
    between = sum(len(group) * (mean(group) - grand) ** 2 for group in groups) / (k - 1)
    within = sum(len(group) * float(numpy.var(group)) for group in groups) / (n - k)
    usual = (n - sum(len(group) ** 2 for group in groups) / n) / (k - 1)
    assert float(found.correlation) == pytest.approx((between - within) / (between + (usual - 1) * within))
    assert found.design_effect >= 1
    assert clustering(counts[::-1]) == found
    assert clustering([(n - hits, n) for hits, n in counts]) == found


def test_the_interval_covers_the_rate_of_other_cases() -> None:
    """Seeded: cases whose rates are 0, ½ or 1 with equal chance, five runs each; the plain interval misses far more."""
    draw = Random(8)
    covered = plain = told = 0
    for _ in range(400):
        rates = [draw.choice((0.0, 0.5, 1.0)) for _ in range(20)]
        counts = [(sum(draw.random() < rate for _ in range(5)), 5) for rate in rates]
        found, hits = clustering(counts), sum(hits for hits, _ in counts)
        if found is None:
            continue
        told += 1
        low, high = interval_of_rate(Fraction(hits, 100), found.effective, Fraction(95, 100))
        covered += low <= 0.5 <= high
        ends = INTERVALS["wilson"](hits, 100, 0.95)
        plain += ends is not None and ends[0] <= 0.5 <= ends[1]
    assert told == 400
    assert covered / told >= 0.92
    assert plain / told < 0.85


@pytest.mark.parametrize("method", ["wilson", "clopper_pearson"])
@pytest.mark.parametrize(("hits", "n"), [(0, 9), (4, 9), (9, 9), (180, 200)])
def test_with_whole_runs_it_is_the_plain_interval(method: IntervalMethod, hits: int, n: int) -> None:
    ends = INTERVALS[method](hits, n, 0.95)
    assert interval_of_rate(Fraction(hits, n), n, 0.95, method) == pytest.approx(ends, abs=1e-12)
