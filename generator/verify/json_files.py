"""JSON as exact values; what a reader of JSON would pass over in silence is an error."""

import json
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

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
    return json.loads(text, parse_float=_exact, parse_constant=_no_constant, object_pairs_hook=_object)


def _exact(token: str) -> Fraction:
    return Fraction(Decimal(token))


def _no_constant(token: str) -> Any:
    raise ValueError(f"{token} is not JSON")


def _object(pairs: list[tuple[str, Any]]) -> Object:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a key stands twice in one object")
    return found
