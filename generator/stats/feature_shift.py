"""Which of several features moved between two groups, and whether they did on the directions that hold their spread."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import fsum, sqrt
from typing import Literal

from generator.stats.holm import holm
from generator.stats.parameters import open_unit

SAME = 1e-6
"""Two eigenvalues that differ by less, relative to their sum, leave their directions undetermined."""


@dataclass(frozen=True, slots=True)
class DirectionTest:
    """`directions`: so many principal components hold the threshold. Without a test T², F and p are None:
    `insufficient_df` where there are too few rows, `undetermined` where the last direction that counts spreads as much
    as the first that does not."""

    status: Literal["ok", "insufficient_df", "undetermined"]
    directions: int
    t_squared: float | None = None
    f: float | None = None
    df1: int | None = None
    df2: int | None = None
    p_value: float | None = None


def feature_p_values(
    difference: Sequence[Fraction], variance: Sequence[Fraction], sizes: tuple[int, int]
) -> list[Fraction | None]:
    """For each feature, whether its mean moved: two-sided t-tests with the pooled variance, corrected together.

    Parameters
    ----------
    difference : sequence of Fraction
        Difference of the means, feature by feature.
    variance : sequence of Fraction
        Pooled variance within the groups; 0 where a feature has none.
    sizes : (n, n)
        Rows of the two groups, each at least 1.

    Returns
    -------
    p-values after Holm's correction over the features that have one; None where the variance is 0, or the groups hold
    one row each.

    Source
    ------
    Student's t with pooled variance; t² is F on 1 and n₁ + n₂ − 2 degrees of freedom. Holm (1979).
    """
    from scipy.special import fdtrc

    df = sum(sizes) - 2
    weight = Fraction(sizes[0] * sizes[1], sum(sizes))
    tested = [place for place, value in enumerate(variance) if value and df > 0]
    p_values = [float(fdtrc(1, df, float(weight * difference[place] ** 2 / variance[place]))) for place in tested]
    adjusted = dict(zip(tested, holm(p_values).adjusted, strict=True))
    return [adjusted.get(place) for place in range(len(variance))]


def direction_test(
    difference: Sequence[Fraction],
    covariance: Sequence[Sequence[Fraction]],
    sizes: tuple[int, int],
    threshold: Fraction = Fraction(95, 100),
) -> DirectionTest | None:
    """Hotelling's T² on the principal components of the pooled correlation that hold `threshold` of the spread.

    Parameters
    ----------
    difference : sequence of Fraction
        Difference of the means, feature by feature.
    covariance : rows of Fraction
        Pooled within the groups; features without variance are left out.
    sizes : (n, n)
        Rows of the two groups.
    threshold : Fraction
        Share of the spread, in (0, 1).

    Returns
    -------
    DirectionTest; None where no feature has variance. It has an answer where the covariance has no inverse, because
    directions without spread are not among those that count. The directions are chosen by their spread alone, without
    a look at the difference; that the same rows chose them makes the p-value rather too large.

    Source
    ------
    Jolliffe (2002), §9.1; AgentAssay §7.1.
    """
    import numpy
    from scipy.special import fdtrc

    goal = float(open_unit(threshold, "threshold"))
    varying = [j for j in range(len(difference)) if covariance[j][j]]
    if not varying:
        return None
    spread = {j: sqrt(covariance[j][j]) for j in varying}
    apart = numpy.array([float(difference[j]) / spread[j] for j in varying])
    correlation = numpy.array([[float(covariance[i][j]) / spread[i] / spread[j] for j in varying] for i in varying])
    values, vectors = numpy.linalg.eigh(correlation)
    values, vectors = values[::-1], vectors[:, ::-1]
    total = fsum(values)
    directions = int(numpy.argmax(numpy.cumsum(values) / total >= goal - 1e-12)) + 1
    df2 = sum(sizes) - 1 - directions
    if df2 <= 0:
        return DirectionTest("insufficient_df", directions)
    if directions < len(values) and values[directions - 1] - values[directions] <= SAME * total:
        return DirectionTest("undetermined", directions)
    along = (vectors.T @ apart)[:directions]
    t_squared = sizes[0] * sizes[1] / sum(sizes) * fsum(along**2 / values[:directions])
    f = t_squared * df2 / ((sum(sizes) - 2) * directions)
    return DirectionTest("ok", directions, t_squared, f, directions, df2, float(fdtrc(directions, df2, f)))
