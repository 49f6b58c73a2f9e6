"""Published numbers against their ledger and the notes: each change its note, each note its change."""

import datetime
from typing import Any

import msgspec
import pytest

from generator.aggregate.restated import with_restatements
from generator.errors import Finding
from generator.model.base import Text
from generator.model.ledger import EarlierFigures, Figures, LedgerEntry
from generator.model.numbers import Restated
from generator.model.profiles import Profile
from generator.model.publication import Restatement
from generator.model.report import Report
from generator.validate.restatements import check_restatements
from tests.aggregate.build import make_row, make_source, report_of
from tests.support.profiles import PROFILE_ID, factor, profile

FULL = "ctx-small/full/tool_selection_accuracy"
BUDGETED = "ctx-small/budgeted/tool_selection_accuracy"
REASON = Text(zh="判定有误", en="the judge was wrong")
LEDGER = "published/ctx-small.json"

# Both variants: three hits of four runs.
ROWS = [make_row(place, tool_selection_accuracy=place % 4 != 0) for place in range(1, 5)] + [
    make_row(place, "budgeted", tool_selection_accuracy=place % 4 != 0) for place in range(5, 9)
]
BATCH = report_of(ROWS, make_source())
NOW = Figures(value=0.75, numerator=3, denominator=4)
OLD = Figures(value=0.5, numerator=2, denominator=4)
OLDER = Figures(value=None, numerator=0, denominator=0)


def day(of_month: int) -> datetime.date:
    return datetime.date(2026, 12, of_month)


def entry(figures: Figures, *earlier: tuple[int, Figures], runset: str | None = None, version: int = 1) -> LedgerEntry:
    before = [EarlierFigures(restated=day(on), figures=held) for on, held in earlier]
    name = runset or BATCH.numbers[FULL].runset
    return LedgerEntry(since=day(1), metric_version=version, runset=name, figures=figures, earlier=before)


def note(number: str, of_month: int) -> Restatement:
    return Restatement(number=number, date=day(of_month), reason=REASON)


def report(published: dict[str, LedgerEntry], *notes: Restatement, batches: Any = (BATCH,)) -> Report:
    source = make_source()
    publication = msgspec.structs.replace(source.publication, restatements=list(notes))
    source = msgspec.structs.replace(source, published=published, publication=publication)
    return Report(source=source, batches=list(batches))


def seen(findings: list[Finding]) -> list[tuple[str, str, str, str]]:
    return [(finding.code, str(finding.place), finding.expected, finding.found) for finding in findings]


def test_nothing_recorded_is_nothing_to_keep() -> None:
    assert check_restatements(report({})) == []


def test_a_number_that_stayed_is_fine() -> None:
    assert check_restatements(report({FULL: entry(NOW)})) == []


@pytest.mark.parametrize(
    ("recorded", "found"),
    [
        (entry(OLD), "0.75 (3/4)"),
        (entry(OLD, runset="rs-0000000000000000"), "0.75 (3/4) (other runs)"),
        (entry(OLD, version=0), "0.75 (3/4) (metric table version 1 instead of 0)"),
    ],
)
def test_a_change_without_a_note_is_refused_with_both_values(recorded: LedgerEntry, found: str) -> None:
    (finding,) = check_restatements(report({FULL: recorded}))
    assert seen([finding]) == [("RC410", f"{LEDGER}  {FULL}", "0.5 (2/4), as published", found)]
    assert f"restatements: [{{number: {FULL}, date: …" in finding.remedy


def test_other_counts_of_the_same_value_are_a_change() -> None:
    doubled = entry(Figures(value=0.75, numerator=6, denominator=8))
    (finding,) = check_restatements(report({FULL: doubled}))
    assert (finding.expected, finding.found) == ("0.75 (6/8), as published", "0.75 (3/4)")


def test_a_number_that_vanished_is_refused() -> None:
    gone = "ctx-small/full/charm"
    (finding,) = check_restatements(report({gone: entry(OLD)}))
    assert seen([finding]) == [("RC410", f"{LEDGER}  {gone}", "0.5 (2/4), as published", "no such number")]


def test_a_batch_that_vanished_is_one_finding() -> None:
    (finding,) = check_restatements(report({FULL: entry(NOW), BUDGETED: entry(NOW)}, batches=()))
    expected, found = "the numbers of `ctx-small`", "none of its 2 numbers; the batch is no longer published"
    assert seen([finding]) == [("RC410", f"{LEDGER}  batch", expected, found)]
    assert check_restatements(report({FULL: entry(NOW)}, note("ctx-small/*", 5), batches=())) == []


def test_a_note_says_why_and_the_number_what_it_was() -> None:
    noted = report({FULL: entry(OLD)}, note(FULL, 5))
    assert check_restatements(noted) == []
    (batch,) = with_restatements(noted).batches
    restated = Restated(date=day(5), old=0.5, old_numerator=2, old_denominator=4, reason=REASON)
    assert batch.numbers[FULL].restated == (restated,)
    assert batch.numbers[BUDGETED].restated == ()


def test_one_note_may_hold_for_many_numbers() -> None:
    published = {FULL: entry(OLD), BUDGETED: entry(OLD)}
    noted = report(published, note("ctx-small/*/tool_selection_accuracy", 5))
    assert check_restatements(noted) == []
    (batch,) = with_restatements(noted).batches
    assert [len(batch.numbers[name].restated) for name in published] == [1, 1]


@pytest.mark.parametrize("pattern", ["ctx-small/full/tool", "*/avg_turns", "ctx-small/full/tool.selection_accuracy"])
def test_a_note_for_something_else_does_not_help(pattern: str) -> None:
    findings = check_restatements(report({FULL: entry(OLD)}, note(pattern, 5)))
    assert [finding.code for finding in findings] == ["RC410", "RC411"]


@pytest.mark.parametrize(
    ("number", "found"),
    [
        (FULL, f"`{FULL}`, which has not changed, or whose change has a newer note"),
        (BUDGETED, f"`{BUDGETED}`, which published/ does not have"),
        ("ctx-small/*", "`ctx-small/*`, which fits no number that changed"),
    ],
)
def test_a_note_without_a_change_is_refused(number: str, found: str) -> None:
    findings = check_restatements(report({FULL: entry(NOW)}, note(number, 5)))
    place = "publication.yaml  restatements[0].number"
    assert seen(findings) == [("RC411", place, "a recorded number that has changed", found)]


def test_earlier_changes_keep_their_notes() -> None:
    recorded = {FULL: entry(NOW, (3, OLDER), (5, OLD))}
    noted = report(recorded, note(FULL, 3), note(FULL, 5))
    assert check_restatements(noted) == []
    (batch,) = with_restatements(noted).batches
    assert [(restated.date, restated.old) for restated in batch.numbers[FULL].restated] == [
        (day(3), None),
        (day(5), 0.5),
    ]

    (finding,) = check_restatements(report(recorded, note(FULL, 5)))
    assert finding.expected == "the note of 2026-12-03, when no value (0/0) became 0.5 (2/4)"


def test_a_new_change_needs_a_later_note() -> None:
    recorded = {FULL: entry(OLD, (3, OLDER))}
    (finding,) = check_restatements(report(recorded, note(FULL, 3)))
    assert (finding.code, finding.expected) == ("RC410", "0.5 (2/4), as published")
    noted = report(recorded, note(FULL, 7), note(FULL, 3))
    assert check_restatements(noted) == []
    (batch,) = with_restatements(noted).batches
    assert [restated.date for restated in batch.numbers[FULL].restated] == [day(3), day(7)]


def test_a_change_of_the_box_profile_is_named() -> None:
    """Three of four runs have a hit of the pass metric in either case; the profile is another one."""
    made = msgspec.convert(profile(factor("quality", "call_relation_pass_rate", direction="higher", tau=0.8)), Profile)
    source = make_source()
    publication = msgspec.structs.replace(source.publication, box_profile=PROFILE_ID)
    rows = [make_row(place, call_relation_pass_rate=place % 4 != 0) for place in range(1, 5)]
    batch = report_of(rows, msgspec.structs.replace(source, publication=publication, profiles={PROFILE_ID: made}))
    rate = batch.numbers["ctx-small/full/box_inside_rate"]
    recorded = entry(OLD, runset=rate.runset)
    recorded = msgspec.structs.replace(recorded, profile="shop-box@1:0123456789abcdef")
    (found,) = check_restatements(report({rate.id: recorded}, batches=(batch,)))
    assert found.code == "RC410"
    assert found.found == f"0.75 (3/4) (box profile {made.stamp} instead of shop-box@1:0123456789abcdef)"
