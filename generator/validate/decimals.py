"""Exact decimals of aggregate evidence."""

import re
from collections.abc import Iterator

from generator.errors import Finding, Place
from generator.model.rules import finding, visible_id

MAX_DIGITS = 15

_DECIMAL = re.compile(r"-?\d+(?:\.\d+)?")


def check_decimal(value: int | str, place: Place) -> Iterator[Finding]:
    """RC163: neither commas nor units, and no more digits than a JSON number keeps."""
    text = str(value)
    if _DECIMAL.fullmatch(text) is None or sum(map(str.isdigit, text)) > MAX_DIGITS:
        expected = f'an integer, or a decimal such as "38118.31", of at most {MAX_DIGITS} digits'
        remedy = "write it without commas and units, in quotes where it has a point"
        yield finding("RC163", place, expected, f"`{visible_id(text)}`", remedy)
