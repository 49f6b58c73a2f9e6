"""Texts of the definitions: which digits in them belong to a name, and which state a figure.

A name is written in one piece and begins with a letter (`p95`, `C-1`, `gpt-4.1`, `pass^4`); a date, a time, a year, a
version of three parts, a hash and the name of a file are names too. Everything else with a digit is a figure: prose
that states one would be a number without a page.
"""

import re
from typing import NamedTuple

_WIDE = "\u2e80-\uff0f\uff1a-\U0010ffff"
"""Chinese and what is written like it, which is set without spaces; wide digits are digits."""
_RUN = re.compile(rf"(?:(?![{_WIDE}])[\w.^/:@#+~%‰-])+")
_DIGIT = re.compile(r"\d")
_OUTSIDE = ".:/-+~#@^"
_DAY = r"(?:19|20)\d\d-(?:0[1-9]|1[0-2])(?:-(?:0[1-9]|[12]\d|3[01]))?"
_NAME = re.compile(
    rf"""
    [^\W\d][\w.^/@+-]*                                 # p95, C-1, call-relation-v1
    | {_DAY}(?:T\d\d:?\d\d(?::?\d\d(?:\.\d+)?)?Z?)?    # 2026-11, 2026-11-30T10:00:00Z
    | 20[0-3]\d                                        # 2026
    | \d+(?:\.\d+){{2,}}                               # 1.6.1
    | sha256:[0-9a-f]+
    | [\w.:-]+\.(?:csv|eval|gz|html|json|jsonl|log|md|parquet|txt|xml|yaml|yml|zip|zst)
    """,
    re.VERBOSE,
)


class Piece(NamedTuple):
    """A piece of a text that holds a digit, `[start, end)`."""

    start: int
    end: int
    is_name: bool


def pieces_with_digits(text: str) -> list[Piece]:
    """In order, none overlapping; every digit of the text is in one."""
    found = []
    for match in _RUN.finditer(text):
        if not _DIGIT.search(match[0]):
            continue
        core = match[0].strip(_OUTSIDE)
        start = match.start() + match[0].index(core)
        end = start + len(core)
        is_percentage = text[end : end + 2].lstrip()[:1] in ("%", "‰", "％")
        found.append(Piece(start, end, _NAME.fullmatch(core) is not None and not is_percentage))
    return found


def figures(text: str) -> list[str]:
    """What a text states in digits, besides names."""
    return [text[piece.start : piece.end] for piece in pieces_with_digits(text) if not piece.is_name]
