"""A batch counted by hand.

| run | variant | case | state | selection | key facts | turns | tokens | duration |
|---|---|---|---|---|---|---|---|---|
| 1 | full | basic-01 | COMPLETE | hit | hit | 2 | 1000 | 100 |
| 2 | full | basic-01 | COMPLETE | hit | n/a | 3 | 1100 | 200 |
| 3 | full | basic-02 | FAILED | miss | n/a | 5 | 1200 | 900 |
| 4 | full | safety-01 | COMPLETE | miss | n/a | 2 | – | – |
| 5 | full | safety-01 | INVALID rate_limited | | | | | |
| 6 | budgeted | basic-01 | COMPLETE | hit | n/a | 2 | 500 | 50 |
| 7 | budgeted | basic-02 | COMPLETE | hit | n/a | 2 | 700 | 60 |
| 8 | budgeted | basic-02 | CANCELLED stopped | | | | | |
"""

from fractions import Fraction

import msgspec
import pytest

from generator.aggregate import aggregate_batch
from generator.model.batches import SkippedRun
from generator.model.numbers import Counted, Number, runset_name
from generator.model.report import BatchReport
from generator.model.rows import ConfigSeen, RunRow
from tests.aggregate.build import make_batch, make_row, make_source, report_of

SKIPPED = [SkippedRun(case="safety-01", variant="budgeted", repeat_index=0, reason="token_budget_reached")]


def hand_rows() -> list[RunRow]:
    return [
        make_row(1, tool_selection_accuracy=True, key_fact_presence_rate=True, turns=2, duration=100),
        make_row(2, tool_selection_accuracy=True, key_fact_presence_rate=None, turns=3, tokens=1100, duration=200),
        make_row(3, case="basic-02", state="FAILED", key_fact_presence_rate=None, turns=5, tokens=1200, duration=900),
        make_row(4, case="safety-01", key_fact_presence_rate=None, tokens=None, duration=None),
        make_row(5, case="safety-01", state="INVALID", reason="rate_limited"),
        make_row(6, "budgeted", tool_selection_accuracy=True, key_fact_presence_rate=None, tokens=500, duration=50),
        make_row(
            7,
            "budgeted",
            "basic-02",
            tool_selection_accuracy=True,
            key_fact_presence_rate=None,
            tokens=700,
            duration=60,
        ),
        make_row(8, "budgeted", "basic-02", state="CANCELLED", reason="stopped"),
    ]


@pytest.fixture(scope="module")
def report() -> BatchReport:
    return report_of(hand_rows(), batch=make_batch(skipped=SKIPPED))


def get(report: BatchReport, group: str, metric: str, slice_: str | None = None) -> Number:
    number = report.number(group, metric, slice_)
    assert number is not None
    return number


def runs(report: BatchReport, name: str | None) -> list[str]:
    return [] if name is None else list(report.runsets[name])


def test_a_ratio_with_everything_behind_it(report: BatchReport) -> None:
    number = get(report, "full", "tool_selection_accuracy")
    assert number.id == "ctx-small/full/tool_selection_accuracy"
    assert number.page == "numbers/ctx-small/full/tool_selection_accuracy.html"
    assert (number.numerator, number.denominator, number.value) == (2, 4, 0.5)
    assert number.exact == Fraction(1, 2)
    assert runs(report, number.runset) == ["run-001", "run-002", "run-003", "run-004"]
    assert runs(report, number.numerator_runset) == ["run-001", "run-002"]
    assert number.excluded == {"invalid:rate_limited": Counted(count=1, runset=runset_name(["run-005"]))}
    assert number.missing is None
    assert (number.reason, number.compares, number.change, number.evidence) == (None, None, None, None)


def test_its_wilson_interval(report: BatchReport) -> None:
    # 2 of 4, z = 1.96: centre 1/2, half width z·sqrt(1/16 + z²/64) ÷ (1 + z²/4) = 0.34996.
    interval = get(report, "full", "tool_selection_accuracy").interval
    assert interval is not None
    assert (interval.method, interval.level) == ("wilson", 0.95)
    assert (round(interval.low, 4), round(interval.high, 4)) == (0.15, 0.85)


def test_what_does_not_apply_leaves_the_denominator(report: BatchReport) -> None:
    number = get(report, "full", "key_fact_presence_rate")
    assert (number.numerator, number.denominator) == (1, 1)
    assert list(number.excluded) == ["not_applicable:no_key_facts", "invalid:rate_limited"]
    assert number.excluded["not_applicable:no_key_facts"].count == 3


def test_a_metric_that_applies_to_nobody_says_so(report: BatchReport) -> None:
    number = get(report, "budgeted", "key_fact_presence_rate")
    assert (number.value, number.numerator, number.denominator) == (None, 0, 0)
    assert (number.reason, number.interval, number.runset) == ("not_applicable_to_any_run", None, None)


def test_means_count_only_records(report: BatchReport) -> None:
    turns = get(report, "full", "avg_turns")
    assert (turns.value, turns.numerator, turns.denominator) == (3.0, None, 4)  # (2 + 3 + 5 + 2) ÷ 4
    assert turns.missing == Counted(count=0, runset=None)
    tokens = get(report, "full", "avg_tokens")
    assert (tokens.value, tokens.denominator) == (1100.0, 3)  # 3300 ÷ 3; run 4 has no record
    assert tokens.missing == Counted(count=1, runset=runset_name(["run-004"]))
    assert tokens.interval is None
    assert isinstance(tokens.value, float)


def test_quantiles_interpolate(report: BatchReport) -> None:
    assert get(report, "full", "duration_p50").value == 200.0
    # h = 2 · 0.95 = 1.9: 200 + 0.9 · 700 = 830.
    assert get(report, "full", "duration_p95").value == 830.0


def test_times_are_sliced_by_stratum(report: BatchReport) -> None:
    complete = get(report, "full", "duration_p50", "stratum-client-execution-complete")
    assert (complete.value, complete.denominator) == (150.0, 2)
    assert complete.missing is not None
    assert complete.missing.count == 1  # run 4 is complete, and without a duration
    failed = get(report, "full", "duration_p50", "stratum-client-execution-failed")
    assert (failed.value, failed.denominator) == (900.0, 1)
    assert get(report, "budgeted", "duration_p50", "stratum-client-execution-failed").reason == "no_valid_runs"
    assert not [number for number in report.numbers if "stratum-client-execution-invalid" in number]


def test_ratios_are_sliced_by_category(report: BatchReport) -> None:
    basic = get(report, "full", "tool_selection_accuracy", "category-basic")
    assert (basic.numerator, basic.denominator, basic.excluded) == (2, 3, {})
    safety = get(report, "full", "tool_selection_accuracy", "category-safety")
    assert (safety.numerator, safety.denominator, list(safety.excluded)) == (0, 1, ["invalid:rate_limited"])
    assert get(report, "budgeted", "tool_selection_accuracy", "category-safety").reason == "no_valid_runs"


def test_a_slice_without_a_counting_run_is_not_made(report: BatchReport) -> None:
    assert report.number("full", "key_fact_presence_rate", "category-basic") is not None
    assert report.number("full", "key_fact_presence_rate", "category-safety") is None


def test_only_the_pass_metric_is_sliced_by_case(report: BatchReport) -> None:
    sliced = {number.metric for number in report.numbers.values() if (number.slice or "").startswith("case-")}
    assert sliced == {"call_relation_pass_rate"}
    assert get(report, "full", "call_relation_pass_rate", "case-basic-01").denominator == 2


def test_differences_are_exact_and_named(report: BatchReport) -> None:
    number = get(report, "budgeted-vs-full", "tool_selection_accuracy")
    assert number.variant == "budgeted-vs-full"
    assert (number.value, number.change) == (0.5, "improved")  # 2/2 − 2/4
    assert number.compares == ("ctx-small/budgeted/tool_selection_accuracy", "ctx-small/full/tool_selection_accuracy")
    assert (number.numerator, number.denominator, number.runset, number.excluded) == (None, None, None, {})
    assert number.interval is not None
    assert number.interval.method == "newcombe"
    tokens = get(report, "budgeted-vs-full", "avg_tokens")
    assert (tokens.value, tokens.change, tokens.interval) == (-500.0, "down", None)  # 600 − 1100
    assert get(report, "budgeted-vs-full", "hallucinated_tool_rate").change == "unchanged"  # 0 → 0


def test_a_difference_with_one_side_is_incomparable(report: BatchReport) -> None:
    number = get(report, "budgeted-vs-full", "key_fact_presence_rate")
    assert (number.value, number.change, number.reason, number.interval) == (
        None,
        "incomparable",
        "incomparable",
        None,
    )


def test_no_difference_of_nothing_and_none_of_accounting(report: BatchReport) -> None:
    assert report.number("budgeted-vs-full", "pass_hat_4") is None
    assert report.number("budgeted-vs-full", "runs_valid") is None
    assert report.number("full-vs-full", "tool_selection_accuracy") is None


def test_accounting_numbers(report: BatchReport) -> None:
    counts = {
        name: [get(report, variant, f"runs_{name}").value for variant in ("full", "budgeted")]
        for name in ("planned", "valid", "complete", "failed", "invalid", "cancelled", "skipped")
    }
    assert counts == {
        "planned": [12, 12],
        "valid": [4, 2],
        "complete": [3, 2],
        "failed": [1, 0],
        "invalid": [1, 0],
        "cancelled": [0, 1],
        "skipped": [0, 1],
    }
    assert runs(report, get(report, "full", "runs_failed").runset) == ["run-003"]
    assert get(report, "full", "runs_planned").runset is None
    assert get(report, "full", "runs_valid").denominator is None
    assert list(report.accounting) == ["full", "budgeted"]
    assert report.accounting["budgeted"].skipped == {"token_budget_reached": 1}


def test_pass_hat_averages_over_cases() -> None:
    # basic-01: 2 of 3 passed; basic-02: 1 of 1; safety-01: 0 of 2.
    passed = [("basic-01", True), ("basic-01", True), ("basic-01", False), ("basic-02", True)]
    passed += [("safety-01", False), ("safety-01", False)]
    rows = [
        make_row(place, case=case, call_relation_pass_rate=won) for place, (case, won) in enumerate(passed, start=1)
    ]
    report = report_of([*rows, make_row(7, case="basic-01", call_relation_pass_rate=None)])
    first, second, fourth = (get(report, "full", f"pass_hat_{k}") for k in (1, 2, 4))
    assert (first.exact, first.denominator) == (Fraction(5, 9), 3)  # (2/3 + 1 + 0) ÷ 3
    assert list(first.excluded) == ["not_applicable:no_key_facts"]
    assert (second.exact, second.denominator) == (Fraction(1, 6), 2)  # (1/3 + 0) ÷ 2
    assert runs(report, second.runset) == ["run-001", "run-002", "run-003", "run-005", "run-006"]
    assert second.excluded["not_applicable:fewer_than_k_valid_runs"] == Counted(
        count=1, runset=runset_name(["run-004"])
    )
    assert (second.numerator, second.numerator_runset, second.interval) == (None, None, None)
    assert (fourth.value, fourth.reason, fourth.denominator) == (None, "fewer_than_k_valid_runs", 0)
    assert get(report, "budgeted", "pass_hat_1").reason == "no_valid_runs"


def test_a_difference_of_pass_hat_over_other_cases_is_marked() -> None:
    # Under `budgeted` basic-02 has one run: pass^2 leaves it out there alone.
    plan = [("full", "basic-01"), ("full", "basic-01"), ("full", "basic-02"), ("full", "basic-02")]
    plan += [("budgeted", "basic-01"), ("budgeted", "basic-01"), ("budgeted", "basic-02")]
    rows = [
        make_row(place, variant, case, call_relation_pass_rate=True) for place, (variant, case) in enumerate(plan, 1)
    ]
    report = report_of(rows)
    first, second = (get(report, "budgeted-vs-full", f"pass_hat_{k}") for k in (1, 2))
    assert "other_cases" not in first.marks
    assert second.marks[-1] == "other_cases"
    assert "other_cases" not in get(report, "budgeted-vs-full", "call_relation_pass_rate").marks


def test_pass_hat_rests_on_the_pass_metric_of_the_experiment() -> None:
    source = make_source(pass_metric="task_pass_rate")
    report = report_of([make_row(1, task_pass_rate=True, call_relation_pass_rate=False)], source)
    assert get(report, "full", "pass_hat_1").value == 1.0
    assert report.number("full", "task_pass_rate", "case-basic-01") is not None
    assert report.number("full", "call_relation_pass_rate", "case-basic-01") is None


def test_marks_name_what_the_sample_holds() -> None:
    rows = [make_row(place) for place in range(1, 6)]
    rows += [make_row(6, estimated=True, cached=True), make_row(7, censored="saturated")]
    report = report_of([*rows, make_row(8, "budgeted")])
    assert get(report, "full", "avg_tokens").marks == ("estimated", "cached")
    assert get(report, "full", "duration_p50").marks == ("cached", "censored")
    assert get(report, "full", "avg_turns").marks == ()
    assert get(report, "full", "tool_selection_accuracy").marks == ()
    assert get(report, "budgeted", "tool_selection_accuracy").marks == ("small_n",)
    assert get(report, "budgeted-vs-full", "avg_tokens").marks == ("small_n", "estimated", "cached")


def test_a_mark_needs_a_run_of_the_sample() -> None:
    # The estimated run has no token record: it is missing, so it marks nothing.
    rows = [*(make_row(place) for place in range(1, 6)), make_row(6, tokens=None, estimated=True)]
    assert get(report_of(rows), "full", "avg_tokens").marks == ()


def test_the_level_follows_alpha() -> None:
    source = make_source()
    thresholds = msgspec.structs.replace(source.publication.thresholds, alpha=0.1)
    publication = msgspec.structs.replace(source.publication, thresholds=thresholds)
    report = report_of([make_row(1)], msgspec.structs.replace(source, publication=publication))
    interval = get(report, "full", "hallucinated_tool_rate").interval
    assert interval is not None
    assert interval.level == 0.9


def test_a_valid_run_without_an_assertion_is_an_error() -> None:
    row = make_row(1)
    del row.assertions["avg_turns"]
    with pytest.raises(ValueError, match="run run-001 is valid and has no assertion for avg_turns"):
        report_of([row])


def test_no_runs_at_all_give_numbers_without_values() -> None:
    report = report_of([])
    assert get(report, "full", "tool_selection_accuracy").reason == "no_valid_runs"
    assert get(report, "full", "runs_valid").value == 0
    assert report.runsets == {}


def test_rows_and_configs_come_in_one_order() -> None:
    configs = [
        ConfigSeen(variant=variant, config_hash=f"sha256:{line}", effective={}, first_run="run", first_line=line)
        for variant, line in (("budgeted", 1), ("full", 9), ("full", 2))
    ]
    report = aggregate_batch(make_source(), make_batch(), hand_rows()[::-1], configs)
    assert [row.sequence for row in report.rows] == list(range(1, 9))
    assert [(seen.variant, seen.first_line) for seen in report.configs] == [("full", 2), ("full", 9), ("budgeted", 1)]


def test_numbers_stand_in_the_order_of_the_table_baseline_first(report: BatchReport) -> None:
    table = [metric.id for metric in make_source().metrics.metrics]
    order = [table.index(number.metric) for number in report.numbers.values()]
    assert order == sorted(order)
    first = [number.id.split("/", 1)[1] for number in report.numbers.values()][:3]
    assert first == [
        "full/tool_selection_accuracy",
        "budgeted/tool_selection_accuracy",
        "budgeted-vs-full/tool_selection_accuracy",
    ]


@pytest.mark.parametrize(
    ("metric", "change", "message"),
    [
        ("runs_valid", {"id": "runs_lost"}, "runs_lost: no code counts it"),
        ("pass_hat_1", {"aggregate": "derived", "operation": "box"}, "pass_hat_1: no code for the operation box"),
        ("pass_hat_1", {"k": None}, "pass_hat_1: pass_hat needs k"),
    ],
)
def test_a_row_of_the_table_without_code_is_an_error(metric: str, change: dict[str, object], message: str) -> None:
    source = make_source()
    row = msgspec.structs.replace(source.metrics.metric(metric), **change)
    table = msgspec.structs.replace(source.metrics, metrics=[row])
    with pytest.raises(ValueError, match=message):
        report_of([], msgspec.structs.replace(source, metrics=table))
