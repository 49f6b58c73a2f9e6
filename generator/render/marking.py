"""Digits in the texts of the definitions, marked as references where they are any.

Prose holds names alone (`p95`, `C-1`): a figure in it stays unmarked, so that the check of the finished site finds it.
Where a definition may hold configured values, every digit is one of these. The result stands on one line: most of it is
written into Markdown.
"""

import re
from collections.abc import Callable

from markupsafe import Markup

from generator.model.prose import pieces_with_digits
from generator.render.escape import foreign, on_one_line

_CODE_POINT = re.compile(r"⟦U(?:\+|&#43;)[0-9A-F]{4,6}⟧")

Written = Callable[[str], Markup]


def with_names(text: str, written: Written = foreign) -> Markup:
    """Prose, its names marked. `written` escapes."""
    return _marked(text, written, every=False)


def with_values(text: str, written: Written = foreign) -> Markup:
    """A text with configured values, all marked. `written` escapes."""
    return _marked(text, written, every=True)


def _marked(text: str, written: Written, *, every: bool) -> Markup:
    pieces: list[str] = []
    place = 0
    for piece in pieces_with_digits(text):
        if every or piece.is_name:
            pieces += [_coded(written(text[place : piece.start])), '<span class="ref">']
            pieces += [written(text[piece.start : piece.end]), "</span>"]
            place = piece.end
    return on_one_line("".join([*pieces, _coded(written(text[place:]))]))


def _coded(escaped: Markup) -> str:
    """The digits of a code point that stands for a character that cannot be seen are its name."""
    return _CODE_POINT.sub(r'<span class="ref">\g<0></span>', str(escaped))
