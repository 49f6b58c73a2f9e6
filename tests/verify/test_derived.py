"""The second implementation against the first, and against NumPy."""

from fractions import Fraction
from math import prod

import numpy
import pytest

from generator.model.formatting import value_text
from generator.verify import exact
from generator.verify.linear import eigenvalues, pivots
from tests.aggregate.test_fingerprint import BASELINE, CANDIDATE


def scatter(tables: list[list[list[int]]]) -> tuple[list[list[Fraction]], list[Fraction]]:
    """Sums of products within the groups, and the difference of their means."""
    one, other = (numpy.cov(numpy.array(table).T, bias=True) * len(table) for table in tables)
    total = (one + other).tolist()
    means = [[Fraction(sum(column), len(column)) for column in zip(*table, strict=True)] for table in tables]
    exact = [[Fraction(float(value)).limit_denominator(1000) for value in row] for row in total]
    return exact, [mean - base for mean, base in zip(*means, strict=True)]


def test_the_distance_of_the_reference() -> None:
    found = pivots(*scatter([BASELINE, CANDIDATE]))
    # T² = n₁n₂/(n₁+n₂) · 7 · d'S⁻¹d
    assert found.distance * 7 * Fraction(20, 9) == Fraction(10514, 153)
    assert (found.columns, found.in_range) == ([0, 1], True)


def test_a_sum_of_columns_has_no_pivot_and_a_shift_beside_it_is_out_of_range() -> None:
    summed = [[[*row, sum(row)] for row in table] for table in (BASELINE, CANDIDATE)]
    found = pivots(*scatter(summed))
    assert (found.columns, found.in_range) == ([0, 1], True)
    moved = [[[*row, place] for row in table] for place, table in enumerate((BASELINE, CANDIDATE))]
    assert not pivots(*scatter(moved)).in_range


@pytest.mark.parametrize("size", [1, 2, 7])
def test_eigenvalues(size: int) -> None:
    matrix = [[1 / (1 + abs(i - j)) + (i == j) * i for j in range(size)] for i in range(size)]
    expected = sorted(numpy.linalg.eigvalsh(numpy.array(matrix)), reverse=True)
    assert eigenvalues(matrix) == pytest.approx(expected, rel=1e-10)
    assert prod(eigenvalues(matrix)) == pytest.approx(float(numpy.linalg.det(numpy.array(matrix))))


@pytest.mark.parametrize(
    ("p", "text"),
    [("0.04646", "0.0465"), ("0.0001", "0.0001"), ("0.00009999", "<0.0001"), ("1e-99", "<0.0001"), ("1", "1.0000")],
)
def test_a_p_value_is_never_written_as_nothing(p: str, text: str) -> None:
    assert value_text(Fraction(p), "p", 4) == text
    assert exact.value_text(Fraction(p), "p", 4, is_difference=False) == text
