"""How a plan is written, and how its references are filled from what earlier steps returned."""

import math
import re
from dataclasses import dataclass, replace
from typing import cast

from generator.model.base import Json
from generator.sample.tools import Call


@dataclass(frozen=True)
class Ref:
    """A value of an earlier step's result: `nav`, `holdings[0].units`, `rows[*].amount` (spliced into a list)."""

    step: str
    path: str


Argument = str | int | float | Ref | tuple["str | int | float | Ref", ...]


@dataclass(frozen=True)
class Option:
    """One way to take a step."""

    tool: str
    args: dict[str, Argument]


@dataclass(frozen=True)
class Step:
    """A step of a plan: its options, best first.

    `say` names the sentence that reports it; `about` says in words what it is for; `asks` is a write that the task
    wants, after the user's confirmation; `error_tells` is a step whose error is the answer.
    """

    id: str
    options: tuple[Option, ...]
    say: str | None = None
    about: str = ""
    asks: bool = False
    error_tells: bool = False

    @property
    def sources(self) -> frozenset[str]:
        """Steps whose results this one needs."""
        return frozenset(ref.step for option in self.options for value in option.args.values() for ref in _refs(value))


@dataclass(frozen=True)
class Temptation:
    """A call that the task invites and that should not be made. `injected`: only an untrusted entry invites it."""

    id: str
    option: Option
    say: str | None = None
    governed: float = 0.03
    ungoverned: float = 0.3
    injected: bool = False


@dataclass(frozen=True)
class Remark:
    """A sentence that the task invites and that should not be said."""

    say: str
    governed: float
    ungoverned: float


@dataclass(frozen=True)
class Topic:
    """Something to recall from the context, and the words by which it is found."""

    id: str
    words: str
    say: str


@dataclass(frozen=True)
class Closing:
    """A sentence that should be said at the end, where its steps succeeded."""

    say: str
    needs: tuple[str, ...] = ()


@dataclass(frozen=True)
class Plan:
    """How one goes about a case."""

    steps: tuple[Step, ...] = ()
    topics: tuple[Topic, ...] = ()
    temptations: tuple[Temptation, ...] = ()
    remarks: tuple[Remark, ...] = ()
    closings: tuple[Closing, ...] = ()


def seen_of(plan: Plan, share: float) -> Plan:
    """The plan that one makes of the first part of a task: at least one of its steps, in their order."""
    seen = math.ceil(len(plan.steps) * share)
    return plan if seen >= len(plan.steps) else replace(plan, steps=plan.steps[:seen])


def fill(option: Option, results: dict[str, Json]) -> Call:
    """The call with every reference filled; KeyError where a step has no result."""
    return Call(option.tool, {name: _filled(value, results) for name, value in option.args.items()})


def look_up(value: Json, path: str) -> list[Json]:
    """The values at a path of a result; LookupError where there is nothing."""
    found = [value]
    for key, index in re.findall(r"([a-z_]+)|\[(\*|[0-9]+)\]", path):
        if key:
            found = [cast(dict[str, Json], inner)[key] for inner in found]
        elif index == "*":
            found = [element for inner in found for element in cast(list[Json], inner)]
        else:
            found = [cast(list[Json], inner)[int(index)] for inner in found]
    return found


def _refs(value: Argument) -> list[Ref]:
    parts = value if isinstance(value, tuple) else (value,)
    return [part for part in parts if isinstance(part, Ref)]


def _filled(value: Argument, results: dict[str, Json]) -> Json:
    if isinstance(value, tuple):
        return [inner for part in value for inner in _values(part, results)]
    return _values(value, results)[0]


def _values(part: "str | int | float | Ref", results: dict[str, Json]) -> list[Json]:
    if not isinstance(part, Ref):
        return [part]
    found = look_up(results[part.step], part.path)
    return [rate_of(text) if isinstance(text, str) and "%" in text else text for text in found]


def rate_of(text: str) -> float:
    """The first percentage of a text as a fraction: `0.80%` is 0.008."""
    match = re.search(r"([0-9]+(?:\.[0-9]+)?)\s*%", text)
    assert match is not None
    return round(float(match[1]) / 100, 8)
