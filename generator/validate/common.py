"""What several checks need: repeated ids, the form of paths and reasons, the size of a grid."""

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from generator.errors import Finding, Place
from generator.model.batches import PlannedGrid
from generator.model.rules import finding, visible_id

_REASON = re.compile(r"[a-z][a-z0-9_]{0,63}")


class Repeated(NamedTuple):
    """An id that stands at `position` and already at `first`."""

    position: int
    first: int
    id: str


def repeated(ids: Iterable[str]) -> Iterator[Repeated]:
    first: dict[str, int] = {}
    for position, identifier in enumerate(ids):
        earlier = first.setdefault(identifier, position)
        if earlier != position:
            yield Repeated(position, earlier, identifier)


def unique_ids(file: str, path: str, ids: Iterable[str], key: str = "id") -> Iterator[Finding]:
    """RC101 for the ids of the list at `path`; `key` is empty where the list holds the ids themselves."""
    tail = f".{key}" if key else ""
    for again in repeated(ids):
        place = Place(file, field=f"{path}[{again.position}]{tail}")
        found = f"`{visible_id(again.id)}` again, as in {path}[{again.first}]"
        yield finding("RC101", place, "each id once", found, "rename or remove one of them")


def is_reason(reason: str) -> bool:
    """Reasons are snake_case codes, because they name counts of the API."""
    return _REASON.fullmatch(reason) is not None


def keys_of(path: str) -> tuple[str, ...] | None:
    """The keys of a path of the configuration (`context.strategy`); None where it is none."""
    keys = tuple(path.split("."))
    return keys if all(key and key == key.strip() and not set(key) & set("[]*$") for key in keys) else None


def cell_count(planned: PlannedGrid) -> int:
    return len(planned.cases) * len(planned.variants) * planned.repeats
