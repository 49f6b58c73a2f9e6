"""Paths into JSON values: `$`, `.key`, `[i]`, `[*]`."""

import re
from functools import lru_cache

from generator.model.base import Json

Step = str | int | None
"""A key, an index, or None for every element."""

_STEP = re.compile(r"\.(?P<key>[^.\[\]]+)|\[(?P<index>[0-9]{1,9}|\*)\]")


@lru_cache(maxsize=1024)
def parse_path(path: str) -> tuple[Step, ...]:
    """The steps of a path.

    Raises
    ------
    ValueError
        The path does not begin with `$`, or goes on with anything but `.key`, `[i]`, `[*]`.
    """
    if not path.startswith("$"):
        raise ValueError("a path begins with $")
    steps: list[Step] = []
    at = 1
    while at < len(path):
        found = _STEP.match(path, at)
        if found is None:
            raise ValueError(f"a path goes on with .key, [i] or [*]; not so at character {at + 1}")
        index = found["index"]
        steps.append(found["key"] if index is None else None if index == "*" else int(index))
        at = found.end()
    return tuple(steps)


def values_at(value: Json, path: str) -> list[Json]:
    """All values at a path; none where it leads nowhere."""
    values = [value]
    for step in parse_path(path):
        values = [found for item in values for found in _follow(item, step)]
    return values


def _follow(item: Json, step: Step) -> list[Json]:
    if isinstance(step, str):
        return [item[step]] if isinstance(item, dict) and step in item else []
    if not isinstance(item, list):
        return []
    if step is None:
        return item
    return [item[step]] if step < len(item) else []
