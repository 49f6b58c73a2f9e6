"""What the box score says of one run."""

from collections.abc import Mapping
from fractions import Fraction

import msgspec

from generator.model.formatting import exact, published_float, round_half_away
from generator.model.numbers import Number
from generator.model.profiles import Profile
from generator.model.rows import Judged

RMSL = "box_rmsl"
SCORES = (RMSL, "box_mean_score", "box_median_score", "box_spread")
"""Operations on the scores of runs; each rests on all of them."""
INSIDE, BADNESS, LOSS, MARGIN = "box_inside_rate", "box_badness", "box_loss", "box_margin"
BOX_OPERATIONS = (*SCORES, INSIDE, BADNESS, LOSS, MARGIN)
COMPARED = (RMSL, INSIDE)
"""Operations whose numbers are held against those of the baseline."""
FACTOR = "factor"
"""Kind of the slices of badness and loss."""
SHOWN_DECIMALS = 4
"""Of a run's own score, badness and loss, wherever they are shown."""


class FactorOfRun(msgspec.Struct, frozen=True, array_like=True):
    """`value` is that of the column, `x` the value relative to the limit, 1 at it (the nearest float; `inside` is that
    of the exact one)."""

    value: int | float
    x: float
    loss: float
    weighted_loss: float
    inside: bool


class BoxedRun(msgspec.Struct, frozen=True, array_like=True):
    """Of a valid run. `missing`: factors that it has no value of, with the reason; then there is no score, and
    `inside` is None. `factors` holds those that it has a value of, by name."""

    factors: dict[str, FactorOfRun]
    missing: dict[str, str]
    score: float | None
    inside: bool | None


def judged_of(number: Number, operation: str, boxed: BoxedRun, profile: Profile) -> Judged:
    """What the run contributed to a number of the box, which `operation` made, as it is shown."""
    if boxed.score is None:
        return Judged("value", None, next(iter(boxed.missing.values())))
    if operation == INSIDE:
        return Judged("hit" if boxed.inside else "miss")
    value = boxed.score
    for factor in profile.factors:
        if number.slice == f"{FACTOR}-{factor.name}":
            found = boxed.factors[factor.name]
            value = found.x if operation == BADNESS else found.loss
    return Judged("value", shown(value))


def profile_stamp(number: Number, numbers: Mapping[str, Number]) -> str | None:
    """That of the profile which a number, or the first of the two that it compares, was made with."""
    made = number if number.compares is None else numbers[number.compares[0]]
    stamp = (made.detail or {}).get("profile")
    return stamp if isinstance(stamp, str) else None


def shown(value: int | float) -> int | float:
    """Rounded half away from zero to the decimals that pages show."""
    rounded: Fraction = round_half_away(exact(published_float(value)), SHOWN_DECIMALS)
    return int(rounded) if rounded.denominator == 1 else float(rounded)
