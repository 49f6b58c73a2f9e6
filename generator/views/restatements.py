"""Every restatement, with the numbers that it changed."""

from collections import defaultdict
from dataclasses import dataclass

from generator.model.ledger import Figures
from generator.model.numbers import Number
from generator.model.publication import Restatement
from generator.model.report import Report
from generator.model.restatements import changes


@dataclass(frozen=True)
class RestatedNumber:
    """What a restatement did to one number. `number` is the number as it is now, None where it is gone; `new` is None
    where this restatement took it away; `is_last` marks the change that made it what it is now."""

    id: str
    number: Number | None
    old: Figures
    new: Figures | None
    is_last: bool


@dataclass(frozen=True)
class RestatementEntry:
    note: Restatement
    numbers: tuple[RestatedNumber, ...]


def restated_numbers(report: Report) -> list[RestatementEntry]:
    """One entry a note, newest first; its numbers in the order of the ledger."""
    numbers = {name: number for batch in report.batches for name, number in batch.numbers.items()}
    numbers |= report.evidence_numbers
    every = list(changes(report))
    last = {change.number: place for place, change in enumerate(every)}
    by_note: dict[int, list[RestatedNumber]] = defaultdict(list)
    for place, change in enumerate(every):
        if change.note is not None:
            is_last = last[change.number] == place and change.number in numbers
            shown = RestatedNumber(change.number, numbers.get(change.number), change.old, change.new, is_last)
            by_note[change.note].append(shown)
    notes = sorted(enumerate(report.source.publication.restatements), key=lambda entry: (entry[1].date, entry[0]))
    return [RestatementEntry(note, tuple(by_note[place])) for place, note in reversed(notes)]
