"""The texts that a number and its parts are printed with."""

from collections.abc import Collection
from fractions import Fraction

import msgspec

from generator.model.decision_text import decision_text
from generator.model.formatting import decimal_text, exact, value_text
from generator.model.numbers import Number

WHOLE = 0


class NumberText(msgspec.Struct, frozen=True):
    """`value` begins the link; `unit` is the key of the word behind it; the rest is None where there is none."""

    value: str
    unit: str | None
    count: str | None
    interval: str | None


def number_text(number: Number, decimals: int) -> NumberText:
    """How `number` is printed; `decimals` are those of its metric."""
    difference = number.compares is not None
    return NumberText(
        value_text(exact_value(number), number.unit, decimals, difference=difference),
        _unit(number, difference),
        _count(number),
        _interval(number, decimals),
    )


def earlier(number: Number, value: int | float | None, numerator: int | None, denominator: int | None) -> Number:
    """The number with the figures that it had before a restatement; its interval then is not recorded."""
    return msgspec.structs.replace(
        number, value=value, numerator=numerator, denominator=denominator, interval=None, exact=None
    )


def exact_value(number: Number) -> Fraction | None:
    """The exact value; that of the published float where a number was read from a file."""
    if number.exact is not None or number.value is None:
        return number.exact
    return exact(number.value)


def counted_thing(number: Number, of_cases: Collection[str]) -> str | None:
    """What the denominator counts, where that is not runs; `of_cases` are metrics that count cases."""
    if number.evidence is not None:
        return None if number.detail is None or number.denominator is None else str(number.detail["counts"])
    return "cases" if number.metric in of_cases else None


def count_text(count: int) -> str:
    return decimal_text(Fraction(count), WHOLE)


def part_text(number: Number, part: str, decimals: int) -> str:
    """`part` is numerator, misses (the rest of the denominator), denominator, missing, low, high,
    `excluded:<kind>:<reason>`, or one that `decision_text` writes.

    Raises KeyError if the number has no such part.
    """
    if "." in part and ":" not in part:
        return decision_text(number, part)
    kind, _, key = part.partition(":")
    if kind == "excluded":
        return count_text(number.excluded[key].count)
    is_share = number.numerator is not None and number.denominator is not None
    counts = {
        "numerator": number.numerator,
        "misses": (number.denominator or 0) - (number.numerator or 0) if is_share else None,
        "denominator": number.denominator,
        "missing": None if number.missing is None else number.missing.count,
    }
    if part in ("low", "high") and number.interval is not None:
        return _bound(number.interval.low if part == "low" else number.interval.high, number.unit, decimals)
    count = counts[part]
    if count is None:
        raise KeyError(part)
    return count_text(count)


def _unit(number: Number, difference: bool) -> str | None:
    if number.value is None or number.unit in ("usd", "p"):
        return None
    if number.unit == "ratio":
        return "common.points" if difference else None
    return f"common.unit.{number.unit}"


def _count(number: Number) -> str | None:
    if number.denominator is None:
        return None
    if number.numerator is None:
        return f"n {count_text(number.denominator)}"
    return f"{count_text(number.numerator)}/{count_text(number.denominator)}"


def _interval(number: Number, decimals: int) -> str | None:
    if number.interval is None:
        return None
    low, high = (_bound(bound, number.unit, decimals) for bound in (number.interval.low, number.interval.high))
    return f"[{low}, {high}]"


def _bound(bound: float, unit: str, decimals: int) -> str:
    return decimal_text(exact(bound) * (100 if unit == "ratio" else 1), decimals)
