"""Gives the numbers of a report what they were before."""

from collections import defaultdict

import msgspec

from generator.model.numbers import Number, Restated
from generator.model.report import Report
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
    if not restated:
        return report
    batches = [msgspec.structs.replace(batch, numbers=_marked(batch.numbers, restated)) for batch in report.batches]
    on_evidence = _marked(report.evidence_numbers, restated)
    return msgspec.structs.replace(report, batches=batches, evidence_numbers=on_evidence)


def _marked(numbers: dict[str, Number], restated: dict[str, list[Restated]]) -> dict[str, Number]:
    return {
        name: msgspec.structs.replace(number, restated=tuple(restated[name])) if name in restated else number
        for name, number in numbers.items()
    }
