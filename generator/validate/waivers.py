"""Rules of known gaps that a batch has waived."""

from collections.abc import Iterator

from generator.errors import Finding, Place
from generator.model.batches import Batch
from generator.model.rules import finding, visible_id
from generator.model.words import did_you_mean, one_of


def check_waivers(batch: Batch, file: str) -> Iterator[Finding]:
    """RC182, RC183, RC184: a waiver is of a planned case, each once, and was there before the runs were."""
    seen: set[str] = set()
    for position, waiver in enumerate(batch.waivers):
        place = Place(file, field=f"waivers[{position}].case")
        if waiver.case not in batch.planned.cases:
            expected = one_of(batch.planned.cases, "a planned case")
            remedy = did_you_mean(waiver.case, batch.planned.cases, "correct the id, or remove the waiver")
            yield finding("RC182", place, expected, f"`{visible_id(waiver.case)}`", remedy)
        elif waiver.case in seen:
            found = f"`{visible_id(waiver.case)}` again"
            yield finding("RC183", place, "each case once", found, "remove one of the waivers")
        seen.add(waiver.case)
        if waiver.since > batch.executed_on:
            place = Place(file, field=f"waivers[{position}].since")
            expected = f"{batch.executed_on.isoformat()} (the execution) or earlier"
            remedy = "a gap is known before the runs are; correct the date, or remove the waiver"
            yield finding("RC184", place, expected, waiver.since.isoformat(), remedy)
