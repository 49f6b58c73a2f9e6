"""Numbers that were published stay as they are, or a note says why not."""

from collections import defaultdict
from collections.abc import Iterator, Sequence

from generator.errors import Finding, Place
from generator.model.addresses import file_name
from generator.model.box import profile_stamp
from generator.model.ledger import LEDGER_FOLDER
from generator.model.register import EVIDENCE_BATCH
from generator.model.report import Report
from generator.model.restatements import Change, changes
from generator.model.rules import finding, visible_id
from generator.model.words import did_you_mean
from generator.validate.publication import FILE


def check_restatements(report: Report) -> list[Finding]:
    """RC410, RC411: every change of a published number has its note, and every note its change."""
    found = list(changes(report))
    return [*_without_note(report, found), *_without_change(report, found)]


def _without_note(report: Report, found: Sequence[Change]) -> Iterator[Finding]:
    there = {file_name(batch.batch.id) for batch in report.batches}
    if report.source.register is not None:
        there.add(EVIDENCE_BATCH)
    gone: dict[str, list[Change]] = defaultdict(list)
    for change in found:
        batch = change.number.partition("/")[0]
        if change.note is not None:
            continue
        if change.new is None and batch not in there:
            gone[batch].append(change)
        else:
            yield _unexplained(change, batch, report)
    for batch, changed in gone.items():
        place = Place(f"{LEDGER_FOLDER}/{batch}.json", field="batch")
        seen = f"none of its {len(changed)} numbers; the batch is no longer published"
        remedy = _remedy(f"{batch}/*", "publish the batch again, or say why it is withdrawn")
        yield finding("RC410", place, f"the numbers of `{batch}`", seen, remedy)


def _unexplained(change: Change, batch: str, report: Report) -> Finding:
    place = Place(f"{LEDGER_FOLDER}/{batch}.json", field=visible_id(change.number))
    if change.day is not None:
        expected = f"the note of {change.day.isoformat()}, when {change.old} became {change.new}"
        return finding("RC410", place, expected, "none", f"restore the note in {FILE}: readers have seen it")
    seen = "no such number" if change.new is None else f"{change.new}{_behind(change, report)}"
    why = "find out what changed it (`runcite diff OLD_SITE NEW_SITE`), and undo it or say why"
    return finding("RC410", place, f"{change.old}, as published", seen, _remedy(change.number, why))


def _behind(change: Change, report: Report) -> str:
    """Which of the recorded grounds differ, where some do."""
    recorded = report.source.published[change.number]
    now = report.find_number(change.number)
    assert now is not None
    batch = next((batch for batch in report.batches if change.number in batch.numbers), None)
    profile = None if batch is None else profile_stamp(now, batch.numbers)
    grounds = []
    if now.runset != recorded.runset:
        grounds.append("other runs")
    if now.metric_version != recorded.metric_version:
        grounds.append(f"metric table version {now.metric_version} instead of {recorded.metric_version}")
    if profile != recorded.profile:
        grounds.append(f"box profile {profile or 'none'} instead of {recorded.profile or 'none'}")
    return f" ({', '.join(grounds)})" if grounds else ""


def _remedy(number: str, what: str) -> str:
    return f"{what} in {FILE}: `restatements: [{{number: {visible_id(number)}, date: …, reason: {{zh: …, en: …}}}}]`"


def _without_change(report: Report, found: Sequence[Change]) -> Iterator[Finding]:
    used = {change.note for change in found}
    recorded = report.source.published
    for position, note in enumerate(report.source.publication.restatements):
        if position in used:
            continue
        place = Place(FILE, field=f"restatements[{position}].number")
        name = visible_id(note.number)
        if "*" in note.number:
            seen = f"`{name}`, which fits no number that changed"
        elif note.number in recorded:
            seen = f"`{name}`, which has not changed, or whose change has a newer note"
        else:
            seen = f"`{name}`, which {LEDGER_FOLDER}/ does not have"
        remedy = "correct the id or the date, or remove the note; `runcite record SITE` records what is published"
        if note.number not in recorded:
            remedy = did_you_mean(note.number, recorded, remedy)
        yield finding("RC411", place, "a recorded number that has changed", seen, remedy)
