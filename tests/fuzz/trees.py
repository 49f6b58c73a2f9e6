"""Changes of a value that keep most of its structure: the program must look deep to see that something is wrong."""

import copy
import difflib
from collections.abc import Callable, Iterator
from random import Random
from typing import Any, NamedTuple

from tests.fuzz import values

STOP = 0.15
"""The chance of changing a whole object or list instead of a part of it."""


class Spot(NamedTuple):
    """A part of a value: the object or list that holds it, its key there, and how to name it."""

    holder: Any
    key: Any
    name: str

    @property
    def value(self) -> Any:
        return self.holder[self.key]

    def put(self, value: Any) -> None:
        self.holder[self.key] = value


def any_spot(random: Random, tree: Any) -> Spot | None:
    """Walks down from the root, so that a field of which there are few is met as often as one of many."""
    holder, name = tree, ""
    spot = None
    while isinstance(holder, (dict, list)) and holder and (spot is None or random.random() > STOP):
        key = random.choice(list(holder)) if isinstance(holder, dict) else random.randrange(len(holder))
        name += f"[{key}]" if isinstance(key, int) else f".{key}"
        spot = Spot(holder, key, name.lstrip("."))
        holder = spot.value
    return spot


def change(random: Random, tree: Any, donor: Any) -> str | None:
    """Change one part of `tree` in place. Returns what was done; None where there is nothing to change.

    `donor` is a value of the same source: what is at home there is likely to be let in here.
    """
    spot = any_spot(random, tree)
    if spot is None:
        return None
    act = random.choice(_ACTS)
    act(random, spot, donor)
    return f"{spot.name}: {act.__name__.strip('_').replace('_', ' ')}"


def parts(tree: Any) -> Iterator[Any]:
    yield tree
    if isinstance(tree, (dict, list)):
        for inner in tree.values() if isinstance(tree, dict) else tree:
            yield from parts(inner)


def _any_value(random: Random, spot: Spot, donor: Any) -> None:
    spot.put(values.any_value(random))


def _extreme(random: Random, spot: Spot, donor: Any) -> None:
    spot.put(values.of_the_same_kind(random, spot.value))


def _taken_from_elsewhere(random: Random, spot: Spot, donor: Any) -> None:
    alike = [part for part in parts(donor) if type(part) is type(spot.value)]
    spot.put(copy.deepcopy(random.choice(alike)) if alike else None)


def _missing(random: Random, spot: Spot, donor: Any) -> None:
    del spot.holder[spot.key]


def _twice(random: Random, spot: Spot, donor: Any) -> None:
    """A list has it twice; an object has it under another name too."""
    again = copy.deepcopy(spot.value)
    if isinstance(spot.holder, list):
        spot.holder.insert(random.randint(0, len(spot.holder)), again)
    else:
        spot.holder[random.choice((f"{spot.key}s", str(spot.key).upper(), values.text(random)))] = again


def _renamed(random: Random, spot: Spot, donor: Any) -> None:
    if isinstance(spot.holder, dict):
        near = difflib.get_close_matches(
            spot.key, [key for part in parts(donor) if isinstance(part, dict) for key in part]
        )
        spot.holder[random.choice([*near, values.text(random)])] = spot.holder.pop(spot.key)
    else:
        spot.holder.reverse()


def _longer(random: Random, spot: Spot, donor: Any) -> None:
    value, times = spot.value, random.choice((2, 10, 300))
    if isinstance(value, list):
        spot.put([copy.deepcopy(item) for _ in range(times) for item in value][:2000])
    elif isinstance(value, dict):
        value.update(
            {f"{key}{number}": inner for number in range(min(times, 50)) for key, inner in list(value.items())}
        )
    elif isinstance(value, str):
        spot.put((value * times)[:200_000])
    elif isinstance(value, (int, float)):
        spot.put(value * 10**times)


def _wrapped(random: Random, spot: Spot, donor: Any) -> None:
    spot.put(random.choice(([spot.value], {"value": spot.value}, str(spot.value))))


def _emptied(random: Random, spot: Spot, donor: Any) -> None:
    value = spot.value
    spot.put(type(value)() if isinstance(value, (dict, list, str)) else None)


def _swapped(random: Random, spot: Spot, donor: Any) -> None:
    other = random.choice(list(spot.holder) if isinstance(spot.holder, dict) else range(len(spot.holder)))
    spot.holder[other], spot.holder[spot.key] = spot.value, spot.holder[other]


_ACTS: tuple[Callable[[Random, Spot, Any], None], ...] = (
    _any_value,
    _extreme,
    _extreme,
    _extreme,
    _taken_from_elsewhere,
    _taken_from_elsewhere,
    _missing,
    _twice,
    _renamed,
    _longer,
    _wrapped,
    _emptied,
    _swapped,
)
