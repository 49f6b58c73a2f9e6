"""The order in which the cells of a batch are executed."""

import hashlib
from collections.abc import Iterable

Cell = tuple[str, str, int]
"""Case, variant, repeat_index."""


def interleaved_order(cells: Iterable[Cell], seed: int) -> list[Cell]:
    """Cells sorted by SHA-256 of `seed:case:variant:repeat_index`, so that time favours no variant.

    The hash needs no generator state: anyone can recompute the place of one cell by hand.
    """

    def place(cell: Cell) -> bytes:
        case, variant, repeat_index = cell
        return hashlib.sha256(f"{seed}:{case}:{variant}:{repeat_index}".encode()).digest()

    return sorted(cells, key=place)
