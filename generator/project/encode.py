"""Evidence → bytes."""

from typing import Any

import msgspec

from generator.model.evidence import Evidence
from generator.model.visible import mark

_ENCODER = msgspec.json.Encoder()


def encode(evidence: Evidence) -> bytes:
    """UTF-8 JSON, keys in the order of the record, no indentation, newline at the end.

    Names of a run stand as they are; where one holds a lone surrogate, which UTF-8 cannot, it is marked (`⟦U+D800⟧`).
    """
    try:
        return _ENCODER.encode(evidence) + b"\n"
    except UnicodeEncodeError:
        return _ENCODER.encode(_without_surrogates(msgspec.to_builtins(evidence))) + b"\n"


def _without_surrogates(value: Any) -> Any:
    if isinstance(value, str):
        return "".join(mark(character) if "\ud800" <= character <= "\udfff" else character for character in value)
    if isinstance(value, list):
        return [_without_surrogates(item) for item in value]
    if isinstance(value, dict):
        return {_without_surrogates(key): _without_surrogates(item) for key, item in value.items()}
    return value
