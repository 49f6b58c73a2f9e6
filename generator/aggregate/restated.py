"""Gives the numbers of a report what they were before."""

from collections import defaultdict

import msgspec

from generator.model.numbers import Restated
from generator.model.report import BatchReport, Report
from generator.model.restatements import changes


def with_restatements(report: Report) -> Report:
    """The report, each restated number with its earlier figures, oldest first. Changes without a note are passed over:
    validation refuses them."""
    notes = report.source.publication.restatements
    restated: dict[str, list[Restated]] = defaultdict(list)
    for change in changes(report):
        if change.note is not None and change.new is not None:
            note, old = notes[change.note], change.old
            restated[change.number].append(
                Restated(
                    date=note.date,
                    old=old.value,
                    old_numerator=old.numerator,
                    old_denominator=old.denominator,
                    reason=note.reason,
                )
            )
    return report if not restated else msgspec.structs.replace(report, batches=_marked(report.batches, restated))


def _marked(batches: list[BatchReport], restated: dict[str, list[Restated]]) -> list[BatchReport]:
    return [
        msgspec.structs.replace(
            batch,
            numbers={
                name: msgspec.structs.replace(number, restated=tuple(restated[name])) if name in restated else number
                for name, number in batch.numbers.items()
            },
        )
        for batch in batches
    ]
