"""Numbers: a value with its metric, its run sets, its interval, its address."""

import datetime
import hashlib
from collections.abc import Iterable
from fractions import Fraction
from typing import Literal

import msgspec

from generator.model.base import Text

ChangeWord = Literal["improved", "regressed", "unchanged", "up", "down", "incomparable"]


class Interval(msgspec.Struct, frozen=True, kw_only=True):
    """On the scale of the value. `method` is `wilson`, `clopper_pearson`, `newcombe` …; `level` in (0, 1)."""

    method: str
    level: float
    low: float
    high: float


class Counted(msgspec.Struct, frozen=True, kw_only=True):
    """A count and the run set behind it (null when the count is 0)."""

    count: int
    runset: str | None


class Restated(msgspec.Struct, frozen=True, kw_only=True):
    """What a number was until a restatement: its value and counts before `date`, and why they changed."""

    date: datetime.date
    old: int | float | None
    old_numerator: int | None
    old_denominator: int | None
    reason: Text


class Number(msgspec.Struct, frozen=True, kw_only=True):
    """See design section 6 for each field. `exact` is the exact value: it decides rounding and is not published."""

    id: str
    batch: str
    experiment: str
    variant: str
    slice: str | None
    metric: str
    metric_version: int
    unit: str
    value: int | float | None
    numerator: int | None
    denominator: int | None
    runset: str | None
    numerator_runset: str | None
    excluded: dict[str, Counted]
    missing: Counted | None
    interval: Interval | None
    reason: str | None
    page: str
    compares: tuple[str, str] | None = None
    change: ChangeWord | None = None
    marks: tuple[str, ...] = ()
    evidence: str | None = None
    restated: tuple[Restated, ...] = ()
    exact: Fraction | None = None


def runset_name(run_ids: Iterable[str]) -> str:
    """`rs-` and the first 16 hex digits of the SHA-256 of the sorted ids joined by newlines.

    Ids sort by code point.
    """
    text = "\n".join(sorted(run_ids))
    return "rs-" + hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def publish_number(number: Number) -> dict[str, object]:
    """The JSON object of `api/v1/numbers/<batch>.json`."""
    data: dict[str, object] = msgspec.to_builtins(msgspec.structs.replace(number, exact=None))
    del data["exact"]
    return data
