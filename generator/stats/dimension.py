"""How many directions the spread of several features really has."""

from collections.abc import Sequence
from dataclasses import dataclass

from generator.stats.parameters import Exactable, open_unit


@dataclass(frozen=True, slots=True)
class EffectiveDimension:
    """`eigenvalues` of the covariance, largest first; `cumulative`: their share of the whole up to each; `d_eff`: the
    fewest that reach the threshold, 0 where nothing varies."""

    eigenvalues: tuple[float, ...]
    cumulative: tuple[float, ...]
    d_eff: int


def effective_dimension(
    rows: Sequence[Sequence[Exactable]], threshold: Exactable = 0.95, *, standardise: bool = False
) -> EffectiveDimension | None:
    """The fewest principal components that hold `threshold` of the variance.

    Parameters
    ----------
    rows : rows of numbers
        One row a run, the same features in the same order.
    threshold : float or Fraction
        In (0, 1).
    standardise : bool
        Divide each feature by its standard deviation first (a constant one stays as it is), so that a feature in
        milliseconds does not drown one in shares.

    Returns
    -------
    EffectiveDimension; None for fewer than two rows, which have no covariance.

    Raises
    ------
    ValueError
        Rows of different lengths, or without features; threshold outside (0, 1).

    Source
    ------
    Jolliffe (2002), §6.1.1 (cumulative percentage of total variation); AgentAssay §7.1.
    """
    import numpy

    goal = float(open_unit(threshold, "threshold"))
    widths = {len(row) for row in rows}
    if len(rows) < 2:
        return None
    if len(widths) != 1 or widths == {0}:
        raise ValueError(f"rows need the same number of features, at least one; got {sorted(widths)}")
    data = numpy.array([[float(value) for value in row] for row in rows])
    if standardise:
        # The mean of equal floats may differ from them by rounding, which would then be taken for a spread.
        varies = data.max(axis=0) > data.min(axis=0)
        spread = data.std(axis=0, ddof=1)
        data = numpy.where(varies, data - data.mean(axis=0), 0.0) / numpy.where(varies, spread, 1.0)
    covariance = numpy.atleast_2d(numpy.cov(data, rowvar=False))
    # Rounding leaves eigenvalues of about −1e-17 where there is no spread.
    eigenvalues = numpy.maximum(numpy.linalg.eigvalsh(covariance)[::-1], 0.0)
    total = float(eigenvalues.sum())
    if total == 0:
        return EffectiveDimension(tuple(map(float, eigenvalues)), (0.0,) * len(eigenvalues), 0)
    cumulative = numpy.cumsum(eigenvalues) / total
    enough = int(numpy.argmax(cumulative >= goal - 1e-12)) + 1
    return EffectiveDimension(tuple(map(float, eigenvalues)), tuple(map(float, cumulative)), enough)
