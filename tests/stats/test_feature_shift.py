"""Shifts of single features and of directions, against NumPy, SciPy and by hand."""

from fractions import Fraction

import pytest

from generator.stats.feature_shift import direction_test, feature_p_values

HALF = Fraction(1, 2)


def _matrix(*rows: tuple[int | Fraction, ...]) -> list[list[Fraction]]:
    return [[Fraction(value) for value in row] for row in rows]


def test_a_feature_without_variance_has_no_p_value() -> None:
    assert feature_p_values([Fraction(1), Fraction(0)], [Fraction(0), Fraction(0)], (3, 3)) == [None, None]
    assert feature_p_values([Fraction(1)], [Fraction(2)], (1, 1)) == [None]


def test_no_direction_without_spread() -> None:
    assert direction_test([Fraction(1)], _matrix((0,)), (5, 5)) is None


def test_a_direction_that_spreads_as_the_next_is_not_determined() -> None:
    """Two features without correlation and a threshold that one of them reaches."""
    found = direction_test([Fraction(1), Fraction(0)], _matrix((1, 0), (0, 1)), (5, 5), HALF - Fraction(1, 100))
    assert found is not None
    assert (found.status, found.directions, found.p_value) == ("undetermined", 1, None)


def test_too_few_rows_are_said() -> None:
    found = direction_test([Fraction(1), Fraction(0)], _matrix((1, 0), (0, 1)), (1, 2))
    assert found is not None
    assert (found.status, found.directions) == ("insufficient_df", 2)


def test_one_of_two_directions() -> None:
    """Correlation ½: λ = 3/2 along (1, 1)/√2, which holds 75%. Apart by (1, 0) in units of the spread: (1/√2)² ÷ 3/2
    = 1/3; times 5 · 5 ÷ 10."""
    found = direction_test([Fraction(2), Fraction(0)], _matrix((4, 1), (1, 1)), (5, 5), Fraction(7, 10))
    assert found is not None
    assert (found.status, found.directions, found.df1, found.df2) == ("ok", 1, 1, 8)
    assert found.t_squared == pytest.approx(5 / 6)
    assert found.f == pytest.approx(5 / 6)
