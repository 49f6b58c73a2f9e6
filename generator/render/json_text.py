"""JSON of the evidence as text for a page."""

from collections.abc import Iterator

import msgspec

from generator.model.base import Json
from generator.model.evidence import is_treated
from generator.model.json_leaves import dotted, leaves

_PRETTY_FROM = 80


def json_text(value: Json) -> str:
    """A text as it is, anything else as JSON, long values on several lines."""
    if isinstance(value, str):
        return value
    if type(value) is int:
        return str(value)
    encoded = msgspec.json.encode(value)
    return (msgspec.json.format(encoded, indent=2) if len(encoded) > _PRETTY_FROM else encoded).decode()


def leaf_texts(value: Json) -> Iterator[tuple[str, str]]:
    """Paths and texts of the leaves of an object, null left out; a treated text is one leaf."""
    for keys, leaf in leaves(value, is_treated):
        if leaf is not None:
            yield dotted(keys), json_text(leaf)
