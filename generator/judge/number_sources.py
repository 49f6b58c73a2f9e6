"""The numbers that an answer may rest on: of tool results, the snapshot, the built context, allowed values."""

from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache

from generator.judge.json_values import Leaves
from generator.judge.number_mentions import Amount, Mention, Moment
from generator.judge.number_scan import scan
from generator.judge.numerals import EXACT

_CACHED_LENGTH = 20_000


@dataclass(frozen=True, slots=True)
class Values:
    """Readings of the numbers of a source.

    `bare`: numbers without a percent sign. `face` and `ratio`: X and X/100 of each X% (X/1000 of X‰).
    """

    bare: frozenset[Decimal] = frozenset()
    face: frozenset[Decimal] = frozenset()
    ratio: frozenset[Decimal] = frozenset()
    moments: frozenset[Moment] = frozenset()


def divided(value: Decimal, per: int) -> Decimal:
    """`value` ÷ `per` (1, 100, 1000), exactly."""
    return value if per == 1 else value.scaleb(-2 if per == 100 else -3, EXACT)


def values_of(found: Leaves) -> list[Values]:
    """Values of a JSON value: its numbers, and each text by the rules for texts."""
    values = [read for text in found.texts if (read := values_in(text)) is not None]
    return [*values, Values(bare=found.numbers)] if found.numbers else values


def values_in(text: str) -> Values | None:
    """Values of a text, or None where it has none. Identifiers are no evidence; list numbers and code are."""
    return _cached_values(text) if len(text) <= _CACHED_LENGTH else _values(text)


def _values(text: str) -> Values | None:
    mentions = [mention for mention in scan(text) if mention.role != "labelled"]
    if not mentions:
        return None
    bare: set[Decimal] = set()
    face: set[Decimal] = set()
    ratio: set[Decimal] = set()
    for mention in mentions:
        if isinstance(mention.what, Amount):
            amount = mention.what
            for value in _readings(amount):
                (bare if amount.per == 1 else face).add(value)
                if amount.per != 1:
                    ratio.add(divided(value, amount.per))
    return Values(frozenset(bare), frozenset(face), frozenset(ratio), frozenset(_moments(mentions)))


# Contexts and results recur from run to run.
_cached_values = lru_cache(maxsize=2048)(_values)


def _readings(amount: Amount) -> tuple[Decimal, ...]:
    """A source that says 下降 5% holds -5% too."""
    negative = amount.decreasing and not amount.signed
    return (amount.value, EXACT.minus(amount.value)) if negative else (amount.value,)


def _moments(mentions: Iterable[Mention]) -> Iterable[Moment]:
    """Dates and times; a date and the time right after it are also one moment."""
    before: Mention | None = None
    for mention in mentions:
        moment = mention.what
        if isinstance(moment, Moment):
            yield moment
            if before is not None and mention.start - before.end <= 1 and moment.year is None and moment.day is None:
                date = before.what
                if isinstance(date, Moment) and date.day is not None and date.hour is None:
                    yield date._replace(hour=moment.hour, minute=moment.minute, second=moment.second)
        before = mention
