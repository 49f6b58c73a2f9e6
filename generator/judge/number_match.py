"""Whether a source holds a number or a moment that an answer states."""

from collections.abc import Sequence
from decimal import Decimal

from generator.judge.number_mentions import Amount, Moment
from generator.judge.number_sources import Values, divided
from generator.judge.numerals import EXACT

_HALF = Decimal("0.5")


def is_held(stated: Amount | Moment, sources: Sequence[Values]) -> bool:
    """A moment agrees with a source in every part given; a number is a source's value at the precision shown."""
    if isinstance(stated, Moment):
        return _moment_is_held(stated, sources)
    values = [stated.value]
    if stated.decreasing and not stated.signed:
        values.append(EXACT.minus(stated.value))
    if any(_is_listed(value, stated.per, source) for source in sources for value in values):
        return True
    half = EXACT.multiply(stated.step, _HALF)
    return any(
        _is_rounded(EXACT.subtract(value, half), EXACT.add(value, half), stated.per, source)
        for value in values
        for source in sources
    )


def _is_listed(value: Decimal, per: int, source: Values) -> bool:
    """The exact value is there: most numbers are quoted as they are, and sets answer at once."""
    if per == 1:
        return value in source.bare or value in source.face or value in source.ratio
    ratio = divided(value, per)
    return value in source.bare or ratio in source.ratio or ratio in source.bare


def _is_rounded(low: Decimal, high: Decimal, per: int, source: Values) -> bool:
    """A source value rounds to the stated one: it lies within half a step, both ends included (a tie rounds both ways).

    A bare number may be a percentage's face or its ratio. A percentage may be a bare X, a bare X/100, or another
    percentage of the same ratio.
    """
    if per == 1:
        return _within(low, high, source.bare) or _within(low, high, source.face) or _within(low, high, source.ratio)
    small, large = divided(low, per), divided(high, per)
    return _within(low, high, source.bare) or _within(small, large, source.bare) or _within(small, large, source.ratio)


def _within(low: Decimal, high: Decimal, values: frozenset[Decimal]) -> bool:
    return any(low <= value <= high for value in values)


def _moment_is_held(stated: Moment, sources: Sequence[Values]) -> bool:
    year = Decimal(stated.year) if stated.year is not None and stated.month is None else None
    return any(
        any(agrees(stated, moment) for moment in source.moments) or (year is not None and year in source.bare)
        for source in sources
    )


def agrees(stated: Moment, moment: Moment) -> bool:
    """Every part that `stated` gives is the same in `moment`."""
    return all(part is None or part == other for part, other in zip(stated, moment, strict=True))
