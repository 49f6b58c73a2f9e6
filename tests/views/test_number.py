"""The runs behind a number, group by group."""

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import msgspec
import pytest

from generator.model.numbers import Counted, Number
from generator.model.rows import RunRow
from generator.views import number as module
from generator.views.number import NumberView, NumberViews, part_anchor
from tests.render.sample import sample


def views_of(number_id: str) -> list[NumberView]:
    metrics = {metric.id: metric for metric in sample().source.metrics.metrics}
    return list(NumberViews(sample().batch, metrics).pages(sample().batch.numbers[f"ctx-small/{number_id}"]))


def view_of(number_id: str) -> NumberView:
    [view] = views_of(number_id)
    return view


def test_a_proportion_by_numerator_misses_and_what_is_left_out() -> None:
    view = view_of("full/call_relation_pass_rate")
    assert [(part.part, part.count, part.counted) for part in view.parts] == [
        ("numerator", 8, True),
        ("misses", 3, True),
        ("excluded:cancelled:stopped_by_operator", 1, False),
    ]
    hits, misses = view.counted
    assert {entry.outcome for entry in hits.entries} == {"hit"}
    assert {entry.outcome for entry in misses.entries} == {"miss"}
    assert all(entry.causes[0].entries == ["A"] for entry in misses.entries)
    [left_out] = view.excluded
    assert [(entry.outcome, entry.reason) for entry in left_out.entries] == [(None, "stopped_by_operator")]


def test_not_applicable_runs_keep_their_reason() -> None:
    view = view_of("budgeted/injection_isolation_rate")
    counts = {part.part: part.count for part in view.parts}
    assert counts["excluded:not_applicable:no_untrusted_entries"] == 7
    assert counts["excluded:invalid:rate_limited"] == 1


@pytest.mark.parametrize("number_id", ["full/avg_turns", "full/duration_p95", "budgeted/runs_valid", "full/pass_hat_2"])
def test_counted_rows_are_the_run_set(number_id: str) -> None:
    view = view_of(number_id)
    shown = [entry.run_id for block in view.counted for entry in block.entries]
    assert view.number.runset is not None
    assert sorted(shown) == list(sample().batch.runsets[view.number.runset])


def test_a_quantile_marks_the_values_that_define_it() -> None:
    view = view_of("full/duration_p95")
    [sample_block] = view.counted
    values = [entry.value for entry in sample_block.entries]
    assert values == sorted(values, key=lambda value: value or 0)
    # n = 11: h = 10 × 0.95 = 9.5, so the value lies between the tenth and the eleventh.
    assert view.ranks == (10, 11)
    assert [place for place, entry in enumerate(sample_block.entries, start=1) if entry.defines] == [10, 11]


def test_pass_hat_case_by_case() -> None:
    """pass^2 of full: basic-01 4/4, basic-02 2/4, safety-01 2/3."""
    view = view_of("full/pass_hat_2")
    assert [(case.case_id, case.passed, case.valid, case.share) for case in view.cases] == [
        ("basic-01", 4, 4, Fraction(1)),
        ("basic-02", 2, 4, Fraction(1, 6)),
        ("safety-01", 2, 3, Fraction(1, 3)),
    ]
    assert view.number.exact == Fraction(1 + Fraction(1, 6) + Fraction(1, 3)) / 3
    assert [case.number is not None for case in view.cases] == [True, True, True]
    assert view_of("full/pass_hat_4").cases[2].share is None


def test_a_difference_shows_both_sides_and_no_runs() -> None:
    view = view_of("budgeted-vs-full/call_relation_pass_rate")
    assert view.compared is not None
    assert [side.variant for side in view.compared] == ["budgeted", "full"]
    assert view.parts == ()
    assert view.siblings == ()


def test_planned_cells_and_skipped_cells() -> None:
    planned = view_of("budgeted/runs_planned").cells
    assert len(planned) == 12
    assert [cell.reason for cell in planned if cell.run_id is None] == ["token_budget_reached"]
    [skipped] = view_of("budgeted/runs_skipped").cells
    assert (skipped.case_id, skipped.repeat_index, skipped.run_id) == ("safety-01", 3, None)
    assert view_of("full/runs_skipped").cells == ()


def test_what_stands_around_a_number() -> None:
    whole = view_of("budgeted/call_relation_pass_rate")
    assert [other.variant for other in whole.siblings] == ["full"]
    assert [other.id for other in whole.differences] == ["ctx-small/budgeted-vs-full/call_relation_pass_rate"]
    assert {other.slice for other in whole.slices} >= {"category-basic", "case-basic-01"}
    part = view_of("budgeted/call_relation_pass_rate--category-basic")
    assert part.whole is not None
    assert part.whole.id == "ctx-small/budgeted/call_relation_pass_rate"
    assert part.slices == ()


def test_many_runs_are_listed_on_several_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "ROWS_A_PAGE", 5)
    views = views_of("full/call_relation_pass_rate")
    assert [view.path for view in views] == [
        "numbers/ctx-small/full/call_relation_pass_rate.html",
        "numbers/ctx-small/full/call_relation_pass_rate--page-2.html",
        "numbers/ctx-small/full/call_relation_pass_rate--page-3.html",
    ]
    assert {part.part: part.page for part in views[0].parts} == {
        "numerator": 1,
        "misses": 2,
        "excluded:cancelled:stopped_by_operator": 3,
    }
    rows = [entry.run_id for view in views for entry in _entries(view)]
    assert len(rows) == len(set(rows)) == 12
    assert [block.begins for view in views for block in view.counted] == [True, False, True, False]
    assert all(len(list(_entries(view))) <= 5 for view in views)


def _entries(view: NumberView) -> Iterator[Any]:
    for block in (*view.counted, *view.excluded):
        yield from block.entries


def test_anchors_of_reasons_from_outside() -> None:
    assert part_anchor("invalid:rate_limited") == "invalid-rate_limited"
    assert " " not in part_anchor("invalid:Rate limited: 429 / <retry>")


def test_a_number_of_a_frequency_table_has_no_runs() -> None:
    number = sample().batch.numbers["ctx-small/full/call_relation_pass_rate"]
    fields = {name: getattr(number, name) for name in number.__struct_fields__}
    empty = Counted(count=0, runset=None)
    fields |= {"runset": None, "numerator_runset": None, "excluded": {"invalid:x": empty}, "evidence": "E06"}
    metrics = {metric.id: metric for metric in sample().source.metrics.metrics}
    [view] = NumberViews(sample().batch, metrics).pages(Number(**fields))
    assert [part.count for part in view.parts] == [0, 0, 0]


def test_what_there_may_be_much_of_stands_on_the_first_page(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "ROWS_A_PAGE", 5)
    first, *further = views_of("full/pass_hat_2")
    assert len(first.cases) == 3
    assert [view.cases for view in further] == [()] * len(further)
    whole, *rest = views_of("full/call_relation_pass_rate")
    assert whole.slices
    assert [view.slices for view in rest] == [(), ()]


def test_rows_are_read_once_for_all_pages_of_all_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    """However many pages and numbers of pass^k there are."""
    monkeypatch.setattr(module, "ROWS_A_PAGE", 1)
    batch = sample().batch
    read = Counter[str]()

    class Rows(list[RunRow]):
        def __iter__(self) -> Iterator[RunRow]:
            read["all rows"] += 1
            return super().__iter__()

    counted = msgspec.structs.replace(batch, rows=Rows(batch.rows))
    views = NumberViews(counted, sample().source.metrics.by_id())
    for number in batch.numbers.values():
        if number.metric.startswith("pass_hat"):
            assert len(list(views.pages(number))) >= 1
    # Once to find rows by their id, once for the cases.
    assert read["all rows"] == 2
