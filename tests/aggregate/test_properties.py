"""What holds for every batch."""

from typing import Any

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st

from generator.model.numbers import Number, publish_number, runset_name
from generator.model.report import BatchReport
from generator.model.rows import RunRow
from generator.model.runs import State
from generator.model.source import Source
from tests.aggregate.build import CASES, make_row, make_source, report_of

RATIOS = ["key_fact_presence_rate", "injection_isolation_rate", "call_relation_pass_rate"]
OTHERS = ["avg_turns", "avg_tokens", "duration_p95", "pass_hat_2", "runs_valid", "runs_failed", "runs_invalid"]


def few_metrics() -> Source:
    """One metric of every kind: more would only take longer."""
    source = make_source()
    chosen = [metric for metric in source.metrics.metrics if metric.id in (*RATIOS, *OTHERS)]
    return msgspec.structs.replace(source, metrics=msgspec.structs.replace(source.metrics, metrics=chosen))


SOURCE = few_metrics()
ENDS: list[tuple[State, str | None]] = [
    ("COMPLETE", None),
    ("FAILED", "step_limit"),
    ("INVALID", "rate_limited"),
    ("INVALID", None),
    ("CANCELLED", "stopped"),
]
IDS = st.sampled_from(["run", "运行", "a/b", "\ud800", "Z", "\U0001f600"])


@st.composite
def rows(draw: st.DrawFn) -> list[RunRow]:
    made = []
    for sequence in range(1, draw(st.integers(0, 12)) + 1):
        state, reason = draw(st.sampled_from(ENDS))
        assertions: dict[str, Any] = {metric: draw(st.none() | st.booleans()) for metric in RATIOS}
        made.append(
            make_row(
                sequence,
                variant=draw(st.sampled_from(["full", "budgeted"])),
                case=draw(st.sampled_from(CASES)),
                state=state,
                reason=reason,
                turns=draw(st.none() | st.integers(0, 9)),
                tokens=draw(st.none() | st.integers(0, 9999)),
                duration=draw(st.none() | st.floats(0, 1e6)),
                run_id=f"{draw(IDS)}-{sequence}",
                **assertions,
            )
        )
    return made


def group_of(report: BatchReport, number: Number) -> set[str]:
    """The runs of a number's group, from the rows."""
    keep = number.slice or ""
    return {
        row.run_id
        for row in report.rows
        if row.variant == number.variant
        and keep in ("", f"category-{row.category}", f"case-{row.case_id}", f"stratum-{row.time_stratum}")
    }


@settings(deadline=None, derandomize=True, max_examples=25)
@given(rows())
def test_sample_missing_and_excluded_partition_the_group(made: list[RunRow]) -> None:
    report = report_of(made, SOURCE)
    for number in report.numbers.values():
        if number.compares is not None or number.metric.startswith("runs_"):
            continue
        parts = [number.runset, *(counted.runset for counted in number.excluded.values())]
        parts += [] if number.missing is None else [number.missing.runset]
        ids = [run for name in parts if name is not None for run in report.runsets[name]]
        assert len(ids) == len(set(ids))
        assert set(ids) == group_of(report, number)


@settings(deadline=None, derandomize=True, max_examples=25)
@given(rows())
def test_counts_are_those_of_their_sets(made: list[RunRow]) -> None:
    report = report_of(made, SOURCE)
    for number in report.numbers.values():
        for counted in (*number.excluded.values(), *([] if number.missing is None else [number.missing])):
            assert counted.count == len(report.runsets.get(counted.runset or "", ()))
        sample = set(report.runsets.get(number.runset or "", ()))
        hits = set(report.runsets.get(number.numerator_runset or "", ()))
        assert hits <= sample
        if number.numerator is not None:
            assert (number.numerator, number.denominator) == (len(hits), len(sample))
        if number.interval is not None and number.value is not None:
            assert number.interval.low <= number.value <= number.interval.high
        assert (number.value is None) == (number.reason is not None)
        assert (number.value is None) == (number.exact is None)


@settings(deadline=None, derandomize=True, max_examples=25)
@given(rows())
def test_run_sets_are_sorted_and_named_by_content(made: list[RunRow]) -> None:
    for name, ids in report_of(made, SOURCE).runsets.items():
        assert ids
        assert list(ids) == sorted(ids)
        assert name == runset_name(ids)


@settings(deadline=None, derandomize=True, max_examples=25)
@given(rows().flatmap(lambda made: st.tuples(st.just(made), st.permutations(made))))
def test_the_order_of_rows_is_irrelevant(orders: tuple[list[RunRow], list[RunRow]]) -> None:
    made, shuffled = orders
    first, second = report_of(made, SOURCE), report_of(shuffled, SOURCE)
    assert msgspec.structs.asdict(first) == msgspec.structs.asdict(second)
    assert list(first.numbers) == list(second.numbers)
    assert [publish_number(number) for number in first.numbers.values()] == [
        publish_number(number) for number in second.numbers.values()
    ]


@settings(deadline=None, derandomize=True, max_examples=25)
@given(rows())
def test_planned_and_started_runs_are_accounted_for(made: list[RunRow]) -> None:
    report = report_of(made, SOURCE)
    for variant, account in report.accounting.items():
        started = account.complete + account.failed + sum(account.invalid.values()) + sum(account.cancelled.values())
        assert started == sum(row.variant == variant for row in made)
        assert account.valid == account.complete + account.failed
