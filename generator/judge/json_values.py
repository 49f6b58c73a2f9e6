"""JSON values: their leaves, and the comparison of arguments with what a case lists."""

import re
import unicodedata
from decimal import Decimal
from math import isfinite
from typing import NamedTuple

from generator.model.base import Json

Scalar = None | bool | int | float | str
Mark = tuple[str, bool | str | Decimal | None]
_PLAIN_NUMBER = re.compile(r"[+-]?[0-9]{1,300}(?:\.[0-9]{1,300})?(?:[eE][+-]?[0-9]{1,3})?")


class Leaves(NamedTuple):
    """The texts and the finite numbers of a value, at any depth. Keys, booleans and nulls are none."""

    texts: list[str]
    numbers: frozenset[Decimal]


def leaves(value: Json) -> Leaves:
    """A loop, not a recursion: foreign results may be nested deeper than the stack."""
    texts: list[str] = []
    numbers: set[Decimal] = set()
    waiting: list[Json] = [value]
    for item in waiting:
        if isinstance(item, str):
            texts.append(item)
        elif isinstance(item, dict):
            waiting.extend(item.values())
        elif isinstance(item, list):
            waiting.extend(item)
        elif isinstance(item, int | float) and not isinstance(item, bool) and isfinite(item):
            numbers.add(exact(item))
    return Leaves(texts, frozenset(numbers))


def exact(number: int | float) -> Decimal:
    """The decimal that the shortest notation of a number writes: 0.1 is one tenth."""
    return Decimal(number) if isinstance(number, int) else Decimal(repr(number))


def covers(actual: Json, listed: Json) -> bool:
    """Whether `actual` holds what a case lists.

    Objects: every listed key. Lists: same length and order. Scalars: see `same_scalar`.
    """
    if isinstance(listed, dict):
        return isinstance(actual, dict) and all(
            key in actual and covers(actual[key], value) for key, value in listed.items()
        )
    if isinstance(listed, list):
        return (
            isinstance(actual, list)
            and len(actual) == len(listed)
            and all(covers(one, other) for one, other in zip(actual, listed, strict=True))
        )
    return not isinstance(actual, dict | list) and same_scalar(actual, listed)


def same_scalar(one: Scalar, other: Scalar) -> bool:
    """Numbers by value, a number and the text that writes it, texts after NFKC and strip; booleans only booleans."""
    if one is None or other is None or isinstance(one, bool) or isinstance(other, bool):
        return one is other
    if isinstance(one, str) and isinstance(other, str):
        return one == other or _tidy(one) == _tidy(other)
    left, right = _number(one), _number(other)
    return left is not None and left == right


def marks(value: Scalar) -> list[Mark]:
    """Under what a scalar is filed, so that scalars that are the same are found without comparing each with each."""
    if value is None or isinstance(value, bool):
        return [("itself", value)]
    number = _number(value)
    if isinstance(value, str):
        return [("text", _tidy(value)), *([] if number is None else [("written", number)])]
    return [] if number is None else [("number", number)]


def marks_of_same(value: Scalar) -> list[Mark]:
    """Under what every scalar is filed that is the same by `same_scalar`."""
    own = marks(value)
    if isinstance(value, str):
        return [own[0], *(("number", number) for _, number in own[1:])]
    return own + [("written", number) for kind, number in own if kind == "number"]


def _tidy(text: str) -> str:
    return unicodedata.normalize("NFKC", text).strip()


def _number(value: int | float | str) -> Decimal | None:
    if not isinstance(value, str):
        return exact(value) if isfinite(value) else None
    text = _tidy(value)
    return Decimal(text) if _PLAIN_NUMBER.fullmatch(text) else None
