"""What becomes of a value that may pass: shown, cut, or only known to be there."""

import hashlib
import json
from collections.abc import Iterator
from typing import Any

import msgspec

from generator.model.base import Json
from generator.model.evidence import treated
from generator.model.projection import ProjectedField
from generator.model.visible import CLOSE, OPEN
from generator.project.paths import Leaf
from generator.project.redact import Placeholders
from generator.project.shown import Shown, show

SHORTEST_HASHED = 64
"""Shorter texts get no hash: what is short can be guessed from it."""
_DEEPEST = 100
_LONG_NUMBER = 10**8


def treat_text(shown: Shown, treatment: str, limit: int | None, placeholders: Placeholders) -> dict[str, Json]:
    """`{text, truncated, length, sha256}` of a shown text.

    `length` (code points) and `sha256` are of the whole shown text, so whoever has an untruncated text can check both.
    A cut that makes a secret's form out of something longer (sixteen digits of thirty) is made before it.
    """
    full = shown.text
    text = None if treatment == "hash" else cut(full, limit)
    if text is not None and len(text) < len(full) and not placeholders.clean:
        text = text[: placeholders.redactor.first_left(text, placeholders.among)]
    digest = hashlib.sha256(full.encode()).hexdigest() if len(full) >= SHORTEST_HASHED else None
    return treated(text=text, truncated=text != full, length=len(full), sha256=digest)


def cut(text: str, limit: int | None) -> str:
    """The first `limit` characters, without a part of a mark at the end."""
    if limit is None or len(text) <= limit:
        return text
    begun = text.rfind(OPEN, 0, limit)
    return text[: begun if begun > text.rfind(CLOSE, 0, limit) else limit]


def is_plain(projected: ProjectedField) -> bool:
    """Whether a value stays what it is (shown), instead of becoming `{text, truncated, length, sha256}`."""
    return projected.treatment == "keep" and projected.limit is None


def as_text(value: Json) -> str:
    """A string as it is, anything else as compact JSON."""
    if isinstance(value, str):
        return value
    try:
        return msgspec.json.encode(value).decode()
    except UnicodeEncodeError:
        return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def shown_key(key: str, placeholders: Placeholders) -> str:
    """A key of the run that stands in the evidence."""
    return key if key.isidentifier() and key.isascii() else show(key, placeholders).text


def treat_leaves(leaves: list[Leaf], placeholders: Placeholders) -> Shown | None:
    """Put what is shown in the place of each leaf; the shown answer is returned, for the offsets of the details."""
    answer = None
    for container, key, projected, value in leaves:
        if is_plain(projected):
            if not placeholders.clean:
                container[key] = shown_json(value, placeholders)
            continue
        shown = show(as_text(value), placeholders)
        if projected.field == "answer":
            answer = shown
        container[key] = treat_text(shown, projected.treatment, projected.limit, placeholders)
    return answer


def texts_in(value: Json) -> Iterator[str]:
    """Every text in `value` that may need a change: strings, keys, long numbers."""
    pending = [value]
    while pending:
        item = pending.pop()
        if isinstance(item, str):
            yield item
        elif isinstance(item, dict):
            yield from item
            pending.extend(item.values())
        elif isinstance(item, list):
            pending.extend(item)
        elif item is not None and abs(item) >= _LONG_NUMBER:
            yield str(item)


def shown_json(
    value: Json, placeholders: Placeholders, *, count: bool = True, depth: int = 0, name: str | None = None
) -> Any:
    """`value` with every string in it shown, keys included, and numbers that are a secret replaced.

    `name` is the key that the value stands under: some keys say that whatever follows is a secret.
    """
    if name is not None and isinstance(value, (str, int, float)) and not isinstance(value, bool):
        hidden = placeholders.named(name, str(value), count=count)
        if hidden is not None:
            return hidden
    if isinstance(value, str):
        return show(value, placeholders, count=count).text
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, (int, float)):
        return value if abs(value) < _LONG_NUMBER else _shown_number(value, placeholders, count)
    if depth == _DEEPEST:
        return show(as_text(value), placeholders, count=count).text
    if isinstance(value, list):
        return [shown_json(item, placeholders, count=count, depth=depth + 1, name=name) for item in value]
    shown: dict[str, Any] = {}
    for key, item in value.items():
        shown[free_key(show(key, placeholders, count=count).text, shown)] = shown_json(
            item, placeholders, count=count, depth=depth + 1, name=key
        )
    return shown


def free_key(key: str, taken: dict[str, Any]) -> str:
    """`key`, or with a number behind it where two keys look the same after they were redacted."""
    number = 2
    free = key
    while free in taken:
        free = f"{key} ({number})"
        number += 1
    return free


def _shown_number(value: int | float, placeholders: Placeholders, count: bool) -> int | float | str:
    text = str(value)
    shown = show(text, placeholders, count=count).text
    return value if shown == text else shown
