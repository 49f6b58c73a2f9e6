"""Texts that state figures by reference alone: `num(<id of a number>)` and `ref(<name of a setting>)`."""

import re
from collections.abc import Iterator
from typing import Literal, NamedTuple

from generator.model.base import Text
from generator.model.formatting import configured_text
from generator.model.number_words import number_words
from generator.model.prose import figures
from generator.model.publication import Thresholds

_CALL = re.compile(r"\b(num|ref)\(([^()]*)\)")


SETTINGS = ("alpha", "beta", "delta", "theta", "epsilon", "min_valid_per_group")
"""What `ref()` may name: the thresholds of `publication.yaml`."""


class TextPiece(NamedTuple):
    """`text`: words as they stand; `num`: the id of a number; `ref`: the name of a setting."""

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
    """What a text states outside of `num()` and `ref()`: in digits, besides names, and in words."""
    return [
        figure
        for piece in text_pieces(text)
        if piece.kind == "text"
        for figure in (*figures(piece.value), *number_words(piece.value))
    ]


def unknown_settings(text: str) -> list[str]:
    """What `ref()` names and no setting is called: a value that somebody typed, for instance."""
    return [piece.value for piece in text_pieces(text) if piece.kind == "ref" and piece.value not in SETTINGS]


def setting_text(thresholds: Thresholds, name: str) -> str:
    """The configured value of a setting, with the decimals that it has; AttributeError for any other name."""
    value: float = getattr(thresholds, name)
    return configured_text(value)
