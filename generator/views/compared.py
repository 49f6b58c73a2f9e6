"""A run beside its neighbours: the calls of two runs of the same case, aligned, and what differs."""

import json
from collections.abc import Sequence
from functools import cached_property
from typing import Any, Literal

import msgspec

from generator.model.base import Json
from generator.model.evidence import Evidence, is_treated
from generator.views.evidence import Beside

MOST_CELLS = 40_000
"""Pairs of calls that are looked at for one comparison: two hundred calls on each side."""
_NO_ALIGNMENT = 1 << 30

Change = Literal["arguments", "here", "there"]


class Call(msgspec.Struct, frozen=True, dict=True):
    """`step` is its place in the trace, from 1; `arguments` as they are published."""

    step: int
    tool: str
    arguments: Json

    @cached_property
    def key(self) -> str:
        """The same for calls with the same arguments, whatever the order of their names."""
        return json.dumps(self.arguments, sort_keys=True, ensure_ascii=True)


class Digest(msgspec.Struct, frozen=True):
    """What a comparison needs of a run. `calls` is None where no trace was recorded."""

    run_id: str
    calls: tuple[Call, ...] | None
    answer: dict[str, Json] | None


class Difference(msgspec.Struct, frozen=True):
    """One call that the two runs do not share. `here` and `there` are its steps, `names` the arguments that differ;
    empty where the arguments have no names."""

    change: Change
    tool: str
    here: int | None
    there: int | None
    names: tuple[str, ...] = ()


class Compared(msgspec.Struct, frozen=True):
    """A run and a neighbour. `same` counts calls that are alike; None, like `differences`, where calls cannot be
    compared: `calls` says why."""

    beside: Beside
    calls: Literal["compared", "none", "long"]
    same: int | None
    differences: tuple[Difference, ...]
    answers: Literal["same", "other", "here", "there", "none"]


def digest(evidence: Evidence) -> Digest:
    """Of the evidence of a run."""
    if evidence.trace is None:
        return Digest(evidence.run_id, None, evidence.answer)
    calls = [_call(place, step) for place, step in enumerate(evidence.trace, start=1) if step.get("kind") != "model"]
    return Digest(evidence.run_id, tuple(calls), evidence.answer)


def _call(place: int, step: dict[str, Any]) -> Call:
    return Call(place, step["tool"], step.get("arguments"))


def compare(here: Digest, there: Digest, beside: Beside) -> Compared:
    """The run `here` beside another."""
    answers = _answers(here.answer, there.answer)
    if here.calls is None or there.calls is None:
        return Compared(beside, "none", None, (), answers)
    if len(here.calls) * len(there.calls) > MOST_CELLS:
        return Compared(beside, "long", None, (), answers)
    same, differences = 0, []
    for first, second in align(here.calls, there.calls):
        if first is not None and second is not None and first.key == second.key:
            same += 1
        else:
            differences.append(_difference(first, second))
    return Compared(beside, "compared", same, tuple(differences), answers)


def align(first: Sequence[Call], second: Sequence[Call]) -> list[tuple[Call | None, Call | None]]:
    """The alignment with the fewest changes: a call more on one side is one, other arguments of the same tool are one,
    and calls of different tools are never set side by side. Of several, the one that keeps calls together from the
    beginning, and then names what is here alone first."""
    rows, columns = len(first), len(second)
    left = [[0] * (columns + 1) for _ in range(rows + 1)]
    for i in range(rows, -1, -1):
        for j in range(columns, -1, -1):
            if i < rows or j < columns:
                left[i][j] = min(
                    left[i + 1][j + 1] + _change(first[i], second[j]) if i < rows and j < columns else _NO_ALIGNMENT,
                    left[i + 1][j] + 1 if i < rows else _NO_ALIGNMENT,
                    left[i][j + 1] + 1 if j < columns else _NO_ALIGNMENT,
                )
    i, j = 0, 0
    pairs: list[tuple[Call | None, Call | None]] = []
    while i < rows or j < columns:
        best = left[i][j]
        if i < rows and j < columns and best == left[i + 1][j + 1] + _change(first[i], second[j]):
            pairs.append((first[i], second[j]))
            i, j = i + 1, j + 1
        elif i < rows and best == left[i + 1][j] + 1:
            pairs.append((first[i], None))
            i += 1
        else:
            pairs.append((None, second[j]))
            j += 1
    return pairs


def _change(first: Call, second: Call) -> int:
    if first.tool != second.tool:
        return _NO_ALIGNMENT
    return 0 if first.key == second.key else 1


def _difference(here: Call | None, there: Call | None) -> Difference:
    if here is not None and there is not None:
        return Difference("arguments", here.tool, here.step, there.step, _names(here.arguments, there.arguments))
    if here is not None:
        return Difference("here", here.tool, here.step, None)
    assert there is not None
    return Difference("there", there.tool, None, there.step)


def _names(here: Json, there: Json) -> tuple[str, ...]:
    """Names of arguments that one side has alone, or with another value; those of this side first."""
    if not (isinstance(here, dict) and isinstance(there, dict)) or is_treated(here) or is_treated(there):
        return ()
    nothing = object()
    every = [*here, *(name for name in there if name not in here)]
    return tuple(name for name in every if _text(here.get(name, nothing)) != _text(there.get(name, nothing)))


def _text(value: object) -> str | None:
    return None if type(value) is object else json.dumps(value, sort_keys=True)


def _answers(
    here: dict[str, Json] | None, there: dict[str, Json] | None
) -> Literal["same", "other", "here", "there", "none"]:
    if here is None or there is None:
        return "none" if here is there else "there" if here is None else "here"
    return "same" if here == there else "other"
