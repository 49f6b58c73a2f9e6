"""The behaviour of groups of runs: spread and mean of their features, and whether two groups differ in them."""

from collections.abc import Sequence
from fractions import Fraction
from math import sqrt

from generator.aggregate.made import Detail, Made
from generator.model.formatting import exact, published_float
from generator.model.rows import RunRow
from generator.stats.dimension import effective_dimension
from generator.stats.feature_shift import direction_test, feature_p_values
from generator.stats.hotelling import HotellingResult, HotellingTest, hotelling

LARGEST_DENOMINATOR = 5000
"""A share is published with twelve digits. Of all fractions up to this denominator only one is near enough to be meant,
for values below ten thousand, and it is taken: with rounded thirds a singular covariance would look regular."""
THRESHOLD = Fraction(95, 100)

Row = list[Fraction]


def feature_value(published: int | float) -> Fraction:
    """The feature as it was counted, from its published value."""
    return exact(published).limit_denominator(LARGEST_DENOMINATOR)


def dimension(features: Sequence[str], runs: Sequence[RunRow]) -> Made:
    """The effective dimension of the features of one variant, each divided by its standard deviation."""
    used, (counted,) = _complete(features, [runs])
    if not used or len(counted) < 2:
        return Made(None, counted, _why_none(runs, used, counted))
    rows = [_row(run, used) for run in counted]
    found = effective_dimension(rows, THRESHOLD, standardise=True)
    columns = dict(zip(used, zip(*rows, strict=True), strict=True))
    detail: Detail = {
        "threshold": float(THRESHOLD),
        "unrecorded": [feature for feature in features if feature not in used],
        "features": {name: _spread(column) for name, column in columns.items()},
    }
    return Made(None if found is None else Fraction(found.d_eff), counted, None, detail)


def shift(features: Sequence[str], alpha: float, own: Sequence[RunRow], base: Sequence[RunRow]) -> Made:
    """Hotelling's T² between a variant and the baseline. The value is its p-value. A feature moved if its own p-value,
    corrected over all of them, is below `alpha`."""
    used, (counted, counted_base) = _complete(features, [own, base])
    both = (*counted, *counted_base)
    if not used or not counted or not counted_base:
        runs, group = (own, counted) if not counted else (base, counted_base)
        return Made(None, both, _why_none(runs, used, group))
    rows, base_rows = ([_row(run, used) for run in group] for group in (counted, counted_base))
    together = list(zip(*rows, *base_rows, strict=True))
    varying = [place for place, column in enumerate(together) if len(set(column)) > 1]
    constant = [name for place, name in enumerate(used) if place not in varying]
    detail: Detail = {
        "n": len(counted),
        "baseline_n": len(counted_base),
        "unrecorded": [feature for feature in features if feature not in used],
        "constant": list(constant),
        "differences": {},
    }
    if not varying:
        return Made(None, both, "no_feature_varies", detail | _nothing("no_feature_varies"))
    names = [used[place] for place in varying]
    groups = [[[row[place] for place in varying] for row in group] for group in (base_rows, rows)]
    found = hotelling(groups[0], groups[1])
    if found is None:
        raise ValueError("groups with rows have a result")
    differences = _differences(found, names, groups)
    moved = [name for name in names if (p := differences[name]["p"]) is not None and p < alpha]
    detail |= _outcome(found, names) | {"effective": _effective(found), "moved": moved, "differences": differences}
    p_value = None if found.test is None else exact(published_float(found.test.p_value))
    return Made(p_value, both, None if found.test is not None else found.status, detail)


def _complete(
    features: Sequence[str], groups: Sequence[Sequence[RunRow]]
) -> tuple[list[str], list[tuple[RunRow, ...]]]:
    """The features that some run of every group has recorded, and the runs that have recorded all of them."""

    def has(run: RunRow, feature: str) -> bool:
        judged = run.assertions.get(feature)
        return judged is not None and judged.value is not None

    used = [feature for feature in features if all(any(has(run, feature) for run in runs) for runs in groups)]
    return used, [tuple(run for run in runs if all(has(run, feature) for feature in used)) for runs in groups]


def _row(run: RunRow, features: Sequence[str]) -> Row:
    values = (run.assertions[feature].value for feature in features)
    return [feature_value(value) for value in values if value is not None]


def _why_none(runs: Sequence[RunRow], used: Sequence[str], counted: Sequence[RunRow]) -> str:
    if not runs:
        return "no_valid_runs"
    return "no_record" if not used or not counted else "single_run"


def _mean(column: Sequence[Fraction]) -> Fraction:
    return sum(column, Fraction(0)) / len(column)


def _spread(column: Sequence[Fraction]) -> Detail:
    mean = _mean(column)
    squares = sum(((value - mean) ** 2 for value in column), Fraction(0))
    return {"mean": published_float(mean), "deviation": published_float(sqrt(squares / (len(column) - 1)))}


def _nothing(status: str) -> Detail:
    names = ("t_squared", "f", "df1", "df2", "p", "rank", "independent", "shifted", "reduced", "effective", "moved")
    return {"status": status, "tested": 0} | dict.fromkeys(names)


def _outcome(found: HotellingResult, names: Sequence[str]) -> Detail:
    return {
        "status": found.status,
        "tested": found.features,
        **_test(found.test),
        "rank": found.rank,
        "independent": [names[place] for place in found.independent],
        "shifted": [names[place] for place in found.shifted],
        "reduced": None if found.reduced is None else _test(found.reduced),
    }


def _test(test: HotellingTest | None) -> Detail:
    if test is None:
        return dict.fromkeys(("t_squared", "f", "df1", "df2", "p"))
    return {
        "t_squared": published_float(test.t_squared),
        "f": published_float(test.f),
        "df1": test.df1,
        "df2": test.df2,
        "p": published_float(test.p_value),
    }


def _effective(found: HotellingResult) -> Detail | None:
    """The test on the directions that hold the spread; None where nothing spreads."""
    if found.covariance is None:
        return None
    test = direction_test(found.mean_difference, found.covariance, _sizes(found), THRESHOLD)
    if test is None:
        return None
    shown: Detail = {"status": test.status, "directions": test.directions, "df1": test.df1, "df2": test.df2}
    values = {"t_squared": test.t_squared, "f": test.f, "p": test.p_value}
    return shown | {name: None if value is None else published_float(value) for name, value in values.items()}


def _sizes(found: HotellingResult) -> tuple[int, int]:
    return found.baseline_n, found.candidate_n


def _differences(
    found: HotellingResult, names: Sequence[str], groups: Sequence[Sequence[Row]]
) -> dict[str, dict[str, float | None]]:
    """Mean of both groups by feature, their difference in pooled standard deviations and its p-value (none where there
    is no spread)."""
    shown: dict[str, dict[str, float | None]] = {}
    base_means, means = ([_mean(column) for column in zip(*rows, strict=True)] for rows in groups)
    spreads = [Fraction(0) if found.covariance is None else found.covariance[j][j] for j in range(len(names))]
    p_values = feature_p_values(found.mean_difference, spreads, _sizes(found))
    for place, (name, variance, p_value) in enumerate(zip(names, spreads, p_values, strict=True)):
        apart = means[place] - base_means[place]
        shown[name] = {
            "baseline": published_float(base_means[place]),
            "variant": published_float(means[place]),
            "standardised": published_float(float(apart) / sqrt(variance)) if variance else None,
            "p": None if p_value is None else published_float(p_value),
        }
    return shown
