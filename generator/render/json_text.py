"""JSON of the evidence as text for a page."""

from collections.abc import Iterator
from typing import Any

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
    """Paths and texts of the leaves of an object, null left out; a treated text is what is left of it, or its hash."""
    for keys, leaf in leaves(value, is_treated):
        if leaf is not None:
            yield dotted(keys), json_text(_left_of(leaf) if is_treated(leaf) else leaf)


def _left_of(treated: Json) -> Json:
    assert isinstance(treated, dict)
    text, digest = treated["text"], treated["sha256"]
    if text is not None:
        return text
    return treated if digest is None else f"sha256:{digest}"


def detail_texts(value: Any) -> list[str]:
    """A place in the answer by its text (an ellipsis where it lies behind what is shown), an entry with its tool as
    `entry: tool`, anything else as JSON."""
    if isinstance(value, dict):
        if "text" in value:
            return [value["text"] if isinstance(value["text"], str) else "…"]
        return [f"{key}: {json_text(item)}" for key, item in value.items()]
    if isinstance(value, list):
        return [text for item in value for text in detail_texts(item)]
    return [json_text(value)]
