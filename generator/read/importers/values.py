"""Typed looks into foreign JSON, where anything may stand anywhere."""

from generator.model.base import Json


def as_object(value: Json) -> dict[str, Json]:
    """An object, else an empty one."""
    return value if isinstance(value, dict) else {}


def as_list(value: Json) -> list[Json]:
    """A list, else an empty one."""
    return value if isinstance(value, list) else []


def as_text(value: Json) -> str | None:
    """A text that is not empty, else None."""
    return value if isinstance(value, str) and value else None


def as_number(value: Json) -> int | float | None:
    """A number, else None. JSON's true is no number."""
    return value if isinstance(value, int | float) and not isinstance(value, bool) else None


def as_count(value: Json) -> int | None:
    """A whole number from 0 that every JSON reader holds exactly (below 2^53), else None."""
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 2**53 else None


def as_id(value: Json) -> str | None:
    """An id as text: harnesses write the same id as an integer in one file and as a string in another."""
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    return as_text(value)


def drop_absent(**fields: Json) -> dict[str, Json]:
    """An object of the fields that are there."""
    return {key: value for key, value in fields.items() if value is not None}
