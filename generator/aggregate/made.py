"""What an operation makes of runs."""

from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from generator.model.rows import RunRow

Detail = dict[str, Any]
"""JSON; its shape is that of the operation."""


@dataclass(frozen=True, slots=True)
class Made:
    """`counted` are the runs that the value rests on, out of the valid ones; `reason` says why there is no value."""

    value: Fraction | None
    counted: tuple[RunRow, ...]
    reason: str | None = None
    detail: Detail = field(default_factory=dict)
