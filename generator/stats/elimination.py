"""Linear algebra on fractions: ranks are facts here, not a matter of tolerance."""

from collections.abc import Sequence
from fractions import Fraction

Matrix = Sequence[Sequence[Fraction]]


def independent_columns(matrix: Matrix) -> tuple[int, ...]:
    """Columns, from the left, that are no combination of those before them; their number is the rank."""
    rows = [list(row) for row in matrix]
    chosen: list[int] = []
    for column in range(len(rows[0]) if rows else 0):
        top = len(chosen)
        pivot = next((i for i in range(top, len(rows)) if rows[i][column]), None)
        if pivot is None:
            continue
        rows[top], rows[pivot] = rows[pivot], rows[top]
        for i in range(top + 1, len(rows)):
            factor = rows[i][column] / rows[top][column]
            if factor:
                rows[i] = [a - factor * b for a, b in zip(rows[i], rows[top], strict=True)]
        chosen.append(column)
    return tuple(chosen)


def solve(matrix: Matrix, right: Sequence[Fraction]) -> list[Fraction]:
    """x with matrix · x = right, for a square matrix of full rank; ZeroDivisionError for any other."""
    rows = [[*row, value] for row, value in zip(matrix, right, strict=True)]
    size = len(rows)
    for column in range(size):
        pivot = next((i for i in range(column, size) if rows[i][column]), column)
        rows[column], rows[pivot] = rows[pivot], rows[column]
        for i in range(column + 1, size):
            factor = rows[i][column] / rows[column][column]
            rows[i] = [a - factor * b for a, b in zip(rows[i], rows[column], strict=True)]
    solution = [Fraction(0)] * size
    for i in reversed(range(size)):
        known = sum((rows[i][j] * solution[j] for j in range(i + 1, size)), Fraction(0))
        solution[i] = (rows[i][size] - known) / rows[i][i]
    return solution
