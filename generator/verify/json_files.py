"""JSON as exact values; what a reader of JSON would pass over in silence is an error."""

import json
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

_LARGEST_EXPONENT = 400
"""Beyond it a few characters would be a number of any size. A double ends at 308."""

Object = dict[str, Any]


def load(path: Path) -> Any:
    """A JSON file, with every number that has a point or an exponent as an exact `Fraction`.

    Raises
    ------
    ValueError
        no JSON in UTF-8, NaN or an infinity, or a key that stands twice in one object; the message names no content.
    """
    return parse(path.read_bytes().decode("utf-8"))


def parse(text: str) -> Any:
    """As `load`, of a text."""
    return _EXACT.decode(text)


class WrittenNumber(str):
    """A number with a point or an exponent, as it is written."""


def parse_as_written(text: str) -> Any:
    """As `parse`, with such numbers as `WrittenNumber`: for comparing with what a page shows of them."""
    return _AS_WRITTEN.decode(text)


def within(root: Path, address: str) -> Path:
    """The file at an address of the site.

    Raises
    ------
    ValueError
        The address leads out of the site, or to something that is no file: a site that somebody else wrote must not
        choose what is read of the machine that verifies it.
    """
    path = (root / address).resolve()
    if not path.is_relative_to(root.resolve()) or (path.exists() and not path.is_file()):
        raise ValueError("an address that leads out of the site")
    return path


def _exact(token: str) -> Fraction:
    number = Decimal(token)
    if abs(number.adjusted()) > _LARGEST_EXPONENT:
        raise ValueError("a number out of range")
    return Fraction(number)


def _no_constant(token: str) -> Any:
    raise ValueError(f"{token} is not JSON")


def _object(pairs: list[tuple[str, Any]]) -> Object:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a key stands twice in one object")
    return found


_EXACT = json.JSONDecoder(parse_float=_exact, parse_constant=_no_constant, object_pairs_hook=_object)
_AS_WRITTEN = json.JSONDecoder(parse_float=WrittenNumber, parse_constant=_no_constant, object_pairs_hook=_object)
