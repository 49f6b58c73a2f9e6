"""The canonical form of JSON (RFC 8785): equal for equal values, whatever way they were written."""

import hashlib

import rfc8785

from generator.model.base import Json


def canonical(value: Json) -> bytes | None:
    """The RFC 8785 form; None where there is none (a lone surrogate, an integer beyond 2^53)."""
    try:
        return rfc8785.dumps(value)
    except (rfc8785.CanonicalizationError, UnicodeEncodeError, RecursionError):
        return None


def config_hash(effective: dict[str, Json]) -> str | None:
    """`sha256:<hex>` of the canonical form of a configuration; None where there is none."""
    form = canonical(effective)
    return None if form is None else "sha256:" + hashlib.sha256(form).hexdigest()
