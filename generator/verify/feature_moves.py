"""Which features of behaviour moved between two groups, once more: each by itself, and together along the directions
that hold their spread."""

import math
from fractions import Fraction
from typing import Any

from generator.verify.distributions import beta_share
from generator.verify.linear import eigenpairs, eigenvalues

_HELD = 0.95
_UNDETERMINED = 1e-6


def feature_moves(scatter: list[list[Fraction]], apart: list[Fraction], n1: int, n2: int) -> list[float | None]:
    """The two-sided p of each difference, stepped down over all; None without spread."""
    df = n1 + n2 - 2
    raw = {}
    for j, difference in enumerate(apart):
        if scatter[j][j] and df:
            t_squared = Fraction(n1 * n2, n1 + n2) * difference**2 * df / scatter[j][j]
            raw[j] = beta_share(df / 2, 0.5, float(df / (df + t_squared)))
    stepped: dict[int, float] = {}
    largest = 0.0
    for rank, j in enumerate(sorted(raw, key=raw.__getitem__)):
        largest = max(largest, min(1.0, raw[j] * (len(raw) - rank)))
        stepped[j] = largest
    return [stepped.get(j) for j in range(len(apart))]


def effective_test(scatter: list[list[Fraction]], apart: list[Fraction], n1: int, n2: int) -> dict[str, Any] | None:
    """T² along the fewest principal directions that hold 95% of the spread."""
    varying, df = [j for j in range(len(apart)) if scatter[j][j]], n1 + n2 - 2
    if not varying or not df:
        return None
    scale = {j: math.sqrt(scatter[j][j]) for j in varying}
    pairs = eigenpairs([[float(scatter[i][j]) / scale[i] / scale[j] for j in varying] for i in varying])
    total, held, directions = math.fsum(value for value, _ in pairs), 0.0, 0
    while held / total < _HELD - 1e-12:
        held += pairs[directions][0]
        directions += 1
    found: dict[str, Any] = dict.fromkeys(("df1", "df2", "t_squared", "f", "p"))
    found |= {"status": "ok", "directions": directions}
    df2 = df + 1 - directions
    if df2 <= 0:
        return found | {"status": "insufficient_df"}
    if directions < len(pairs) and pairs[directions - 1][0] - pairs[directions][0] <= _UNDETERMINED * total:
        return found | {"status": "undetermined"}
    steps = [float(apart[j]) / scale[j] * math.sqrt(df) for j in varying]
    along = [math.fsum(x * y for x, y in zip(steps, direction, strict=True)) for _, direction in pairs]
    shares = [way**2 / value for way, (value, _) in zip(along[:directions], pairs, strict=False)]
    t_squared = n1 * n2 / (n1 + n2) * math.fsum(shares)
    f = t_squared * df2 / (df * directions)
    p = beta_share(df2 / 2, directions / 2, df2 / (df2 + directions * f))
    return found | {"df1": directions, "df2": df2, "t_squared": t_squared, "f": f, "p": p}


def scatter_of(groups: list[list[list[Fraction]]]) -> list[list[Fraction]]:
    """Sums of products within the groups: Σxy − ΣxΣy/n, each column over one denominator."""
    width = len(groups[0])
    unit = [math.lcm(*(value.denominator for columns in groups for value in columns[place])) for place in range(width)]
    whole = [[[int(value * unit[j]) for value in columns[j]] for j in range(width)] for columns in groups]

    def total(i: int, j: int) -> Fraction:
        parts = (
            sum(x * y for x, y in zip(columns[i], columns[j], strict=True))
            - Fraction(sum(columns[i]) * sum(columns[j]), len(columns[i]))
            for columns in whole
        )
        return sum(parts, Fraction(0)) / (unit[i] * unit[j])

    lower = [[total(i, j) for j in range(i + 1)] for i in range(width)]
    return [[lower[max(i, j)][min(i, j)] for j in range(width)] for i in range(width)]


def effective_directions(scatter: list[list[Fraction]]) -> int:
    """Directions that hold 95% of the spread of standardised features."""
    varying = [j for j in range(len(scatter)) if scatter[j][j]]
    if not varying:
        return 0
    scale = {j: math.sqrt(scatter[j][j]) for j in varying}
    values = eigenvalues([[float(scatter[i][j]) / scale[i] / scale[j] for j in varying] for i in varying])
    reached, total = 0.0, math.fsum(values)
    for place, value in enumerate(values, start=1):
        reached += value
        if reached / total >= 0.95 - 1e-12:
            return place
    return len(values)


def f_test(t_squared: Fraction, df1: int, df: int) -> dict[str, Any]:
    df2 = df + 1 - df1
    f = t_squared * df2 / (df * df1)
    p = beta_share(df2 / 2, df1 / 2, float(df2 / (df2 + df1 * f)))
    return {"t_squared": t_squared, "f": f, "df1": df1, "df2": df2, "p": p}
