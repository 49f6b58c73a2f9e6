from fractions import Fraction

import numpy
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generator.stats.elimination import independent_columns, solve

MATRICES = st.lists(st.lists(st.integers(-3, 3).map(Fraction), min_size=3, max_size=3), min_size=3, max_size=3)


@settings(deadline=None, derandomize=True, max_examples=150)
@given(MATRICES, st.lists(st.integers(-5, 5).map(Fraction), min_size=3, max_size=3))
def test_rank_and_solution(matrix: list[list[Fraction]], right: list[Fraction]) -> None:
    columns = independent_columns(matrix)
    assert len(columns) == numpy.linalg.matrix_rank(numpy.array(matrix, float))
    if len(columns) == 3:
        solution = solve(matrix, right)
        assert [sum(a * x for a, x in zip(row, solution, strict=True)) for row in matrix] == right
    else:
        with pytest.raises(ZeroDivisionError):
            solve(matrix, right)
