"""JSON objects as their leaves: what of two configurations differs, and where it stands."""

from collections.abc import Callable, Iterator

from generator.model.base import Json

Keys = tuple[str, ...]
"""The keys that lead to a value. They are joined by dots to be read, never to be compared: a key may hold a dot."""


class Absent:
    """Stands for what an object does not have; null is a value."""


ABSENT = Absent()


def leaves(value: Json, is_leaf: Callable[[Json], bool] | None = None) -> Iterator[tuple[Keys, Json]]:
    """Everything below `value` that is no object, with its keys, in the order of the object.

    A list is a value, and so is an empty object; `is_leaf` may name further objects that are. Without recursion,
    because the depth is the author's choice.
    """
    pending: list[tuple[Keys, Json]] = [((), value)]
    while pending:
        keys, item = pending.pop()
        if isinstance(item, dict) and item and not (is_leaf is not None and is_leaf(item)):
            pending += [((*keys, key), inner) for key, inner in reversed(item.items())]
        elif keys:
            yield keys, item


def value_at(value: Json, keys: Keys) -> Json | Absent:
    """What the keys lead to."""
    for key in keys:
        if not isinstance(value, dict) or key not in value:
            return ABSENT
        value = value[key]
    return value


def keys_to(path: str) -> Keys:
    """The keys of a path as definitions write it (`context.strategy`)."""
    return tuple(path.split("."))


def dotted(keys: Keys) -> str:
    return ".".join(keys)


def is_below(keys: Keys, root: Keys) -> bool:
    """Whether the keys lead to `root` or into it."""
    return keys[: len(root)] == root
