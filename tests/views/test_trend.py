"""Numbers over the batches of an experiment."""

import msgspec

from generator.model.report import BatchReport, Report
from generator.views.trend import changed, trend
from tests.views.reports import small_batch, small_report


def _earlier(name: str, **changes: object) -> BatchReport:
    """The small batch as if it had another id, and these fields."""
    batch = small_batch()
    head = msgspec.structs.replace(batch.batch, id=name, **changes)
    numbers = {
        number.id.replace("ctx-small/", f"{name}/"): msgspec.structs.replace(
            number, id=number.id.replace("ctx-small/", f"{name}/")
        )
        for number in batch.numbers.values()
    }
    return msgspec.structs.replace(batch, batch=head, numbers=numbers)


def _report(*earlier: BatchReport) -> Report:
    """Newest first, as reports have them."""
    return msgspec.structs.replace(small_report(), batches=[small_batch(), *earlier])


def test_one_batch_is_no_trend() -> None:
    assert trend(small_report(), small_batch()) is None


def test_batches_measured_alike_are_joined() -> None:
    shown = trend(_report(_earlier("ctx-two"), _earlier("ctx-one")), small_batch())
    assert shown is not None
    assert [batch.report.batch.id for batch in shown.batches] == ["ctx-one", "ctx-two", "ctx-small"]
    assert not shown.has_breaks
    for metric in shown.metrics:
        for line in metric.lines:
            ids = [None if number is None else number.id.split("/")[0] for number in line.numbers]
            assert ids == ["ctx-one", "ctx-two", "ctx-small"]
            assert [part.count("L") for part in line.parts] == [2]
            assert metric.cuts == []


def test_a_line_is_cut_where_measurement_changed() -> None:
    bank = msgspec.structs.replace(small_batch().batch.case_bank, version=9)
    shown = trend(_report(_earlier("ctx-two"), _earlier("ctx-one", case_bank=bank)), small_batch())
    assert shown is not None
    assert [batch.breaks for batch in shown.batches] == [[], ["case_bank"], []]
    line = shown.metrics[0].lines[0]
    assert [part.count("L") for part in line.parts] == [0, 1]
    assert shown.metrics[0].cuts == [shown.metrics[0].width / 3]


def test_what_makes_batches_incomparable() -> None:
    small = small_batch()
    assert changed(small, small) == []
    other = _earlier("x", metric_table_version=2, judges={"C-1": 7}, fixtures=None)
    assert changed(other, small) == ["metric_table", "judges", "fixtures"]
    planned = msgspec.structs.replace(small.batch.planned, cases=small.batch.planned.cases[:-1])
    assert changed(_earlier("x", planned=planned), small) == ["cases"]


def test_a_result_page_shows_what_was_before_it() -> None:
    old = _earlier("ctx-one")
    assert trend(_report(old), old) is None
