"""Sources that break one rule each: an edit of the small source, and the findings that it must give."""

from collections.abc import Callable
from typing import Any, NamedTuple

from tests.support.small_source import SmallSource

Edit = Callable[[SmallSource], None]


class RuleCase(NamedTuple):
    """`expected`: (code, place as a report prints it) of every finding, in order."""

    name: str
    edit: Edit
    expected: list[tuple[str, str]]


def put(holder: Callable[[SmallSource], Any], key: str | int, value: Any) -> Edit:
    """An edit that sets one key of what `holder` finds."""

    def edit(source: SmallSource) -> None:
        holder(source)[key] = value

    return edit


def take(holder: Callable[[SmallSource], Any], key: str | int) -> Edit:
    """An edit that removes one key."""

    def edit(source: SmallSource) -> None:
        del holder(source)[key]

    return edit


def both(*edits: Edit) -> Edit:
    def edit(source: SmallSource) -> None:
        for one in edits:
            one(source)

    return edit
