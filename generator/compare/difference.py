"""A number that differs between two sites."""

import msgspec

from generator.compare.causes import Cause
from generator.compare.numbers import Aspect
from generator.compare.published import Number


class Difference(msgspec.Struct, frozen=True, kw_only=True):
    """A number that differs.

    `old` is None where it was added, `new` where it was removed; `aspects` is empty then. `with_batch` is true where
    its whole batch was.
    """

    id: str
    batch: str
    old: Number | None
    new: Number | None
    aspects: list[Aspect]
    causes: list[Cause]
    with_batch: bool = False
