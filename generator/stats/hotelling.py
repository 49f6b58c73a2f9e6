"""Hotelling's T²: do two groups differ in any of several features at once."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from operator import mul
from typing import Literal

from generator.stats.elimination import independent_columns, solve
from generator.stats.parameters import Exactable, exact_value, open_unit

HotellingStatus = Literal["ok", "singular", "insufficient_df"]


@dataclass(frozen=True, slots=True)
class HotellingTest:
    """T² and the squared Mahalanobis distance, exactly; F on `df1`, `df2` degrees of freedom, and its p-value."""

    t_squared: Fraction
    mahalanobis_squared: Fraction
    f: float
    df1: int
    df2: int
    p_value: float
    reject: bool


@dataclass(frozen=True, slots=True)
class HotellingResult:
    """A comparison of two groups of feature rows.

    `mean_difference` is baseline − candidate, column by column; `covariance` the pooled one (None where both groups
    hold one row). `independent` are the columns, from the left, that are no combination of those before them; `rank` is
    their number. `shifted` are columns that are constant inside both groups and differ between them: a deterministic
    shift, which needs no test. `test` exists where status is `ok`. `reduced` is the test on the independent columns,
    where the status is `singular` and the difference lies in the range of the covariance (`difference_in_range`).
    """

    status: HotellingStatus
    baseline_n: int
    candidate_n: int
    features: int
    mean_difference: tuple[Fraction, ...]
    covariance: tuple[tuple[Fraction, ...], ...] | None
    rank: int
    independent: tuple[int, ...]
    difference_in_range: bool
    shifted: tuple[int, ...]
    test: HotellingTest | None
    reduced: HotellingTest | None


def hotelling(
    baseline: Sequence[Sequence[Exactable]], candidate: Sequence[Sequence[Exactable]], alpha: Exactable = 0.05
) -> HotellingResult | None:
    """Two-sample T² test of equal means, refused where the covariance has no inverse.

    Parameters
    ----------
    baseline, candidate : rows of numbers
        One row a run, the same features in the same order. Floats are taken as their decimal text; give ratios as
        Fractions, or thirds will not add up to 1 and a singular covariance will look regular.
    alpha : float or Fraction
        Level, in (0, 1).

    Returns
    -------
    HotellingResult; None when a group is empty. Status `insufficient_df` if n₁ + n₂ − p − 1 ≤ 0 (it is looked at
    first), `singular` if the rank is below p; neither has a p-value, and no ridge makes one up.

    Raises
    ------
    ValueError
        Rows of different lengths, or without features; alpha outside (0, 1).

    Source
    ------
    Hotelling (1931); Anderson (2003), §5.3; AgentAssay §7.1.
    """
    level = open_unit(alpha, "alpha")
    groups = [[[exact_value(value) for value in row] for row in rows] for rows in (baseline, candidate)]
    widths = {len(row) for rows in groups for row in rows}
    if not groups[0] or not groups[1]:
        return None
    if len(widths) != 1 or widths == {0}:
        raise ValueError(f"rows need the same number of features, at least one; got {sorted(widths)}")
    features = widths.pop()
    n_baseline, n_candidate = len(groups[0]), len(groups[1])
    means = [_means(rows) for rows in groups]
    difference = [a - b for a, b in zip(*means, strict=True)]
    scatter = [[a + b for a, b in zip(*both, strict=True)] for both in zip(*map(_scatter, groups), strict=True)]
    df = n_baseline + n_candidate - 2
    independent = independent_columns(scatter)
    in_range = _in_range(scatter, difference, len(independent))
    status: HotellingStatus = "ok"
    if df + 1 - features <= 0:
        status = "insufficient_df"
    elif len(independent) < features:
        status = "singular"
    sizes = (n_baseline, n_candidate)
    return HotellingResult(
        status=status,
        baseline_n=n_baseline,
        candidate_n=n_candidate,
        features=features,
        mean_difference=tuple(difference),
        covariance=tuple(tuple(value / df for value in row) for row in scatter) if df else None,
        rank=len(independent),
        independent=independent,
        difference_in_range=in_range,
        shifted=tuple(j for j in range(features) if not scatter[j][j] and difference[j]),
        test=_test(scatter, difference, independent, sizes, level) if status == "ok" else None,
        reduced=_test(scatter, difference, independent, sizes, level)
        if status == "singular" and in_range and independent
        else None,
    )


def _means(rows: list[list[Fraction]]) -> list[Fraction]:
    return [sum(column, Fraction(0)) / len(rows) for column in zip(*rows, strict=True)]


def _scatter(rows: list[list[Fraction]]) -> list[list[Fraction]]:
    """Sums of products of deviations from the group's own means, Σxy − ΣxΣy/n: in whole numbers, each column scaled by
    its common denominator, because fractions would take ten times as long."""
    n, scales, columns = len(rows), [], []
    for column in zip(*rows, strict=True):
        scale = lcm(*(value.denominator for value in column))
        scales.append(scale)
        columns.append([value.numerator * (scale // value.denominator) for value in column])
    sums = [sum(column) for column in columns]
    lower = [
        [
            Fraction(n * sum(map(mul, columns[i], columns[j])) - sums[i] * sums[j], n * scales[i] * scales[j])
            for j in range(i + 1)
        ]
        for i in range(len(columns))
    ]
    return [[lower[max(i, j)][min(i, j)] for j in range(len(columns))] for i in range(len(columns))]


def _in_range(scatter: list[list[Fraction]], difference: list[Fraction], rank: int) -> bool:
    """Whether the difference is a combination of the columns: it then adds nothing to their rank."""
    widened = [[*row, value] for row, value in zip(scatter, difference, strict=True)]
    return len(independent_columns(widened)) == rank


def _test(
    scatter: list[list[Fraction]],
    difference: list[Fraction],
    columns: tuple[int, ...],
    sizes: tuple[int, int],
    level: Fraction,
) -> HotellingTest:
    """The test on these columns, whose covariance has an inverse."""
    from scipy.special import fdtrc

    df = sum(sizes) - 2
    covariance = [[scatter[i][j] / df for j in columns] for i in columns]
    apart = [difference[j] for j in columns]
    distance = sum((a * b for a, b in zip(apart, solve(covariance, apart), strict=True)), Fraction(0))
    t_squared = distance * sizes[0] * sizes[1] / sum(sizes)
    df1, df2 = len(columns), df + 1 - len(columns)
    f = float(t_squared * df2 / (df * df1))
    p_value = float(fdtrc(df1, df2, f))
    return HotellingTest(t_squared, distance, f, df1, df2, p_value, p_value < level)
