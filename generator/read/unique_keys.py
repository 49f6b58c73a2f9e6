"""Keys that stand twice in one JSON object: readers differ in which value they keep, so a reader of the file and the
judges could see different runs."""

import json
from collections.abc import Iterator

Path = tuple[str | int, ...]


def has_unique_keys(text: str) -> bool:
    """Whether no object of a JSON text has a key twice.

    Raises
    ------
    ValueError
        The text is no JSON.
    RecursionError
        It is nested deeper than the stack allows.
    """
    try:
        _CHECKING.decode(text)
    except _Repeated:
        return False
    return True


def repeated_keys(text: str) -> list[Path]:
    """Where a key stands again, once each, in the order of the text. Raises as `has_unique_keys` does."""
    return list(dict.fromkeys(_repeats(_PAIRS.decode(text), ())))


class _Repeated(Exception):
    """An object has a key twice."""


class _Pairs(list[tuple[str, object]]):
    """The keys and values of an object, all of them."""


def _check(pairs: list[tuple[str, object]]) -> None:
    if len(pairs) > 1 and len(dict(pairs)) < len(pairs):
        raise _Repeated


# Numbers stay text: what they are worth, and whether they are too long to be worth anything, is asked elsewhere.
_CHECKING = json.JSONDecoder(object_pairs_hook=_check, parse_int=str, parse_float=str)
_PAIRS = json.JSONDecoder(object_pairs_hook=_Pairs, parse_int=str, parse_float=str)


def _repeats(value: object, path: Path) -> Iterator[Path]:
    if isinstance(value, _Pairs):
        seen: set[str] = set()
        for key, inner in value:
            if key in seen:
                yield (*path, key)
            seen.add(key)
            yield from _repeats(inner, (*path, key))
    elif isinstance(value, list):
        for position, inner in enumerate(value):
            yield from _repeats(inner, (*path, position))
