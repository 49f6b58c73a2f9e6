"""JSON that people can read and two builds write alike: keys in the order of the record, floats by their shortest text,
a newline at the end."""

import datetime
import json
from collections.abc import Iterator
from typing import Any

import msgspec

_FULL = 99


def plain(value: Any) -> Any:
    """Records as objects with every field, absent ones as null; dates as ISO 8601."""
    if isinstance(value, msgspec.Struct):
        names = zip(value.__struct_fields__, value.__struct_encode_fields__, strict=True)
        return {shown: plain(getattr(value, name)) for name, shown in names}
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    return value.isoformat() if isinstance(value, datetime.date) else value


def json_bytes(value: Any, depth: int = _FULL) -> bytes:
    """`plain` JSON in UTF-8. Members stand on lines of their own down to `depth`, and what is deeper on one line."""
    text = "".join(_lines(value, depth, "")) + "\n"
    # A lone surrogate has no UTF-8; its backslash form is the JSON escape of the same character.
    return text.encode("utf-8", "backslashreplace")


def _lines(value: Any, depth: int, indent: str) -> Iterator[str]:
    if depth == 0 or not isinstance(value, dict | list) or not value:
        yield json.dumps(value, ensure_ascii=False, allow_nan=False)
        return
    opening, closing = "{}" if isinstance(value, dict) else "[]"
    members = value.items() if isinstance(value, dict) else ((None, item) for item in value)
    inner = indent + " "
    for place, (key, member) in enumerate(members):
        yield f"{',' if place else opening}\n{inner}"
        if key is not None:
            yield json.dumps(key, ensure_ascii=False) + ": "
        yield from _lines(member, depth - 1, inner)
    yield f"\n{indent}{closing}"
