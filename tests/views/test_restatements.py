"""The restatements of a report, as the page of changes shows them."""

import datetime

import msgspec

from generator.model.base import Text
from generator.model.ledger import EarlierFigures, Figures, LedgerEntry
from generator.model.publication import Restatement
from generator.model.report import Report
from generator.model.restatements import changes
from generator.views.restatements import restated_numbers
from tests.views.reports import small_report

TOOLS = "ctx-small/full/tool_selection_accuracy"
CALLS = "ctx-small/full/call_relation_pass_rate"
GONE = "ctx-small/full/charm"
FIRST = Figures(value=0.5, numerator=1, denominator=2)
SECOND = Figures(value=0.6, numerator=3, denominator=5)


def _note(number: str, day: int) -> Restatement:
    return Restatement(number=number, date=datetime.date(2026, 12, day), reason=Text(zh="因", en="why"))


def _entry(figures: Figures, *earlier: EarlierFigures) -> LedgerEntry:
    return LedgerEntry(since=None, metric_version=1, runset=None, figures=figures, earlier=list(earlier))


def _with(report: Report, published: dict[str, LedgerEntry], notes: list[Restatement]) -> Report:
    publication = msgspec.structs.replace(report.source.publication, restatements=notes)
    source = msgspec.structs.replace(report.source, published=published, publication=publication)
    return msgspec.structs.replace(report, source=source)


def test_a_note_that_was_recorded_excuses_nothing_more() -> None:
    before = EarlierFigures(restated=datetime.date(2026, 12, 1), figures=FIRST)
    published = {TOOLS: _entry(SECOND, before), CALLS: _entry(FIRST), GONE: _entry(FIRST)}

    def places(*notes: Restatement) -> dict[str, list[int | None]]:
        found: dict[str, list[int | None]] = {}
        for change in changes(_with(small_report(), published, list(notes))):
            found.setdefault(change.number, []).append(change.note)
        return found

    pattern, other = _note("ctx-small/*", 1), _note("ctx-small/full/*", 9)
    # The ledger never has a number as changed that is gone.
    assert places(pattern) == {TOOLS: [0, None], CALLS: [None], GONE: [0]}
    assert places(pattern, other) == {TOOLS: [0, 1], CALLS: [1], GONE: [1]}
    # Of one day: notes are added at the end, so the first is the one that was recorded.
    assert places(_note(TOOLS, 1), pattern) == {TOOLS: [0, None], CALLS: [1], GONE: [1]}
    assert places(pattern, _note("*", 1)) == {TOOLS: [0, None], CALLS: [1], GONE: [0]}


def test_notes_come_newest_first_with_their_numbers() -> None:
    report = small_report()
    first = EarlierFigures(restated=datetime.date(2026, 12, 1), figures=FIRST)
    published = {TOOLS: _entry(SECOND, first), GONE: _entry(FIRST)}
    notes = [_note(TOOLS, 1), _note(TOOLS, 9), _note(GONE, 5)]

    entries = restated_numbers(_with(report, published, notes))

    assert [entry.note for entry in entries] == [notes[1], notes[2], notes[0]]
    (now,), (gone,), (before,) = (entry.numbers for entry in entries)
    # 8 of 11 runs of full choose the right tools.
    assert now.new is not None
    assert (now.old, now.new.numerator, now.new.denominator, now.is_last) == (SECOND, 8, 11, True)
    assert (before.old, before.new, before.is_last) == (FIRST, SECOND, False)
    assert (gone.id, gone.number, gone.old, gone.new, gone.is_last) == (GONE, None, FIRST, None, False)
