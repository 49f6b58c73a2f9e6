"""A number, date or time that a text mentions."""

from decimal import Decimal
from typing import Literal, NamedTuple

Role = Literal["factual", "labelled", "structural", "code"]


class Amount(NamedTuple):
    """A number as it stands: `value` before division by `per` (100 after a percent sign, 1000 after ‰, else 1).

    `step` is the precision shown, on the scale of `value`. `signed`: a sign is written. `decreasing`: a word of
    decrease stands before it.
    """

    value: Decimal
    step: Decimal
    per: int
    signed: bool
    decreasing: bool


class Moment(NamedTuple):
    """A date, a time, or both; parts that are not given are None."""

    year: int | None = None
    month: int | None = None
    day: int | None = None
    hour: int | None = None
    minute: int | None = None
    second: int | None = None


class Mention(NamedTuple):
    """A number or a moment, and where it stands. `role` says why it may not count as a statement of fact."""

    start: int
    end: int
    role: Role
    what: Amount | Moment
