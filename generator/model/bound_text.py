"""Texts that state figures by reference: `num(<id of a number>)` and `ref(<configured value or name>)`."""

import re
from collections.abc import Iterator
from typing import Literal, NamedTuple

from generator.model.base import Text
from generator.model.prose import figures

_CALL = re.compile(r"\b(num|ref)\(([^()]*)\)")


class TextPiece(NamedTuple):
    """`text`: words as they stand; `num`: the id of a number; `ref`: a value that is no result."""

    kind: Literal["text", "num", "ref"]
    value: str


def text_pieces(text: str) -> Iterator[TextPiece]:
    """A text in its pieces, in order; no piece is empty."""
    place = 0
    for call in _CALL.finditer(text):
        if call.start() > place:
            yield TextPiece("text", text[place : call.start()])
        yield TextPiece("num" if call[1] == "num" else "ref", call[2].strip())
        place = call.end()
    if place < len(text):
        yield TextPiece("text", text[place:])


def bound_numbers(text: str) -> list[str]:
    """Ids of the numbers that a text names, in order, each once."""
    return list(dict.fromkeys(piece.value for piece in text_pieces(text) if piece.kind == "num"))


def numbers_of_text(text: Text) -> list[str]:
    """As `bound_numbers`, of both languages."""
    return list(dict.fromkeys([*bound_numbers(text.zh), *bound_numbers(text.en)]))


def unbound_figures(text: str) -> list[str]:
    """What a text states in digits outside of `num()` and `ref()`, besides names."""
    return [figure for piece in text_pieces(text) if piece.kind == "text" for figure in figures(piece.value)]
