"""Elimination on fractions, and eigenvalues and their directions by Jacobi's rotations."""

import math
from fractions import Fraction
from typing import NamedTuple

_SWEEPS = 60


class Pivots(NamedTuple):
    """`columns` have a pivot: they are no combination of those before them. `distance` is d'S⁻d over these; `in_range`:
    nothing of d is left where there is no pivot."""

    columns: list[int]
    distance: Fraction
    in_range: bool


def pivots(scatter: list[list[Fraction]], apart: list[Fraction]) -> Pivots:
    """Of a matrix of sums of products, which has no negative pivot: where one is zero, its whole row is."""
    rows, left = [row[:] for row in scatter], apart[:]
    columns, distance, in_range = [], Fraction(0), True
    for j in range(len(rows)):
        pivot = rows[j][j]
        if not pivot:
            in_range = in_range and not left[j]
            continue
        columns.append(j)
        distance += left[j] ** 2 / pivot
        for i in range(j + 1, len(rows)):
            factor = rows[i][j] / pivot
            if factor:
                rows[i] = [one - factor * other for one, other in zip(rows[i], rows[j], strict=True)]
                left[i] -= factor * left[j]
    return Pivots(columns, distance, in_range)


def eigenvalues(matrix: list[list[float]]) -> list[float]:
    """Of a symmetric matrix, largest first, none below zero."""
    return [value for value, _ in eigenpairs(matrix)]


def eigenpairs(matrix: list[list[float]]) -> list[tuple[float, list[float]]]:
    """Of a symmetric matrix, each value with its direction of length 1; largest first, none below zero."""
    n = len(matrix)
    # What is done to the rows below the matrix gathers the rotations.
    a = [*(row[:] for row in matrix), *([float(i == j) for j in range(n)] for i in range(n))]
    for _ in range(_SWEEPS):
        if sum(a[i][j] ** 2 for i in range(n) for j in range(i)) < 1e-26:
            break
        for p in range(n):
            for q in range(p + 1, n):
                if a[p][q]:
                    _rotate(a, p, q)
    pairs = [(max(a[i][i], 0.0), [a[n + j][i] for j in range(n)]) for i in range(n)]
    return sorted(pairs, key=lambda pair: -pair[0])


def _rotate(a: list[list[float]], p: int, q: int) -> None:
    """Make a[p][q] zero."""
    theta = (a[q][q] - a[p][p]) / (2 * a[p][q])
    t = math.copysign(1, theta) / (abs(theta) + math.hypot(theta, 1))
    c = 1 / math.hypot(t, 1)
    s = t * c
    for row in a:
        row[p], row[q] = c * row[p] - s * row[q], s * row[p] + c * row[q]
    above = a[p][:]
    a[p] = [c * one - s * other for one, other in zip(above, a[q], strict=True)]
    a[q] = [s * one + c * other for one, other in zip(above, a[q], strict=True)]
