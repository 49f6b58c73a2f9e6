"""Repeats of a harness that does not number them, or numbers only some."""

from collections import defaultdict
from collections.abc import Hashable

from generator.model.base import Json
from generator.read.importers.values import as_count


class Repeats:
    """Counts the runs of a cell in the order in which they come."""

    def __init__(self) -> None:
        self._next: dict[Hashable, int] = defaultdict(int)

    def index(self, cell: Hashable, recorded: Json = None) -> int:
        """The recorded index where it is a whole number from 0 (also as a text), else the next one of the cell."""
        if isinstance(recorded, str) and recorded.isascii() and recorded.isdigit() and len(recorded) < 10:
            recorded = int(recorded)
        number = as_count(recorded)
        index = self._next[cell] if number is None else number
        self._next[cell] = max(self._next[cell], index + 1)
        return index
