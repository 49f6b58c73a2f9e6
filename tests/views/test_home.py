from typing import cast

import msgspec

from generator.model.numbers import Interval, Number
from generator.views.frame import IntervalBar, Links, example_number, interval_bar
from generator.views.home import HomeBatch, first_run, home_view
from tests.views.reports import empty_report, small_batch, small_report


def _first_batch() -> HomeBatch:
    return cast(list[HomeBatch], home_view(small_report(), "t").context["batches"])[0]


def test_the_main_numbers_of_each_variant_stand_beside_its_sample() -> None:
    entry = _first_batch()
    assert [metric.id for metric in entry.metrics] == ["call_relation_pass_rate", "tool_selection_accuracy"]
    assert [row.variant.id for row in entry.rows] == ["full", "budgeted"]
    counts = [(cell.number.numerator, cell.number.denominator) for row in entry.rows for cell in row.cells if cell]
    assert counts == [(8, 11), (8, 11), (8, 10), (8, 10)]
    assert [(row.valid and row.valid.value, row.planned and row.planned.value) for row in entry.rows] == [
        (11, 12),
        (10, 12),
    ]


def test_an_experiment_without_main_metrics_shows_its_pass_metric() -> None:
    report = small_report()
    batch = report.batches[0]
    plain = msgspec.structs.replace(batch.experiment, main_metrics=[])
    report = msgspec.structs.replace(report, batches=[msgspec.structs.replace(batch, experiment=plain)])
    entry = cast(list[HomeBatch], home_view(report, "t").context["batches"])[0]
    assert [metric.id for metric in entry.metrics] == ["call_relation_pass_rate"]


def test_the_example_is_the_first_main_proportion_with_a_value() -> None:
    report = small_report()
    example = example_number(report)
    assert example is not None
    assert example.id == "ctx-small/full/call_relation_pass_rate"
    valid = [row.run_id for row in small_batch().rows if row.variant == "full" and row.validity == "valid"]
    assert first_run(report, example) == min(valid)


def test_without_batches_there_is_no_example_and_every_count_is_true() -> None:
    view = home_view(empty_report(), "t")
    assert view.context["example"] is None
    assert view.context["example_run"] is None
    assert (view.context["batch_count"], view.context["run_count"]) == (0, 0)
    assert view.context["experiment_count"] == 2
    assert not view.banner


def _proportion(**changes: object) -> Number:
    number = small_batch().number("full", "call_relation_pass_rate")
    assert number is not None
    return msgspec.structs.replace(number, **changes)


def test_a_bar_is_the_interval_in_hundredths_of_the_axis() -> None:
    interval = Interval(method="wilson", level=0.95, low=0.25, high=0.875)
    assert interval_bar(_proportion(value=0.5, interval=interval)) == IntervalBar(25.0, 87.5, 50.0)


def test_no_bar_without_value_or_interval_or_for_other_units() -> None:
    assert interval_bar(_proportion(value=None)) is None
    assert interval_bar(_proportion(interval=None)) is None
    assert interval_bar(_proportion(unit="ms")) is None


def test_links_leave_the_english_folder_for_what_stands_once() -> None:
    zh, en = Links("experiments/e/b.html", "zh"), Links("experiments/e/b.html", "en")
    assert zh.out("numbers/b/v/m.html") == "../../numbers/b/v/m.html"
    assert en.out("numbers/b/v/m.html") == "../../../numbers/b/v/m.html#en"
    assert en.out("api/v1/index.json") == "../../../api/v1/index.json"
    assert zh.to("metrics.html") == en.to("metrics.html") == "../../metrics.html"
    assert Links("index.html", "en").out("runs/b/r.html") == "../runs/b/r.html#en"
