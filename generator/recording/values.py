"""What a caller gives → values that a journal can hold."""

import datetime
import math
import re
from collections.abc import Mapping

from generator.model.base import Json

MAX_DEPTH = 200
_SURROGATE = re.compile("[\ud800-\udfff]")
_EXACT = 2**53


def storable(value: object, depth: int = 0) -> Json:
    """`value` as JSON: lists for any sequence or set, texts for what JSON has no form for (NaN, integers that not every
    reader holds, other objects as `str` gives them). Lone surrogates are made visible.

    Raises
    ------
    ValueError
        Nested deeper than 200 levels, as a value that holds itself is.
    """
    if depth > MAX_DEPTH:
        raise ValueError(f"a value to record is nested deeper than {MAX_DEPTH} levels")
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, int):
        return value if abs(value) <= _EXACT else str(value)
    if isinstance(value, float):
        return value if math.isfinite(value) else str(value)
    if isinstance(value, str):
        return text(value)
    if isinstance(value, Mapping):
        return {text(str(key)): storable(item, depth + 1) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [storable(item, depth + 1) for item in value]
    if isinstance(value, set | frozenset):
        return sorted((storable(item, depth + 1) for item in value), key=str)
    return text(str(value))


def text(value: str) -> str:
    """`value` with each lone surrogate as `⟦U+D800⟧`: it has no UTF-8."""
    return _SURROGATE.sub(lambda match: f"⟦U+{ord(match.group()):04X}⟧", value)


def now() -> str:
    """The present time, ISO 8601 in UTC with milliseconds."""
    return utc(datetime.datetime.now(datetime.UTC))


def utc(moment: datetime.datetime) -> str:
    """ISO 8601 in UTC with milliseconds; a time without a zone is taken as UTC."""
    aware = moment if moment.tzinfo is not None else moment.replace(tzinfo=datetime.UTC)
    return aware.astimezone(datetime.UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
