"""Whether evidence holds nothing but what `api/v1/projection.json` lets through, treated as it says."""

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

WHITELISTED = ("config", "telemetry", "trace", "answer", "reason", "source_run_id")
"""The fields of evidence that the whitelist rules; all others are those of the evidence record."""
_FEWEST_HASHED = 64
_TREATED_KEYS = {"text", "truncated", "length", "sha256"}
_KINDS: dict[str, tuple[type, ...]] = {"text": (str,), "number": (int, Fraction), "boolean": (bool,)}

Breach = tuple[str, str, str]
"""A path of the evidence, what stands there, what should. Neither quotes content."""


@dataclass
class Allowed:
    """What the whitelist allows at one place: `[]` and `*` among the names stand for every element and every key."""

    below: dict[str, "Allowed"] = field(default_factory=dict)
    rule: dict[str, Any] | None = None


def allow(fields: Iterable[dict[str, Any]]) -> Allowed:
    """The whitelist as a tree."""
    root = Allowed()
    for rule in fields:
        place = root
        for name in rule["field"].replace("[]", ".[]").split("."):
            place = place.below.setdefault(name, Allowed())
        place.rule = rule
    return root


def breaches(evidence: dict[str, Any], allowed: Allowed) -> Iterator[Breach]:
    """Everything in the ruled fields that the whitelist does not let through, or not like that."""
    for name in WHITELISTED:
        value = evidence.get(name)
        if name in allowed.below:
            yield from _walk(value, allowed.below[name], name)
        elif value:
            yield name, "a value", "nothing: no path of the whitelist leads here"


def is_published(allowed: Allowed, path: str) -> bool:
    """Whether the whitelist has exactly this field, untreated."""
    place: Allowed | None = allowed
    for name in path.replace("[]", ".[]").split("."):
        place = place.below.get(name) if place is not None else None
    return place is not None and place.rule is not None and not _is_treated(place.rule)


def _walk(value: Any, allowed: Allowed, path: str) -> Iterator[Breach]:
    if value is None:
        return
    if allowed.rule is not None:
        yield from _check_leaf(value, allowed.rule, path)
    elif "[]" in allowed.below:
        if isinstance(value, list):
            for place, item in enumerate(value):
                yield from _walk(item, allowed.below["[]"], f"{path}[{place}]")
        else:
            yield path, "no list", "a list"
    elif isinstance(value, dict):
        any_key = allowed.below.get("*")
        for key, item in value.items():
            below = allowed.below.get(key, any_key)
            if below is None:
                yield f"{path}.{key}", "a key", "none: the whitelist has no such path"
            else:
                yield from _walk(item, below, f"{path}.{key}")
    else:
        yield path, "a value", "an object"


def _check_leaf(value: Any, rule: dict[str, Any], path: str) -> Iterator[Breach]:
    if _is_treated(rule):
        yield from _check_treated(value, rule, path)
    elif rule["type"] != "json" and type(value) not in _KINDS[rule["type"]]:
        yield path, type(value).__name__, rule["type"]


def _is_treated(rule: dict[str, Any]) -> bool:
    return rule["treatment"] != "keep" or rule["limit"] is not None


def _check_treated(value: Any, rule: dict[str, Any], path: str) -> Iterator[Breach]:
    """`{text, truncated, length, sha256}`: length and hash are of the whole text, which is here if it is not cut."""
    if not isinstance(value, dict) or value.keys() != _TREATED_KEYS:
        yield path, "another value", "an object with text, truncated, length, sha256"
        return
    text, truncated, length, sha256 = (value[key] for key in ("text", "truncated", "length", "sha256"))
    if (sha256 is None) != (length < _FEWEST_HASHED):
        yield f"{path}.sha256", "null" if sha256 is None else "a hash", f"a hash from {_FEWEST_HASHED} characters"
    if rule["treatment"] == "hash":
        if text is not None or truncated is not True:
            yield f"{path}.text", "a text", "none: the whitelist shows a hash"
        return
    if not isinstance(text, str):
        yield f"{path}.text", "no text", "a text"
        return
    limit = rule["limit"]
    if limit is not None and len(text) > limit:
        yield f"{path}.text", f"{len(text)} characters", f"{limit} at most"
    if truncated:
        if not (limit is not None and len(text) < length and length > limit):
            yield f"{path}.truncated", "true", "false: the text is whole"
    elif len(text) != length:
        yield f"{path}.length", str(length), str(len(text))
    elif sha256 is not None and sha256 != hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest():
        yield f"{path}.sha256", sha256, "the hash of the text"
