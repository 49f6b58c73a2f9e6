from collections.abc import Sequence
from fractions import Fraction

import numpy
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from statsmodels.stats.multivariate import test_mvmean_2indep as statsmodels_hotelling

from generator.stats.hotelling import HotellingResult, hotelling

BASELINE = [[1, 2], [2, 3], [3, 3], [4, 5], [5, 5]]
CANDIDATE = [[1, 0], [2, 1], [3, 1], [4, 2]]
ROWS = st.lists(st.tuples(st.integers(-9, 9), st.integers(-9, 9)), min_size=3, max_size=8)


def compared(baseline: Sequence[Sequence[int | float]], candidate: Sequence[Sequence[int | float]]) -> HotellingResult:
    result = hotelling(baseline, candidate)
    assert result is not None
    return result


@settings(deadline=None, derandomize=True, max_examples=40)
@given(ROWS, ROWS)
def test_it_agrees_with_statsmodels_where_there_is_a_test(
    baseline: list[tuple[int, int]], candidate: list[tuple[int, int]]
) -> None:
    result = hotelling(baseline, candidate)
    assert result is not None
    if result.status == "ok":
        assert result.test is not None
        other = statsmodels_hotelling(numpy.array(baseline, float), numpy.array(candidate, float))
        assert float(result.test.t_squared) == pytest.approx(other.t2, rel=1e-6, abs=1e-9)
        assert result.test.p_value == pytest.approx(other.pvalue, rel=1e-6)
    else:
        assert result.test is None
        assert result.rank < 2


@settings(deadline=None, derandomize=True, max_examples=40)
@given(ROWS, ROWS, st.integers(1, 50), st.integers(-20, 20))
def test_units_origins_and_order_are_irrelevant(
    baseline: list[tuple[int, int]], candidate: list[tuple[int, int]], scale: int, shift: int
) -> None:
    def moved(rows: list[tuple[int, int]]) -> list[list[Fraction]]:
        return [[Fraction(b) / 3, Fraction(a * scale + shift)] for a, b in reversed(rows)]

    result, other = hotelling(baseline, candidate), hotelling(moved(baseline), moved(candidate))
    assert result is not None
    assert other is not None
    assert (result.status, result.rank, result.difference_in_range) == (
        other.status,
        other.rank,
        other.difference_in_range,
    )
    if result.test is not None and other.test is not None:
        assert result.test.t_squared == other.test.t_squared


def test_thirds_as_fractions_are_collinear_and_as_floats_are_not() -> None:
    shares = [(1, 1, 1), (1, 2, 0), (2, 1, 0), (0, 1, 2), (1, 0, 2), (3, 0, 0), (0, 2, 1)]
    exact = [[Fraction(part, 3) for part in row] for row in shares]
    result = hotelling(exact[:4], exact[2:])
    assert result is not None
    assert (result.status, result.rank) == ("singular", 2)
    rounded = compared([[part / 3 for part in row] for row in shares[:4]], [[p / 3 for p in row] for row in shares[2:]])
    assert rounded.status == "ok"


def test_a_deterministic_shift_is_told_and_not_tested() -> None:
    result = compared([[*row, 0] for row in BASELINE], [[*row, 1] for row in CANDIDATE])
    assert (result.status, result.shifted, result.difference_in_range) == ("singular", (2,), False)
    assert result.test is None
    assert result.reduced is None


def test_a_constant_that_is_equal_is_left_out() -> None:
    result = compared([[7, *row] for row in BASELINE], [[7, *row] for row in CANDIDATE])
    assert (result.status, result.shifted, result.independent) == ("singular", (), (1, 2))
    assert result.reduced == compared(BASELINE, CANDIDATE).test


def test_nothing_varies_at_all() -> None:
    result = compared([[1, 2]] * 4, [[1, 2]] * 4)
    assert (result.status, result.rank, result.difference_in_range) == ("singular", 0, True)
    assert result.reduced is None


def test_one_row_on_each_side_has_no_covariance() -> None:
    result = compared([[1]], [[2]])
    assert (result.status, result.covariance, result.shifted) == ("insufficient_df", None, (0,))


def test_an_empty_group_compares_with_nothing() -> None:
    assert hotelling([], CANDIDATE) is None
    assert hotelling(BASELINE, []) is None


@pytest.mark.parametrize(
    ("baseline", "candidate", "widths"),
    [([[1, 2], [1]], [[1, 2]], r"\[1, 2\]"), ([[1]], [[1, 2]], r"\[1, 2\]"), ([[]], [[]], r"\[0\]")],
)
def test_ragged_rows_are_refused(baseline: list[list[int]], candidate: list[list[int]], widths: str) -> None:
    with pytest.raises(ValueError, match=f"rows need the same number of features, at least one; got {widths}"):
        hotelling(baseline, candidate)
