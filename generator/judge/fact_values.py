"""Facts of a case, and whether a text states them."""

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache

from generator.judge import number_words as words
from generator.judge.json_values import Leaves, exact
from generator.judge.number_match import agrees
from generator.judge.number_mentions import Amount, Moment
from generator.judge.number_patterns import any_of
from generator.judge.number_scan import scan
from generator.judge.number_sources import divided
from generator.model.cases import Fact
from generator.model.runs import RestrictedDatum

_CACHED_LENGTH = 20_000
_BEFORE = re.compile(rf"\s*(?:[{words.CURRENCY_SIGNS}]|(?:{any_of(words.CURRENCY_CODES)})\s?)?")
_AFTER = re.compile(rf"\s*(?:{any_of(words.UNITS)}|{any_of(words.CURRENCY_CODES)})?\s*")
_WHITE = re.compile(r"\s+")

Value = Decimal | Moment | re.Pattern[str]
"""A fact's value: a number (percentages as ratios), a moment, or a pattern for folded text."""


@dataclass(frozen=True, slots=True)
class KnownFact:
    """A fact, ready to be looked for. Any of its values states it."""

    id: str
    values: tuple[Value, ...]


@dataclass(frozen=True, slots=True)
class Statement:
    """A text, or one leaf of a result, as facts are looked for in it."""

    numbers: frozenset[Decimal]
    moments: tuple[Moment, ...]
    folded: str


def known_facts(facts: Iterable[Fact | RestrictedDatum] | None) -> list[KnownFact] | None:
    """Facts of a case, or restricted data; None stays None."""
    if facts is None:
        return None
    return [KnownFact(fact.id, tuple(fact_value(value) for value in fact.values)) for fact in facts]


def is_stated(fact: KnownFact, statements: Sequence[Statement]) -> bool:
    """Whether any value of the fact stands in any of the texts."""
    return any(_states(statement, value) for value in fact.values for statement in statements)


def statements_of(found: Leaves) -> list[Statement]:
    """The texts of a JSON value, and its numbers together."""
    statements = [statement(text) for text in found.texts]
    return [*statements, Statement(found.numbers, (), "")] if found.numbers else statements


def statement(text: str) -> Statement:
    return _cached_statement(text) if len(text) <= _CACHED_LENGTH else _statement(text)


@lru_cache(maxsize=4096, typed=True)
def fact_value(value: str | int | float) -> Value:
    """How a value is compared: a number with at most a currency and a unit word by number, a date or time by its parts,
    anything else as text."""
    if not isinstance(value, str):
        return exact(value)
    mentions = scan(value)
    if len(mentions) == 1 and mentions[0].role == "factual":
        mention = mentions[0]
        before, after = value[: mention.start], value[mention.end :]
        if isinstance(mention.what, Moment):
            if not before.strip() and not after.strip():
                return mention.what
        elif _BEFORE.fullmatch(before) and _AFTER.fullmatch(after):
            return divided(mention.what.value, mention.what.per)
    return _text_pattern(fold(value))


def squeeze(text: str) -> str:
    """NFKC, without white space."""
    return _WHITE.sub("", unicodedata.normalize("NFKC", text))


def fold(text: str) -> str:
    """NFKC, without white space, case folded."""
    return squeeze(text).casefold()


def _text_pattern(needle: str) -> re.Pattern[str]:
    """A substring whose digits at either end do not continue into a longer number. The empty text is nowhere."""
    if not needle:
        return re.compile(r"(?!)")
    start = r"(?<![0-9])(?<![0-9][.,])" if needle[0].isdigit() else ""
    end = r"(?![0-9])(?![.,][0-9])" if needle[-1].isdigit() else ""
    return re.compile(start + re.escape(needle) + end)


def _states(statement: Statement, value: Value) -> bool:
    if isinstance(value, Decimal):
        return value in statement.numbers
    if isinstance(value, Moment):
        return any(agrees(value, moment) for moment in statement.moments)
    return value.search(statement.folded) is not None


def _statement(text: str) -> Statement:
    """List numbers state nothing; digits after 订单号 and the like are such a number and may be looked for."""
    numbers: set[Decimal] = set()
    moments: list[Moment] = []
    for mention in scan(text):
        what = mention.what
        if isinstance(what, Moment):
            moments.append(what)
            if what.year is not None and what.month is None:
                numbers.add(Decimal(what.year))
        elif mention.role != "structural":
            numbers.add(_canonical(what))
    return Statement(frozenset(numbers), tuple(moments), fold(text))


# Contexts and results recur from run to run.
_cached_statement = lru_cache(maxsize=2048)(_statement)


def _canonical(amount: Amount) -> Decimal:
    return divided(amount.value, amount.per)
