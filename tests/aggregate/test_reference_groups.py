"""The six groups of the reference, through the whole aggregation."""

import json
from pathlib import Path
from typing import Any

import pytest

from generator.model.batches import SkippedRun
from generator.model.numbers import Number
from generator.model.report import BatchReport
from generator.model.rows import RunRow
from tests.aggregate.build import make_batch, make_row, make_source, report_of

Group = dict[str, Any]

_FILE = Path(__file__).resolve().parents[1] / "reference" / "judge_cases.json"
GROUPS: list[Group] = json.loads(_FILE.read_text(encoding="utf-8"))["aggregates"]


def rows_of(group: Group) -> list[RunRow]:
    return [
        make_row(
            sequence,
            state=run["status"],
            reason=run.get("reason"),
            turns=run.get("turns"),
            tokens=_tokens(run),
            duration=run.get("duration_ms"),
            estimated=run.get("tokens_estimated", False),
            **run.get("assertions", {}),
        )
        for sequence, run in enumerate(group["runs"], start=1)
        if run["status"] != "SKIPPED"
    ]


def _tokens(run: Group) -> int | None:
    prompt, completion = run.get("prompt_tokens"), run.get("completion_tokens")
    return None if prompt is None or completion is None else prompt + completion


def report(group: Group) -> BatchReport:
    skipped = [
        SkippedRun(case="basic-01", variant="full", repeat_index=index, reason=run["reason"])
        for index, run in enumerate(group["runs"])
        if run["status"] == "SKIPPED"
    ]
    batch = make_batch(cases=("basic-01",), repeats=len(group["runs"]), skipped=skipped)
    return report_of(rows_of(group), make_source(min_valid_per_group=group["threshold"]), batch)


def whole(found: BatchReport, metric: str) -> Number:
    number = found.number("full", metric)
    assert number is not None
    return number


@pytest.mark.parametrize("group", GROUPS, ids=lambda group: group["id"])
def test_accounting_agrees(group: Group) -> None:
    expected = group["expected"]
    account = report(group).accounting["full"]
    assert account.planned == expected["total"]
    assert account.valid == expected["valid_n"]
    excluded = {"INVALID": account.invalid, "CANCELLED": account.cancelled, "SKIPPED": account.skipped}
    assert {state: reasons for state, reasons in excluded.items() if reasons} == expected["excluded"]


@pytest.mark.parametrize("group", GROUPS, ids=lambda group: group["id"])
def test_ratios_agree(group: Group) -> None:
    found = report(group)
    for metric, expected in group["expected"]["metrics"].items():
        number = whole(found, metric)
        assert number.numerator == expected["numerator"]
        assert number.denominator == expected["denominator"]
        assert number.value == pytest.approx(expected["value"], abs=1e-11)
        not_applicable = [counted for key, counted in number.excluded.items() if key.startswith("not_applicable:")]
        assert sum(counted.count for counted in not_applicable) == expected["not_applicable"]
        assert ("small_n" in number.marks) == (0 < expected["denominator"] < group["threshold"])


@pytest.mark.parametrize("group", GROUPS, ids=lambda group: group["id"])
def test_telemetry_agrees(group: Group) -> None:
    found, expected = report(group), group["expected"].get("telemetry", {})
    for metric in ("avg_turns", "avg_tokens"):
        number = whole(found, metric)
        assert (number.denominator, number.value) == (expected[metric]["n"], expected[metric]["value"])
    assert ("estimated" in whole(found, "avg_tokens").marks) == expected["avg_tokens"]["estimated"]
    for metric, quantile in (("duration_p50", "p50"), ("duration_p95", "p95")):
        number = whole(found, metric)
        assert number.missing is not None
        assert (number.denominator, number.missing.count) == (
            expected["duration_ms"]["n"],
            expected["duration_ms"]["missing"],
        )
        assert number.value == expected["duration_ms"][quantile]


def test_no_valid_run_says_why() -> None:
    number = whole(report(GROUPS[0]), "tool_selection_accuracy")
    assert (number.value, number.reason, number.runset) == (None, "no_valid_runs", None)
