"""The day in a time stamp, as harnesses write one."""

import datetime
from collections.abc import Iterable

from generator.model.base import Json
from generator.read.importers.values import as_text

_EARLIEST = datetime.date(2000, 1, 1)


def day_of(stamp: Json) -> datetime.date | None:
    """The day at the beginning of an ISO 8601 text, else None."""
    try:
        day = datetime.date.fromisoformat((as_text(stamp) or "")[:10])
    except ValueError:
        return None
    return day if day >= _EARLIEST else None


def first_day(stamps: Iterable[Json]) -> datetime.date | None:
    """The earliest day among time stamps."""
    return min((day for day in map(day_of, stamps) if day is not None), default=None)
