"""Which published numbers changed, and which note says why.

The ledger knows the figures that a number had before each restatement, and those that were recorded last; the report
knows what it has now. Each change needs a note: a recorded one the note of its day, a new one a later note. A note that
explains a recorded change explains no new one: its pattern would excuse whatever happens next.
"""

import datetime
import re
from collections.abc import Iterable, Iterator, Sequence

import msgspec

from generator.model.ledger import Figures, LedgerEntry
from generator.model.numbers import Number
from generator.model.publication import Restatement
from generator.model.report import Report


class Change(msgspec.Struct, frozen=True, kw_only=True):
    """A change of one number.

    `new` is None where the number is gone. `note` is the place of its note among the restatements, None where there is
    none. `day` is that of a change which the ledger has already, None for a new one.
    """

    number: str
    old: Figures
    new: Figures | None
    note: int | None
    day: datetime.date | None


def figures_of(number: Number) -> Figures:
    return Figures(value=number.value, numerator=number.numerator, denominator=number.denominator)


def changes(report: Report) -> Iterator[Change]:
    """Every change of every number that was published: number by number, oldest change first."""
    now = {name: figures_of(number) for batch in report.batches for name, number in batch.numbers.items()}
    now |= {name: figures_of(number) for name, number in report.evidence_numbers.items()}
    notes = _Notes(report.source.publication.restatements)
    published = report.source.published
    notes.close({(name, earlier.restated) for name, entry in published.items() for earlier in entry.earlier})
    for name, entry in published.items():
        yield from _changes_of(name, entry, now.get(name), notes)


def _changes_of(name: str, entry: LedgerEntry, now: Figures | None, notes: "_Notes") -> Iterator[Change]:
    later = [earlier.figures for earlier in entry.earlier[1:]] + [entry.figures]
    last: datetime.date | None = None
    for earlier, new in zip(entry.earlier, later, strict=False):
        last = earlier.restated
        yield Change(number=name, old=earlier.figures, new=new, note=notes.of_day(name, last), day=last)
    if now != entry.figures:
        yield Change(
            number=name, old=entry.figures, new=now, note=notes.after(name, last, is_gone=now is None), day=None
        )


class _Notes:
    """Finds the note of a change: of several that fit the newest, and of one day the first in the file, because notes
    are added at its end."""

    def __init__(self, notes: Sequence[Restatement]) -> None:
        self._ordered = sorted(
            ((note.date, place, _pattern(note.number)) for place, note in enumerate(notes)),
            key=lambda entry: (-entry[0].toordinal(), entry[1]),
        )

        self._closed: set[int | None] = set()

    def close(self, recorded: Iterable[tuple[str, datetime.date]]) -> None:
        """Notes of these changes, by number and day, are of no other change."""
        self._closed = {self.of_day(name, day) for name, day in recorded}

    def of_day(self, name: str, day: datetime.date) -> int | None:
        return next((place for date, place, fits in self._ordered if date == day and fits.fullmatch(name)), None)

    def after(self, name: str, day: datetime.date | None, *, is_gone: bool) -> int | None:
        """A number that is gone keeps its note: the ledger never has it as changed."""
        later = (
            (place, fits)
            for date, place, fits in self._ordered
            if (day is None or date > day) and (is_gone or place not in self._closed)
        )
        return next((place for place, fits in later if fits.fullmatch(name)), None)


def _pattern(number: str) -> re.Pattern[str]:
    return re.compile(".*".join(re.escape(part) for part in number.split("*")), re.DOTALL)
