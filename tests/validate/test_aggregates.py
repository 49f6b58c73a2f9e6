"""Values that came with a batch against the recomputed ones."""

from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from generator.errors import Finding
from generator.model.numbers import Number
from generator.model.report import BatchReport, Report
from generator.read.source import read_source
from generator.validate.aggregates import check_aggregates
from tests.support.small_source import write_small_source
from tests.validate.rule_cases import put

PLACE = "batches/ctx-small/batch.yaml  published_aggregates[0]"


def _number(metric: str, exact: Fraction | None, slice_: str | None) -> Number:
    tail = metric if slice_ is None else f"{metric}--{slice_}"
    return Number(
        id=f"ctx-small/full/{tail}",
        batch="ctx-small",
        experiment="context-strategy-comparison",
        variant="full",
        slice=slice_,
        metric=metric,
        metric_version=1,
        unit="ratio",
        value=None if exact is None else float(exact),
        numerator=None,
        denominator=None,
        runset=None,
        numerator_runset=None,
        excluded={},
        missing=None,
        interval=None,
        reason="no_valid_runs" if exact is None else None,
        page="",
        exact=exact,
    )


def _check(
    tmp_path: Path, value: str, exact: Fraction | None, slice_: str | None = None, **published: Any
) -> list[Finding]:
    """Findings of one published aggregate, where the recomputed number is `exact`."""
    entry = {"metric": "task_pass_rate", "variant": "full", "value": value, **published}
    root = write_small_source(tmp_path, put(lambda source: source.batch.head, "published_aggregates", [entry]))
    source, _ = read_source(root)
    assert source is not None
    number = _number("task_pass_rate", exact, slice_)
    batch = BatchReport(
        batch=source.batches[0].batch,
        experiment=source.experiments["context-strategy-comparison"],
        rows=[],
        numbers={number.id: number},
        runsets={},
        accounting={},
        configs=[],
    )
    return check_aggregates(Report(source=source, batches=[batch]))


@pytest.mark.parametrize(
    ("value", "exact"),
    [
        ("0.4375", Fraction(7, 16)),
        ("0.438", Fraction(7, 16)),
        ("0.44", Fraction(7, 16)),
        ("0", Fraction(7, 16)),
        ("0.667", Fraction(2, 3)),
        ("-2.5", Fraction(-249, 100)),
        ("1234.5", Fraction(2469, 2)),
    ],
)
def test_values_agree_at_the_precision_that_was_published(value: str, exact: Fraction, tmp_path: Path) -> None:
    assert _check(tmp_path, value, exact) == []


@pytest.mark.parametrize(
    ("value", "exact", "recomputed"),
    [
        ("0.437", Fraction(7, 16), "0.438"),
        ("0.666", Fraction(2, 3), "0.667"),
        ("1", Fraction(7, 16), "0"),
        ("-2.4", Fraction(-5, 2), "-2.5"),
        ("1233.5", Fraction(2469, 2), "1234.5"),
    ],
)
def test_another_value_is_refused_with_both(value: str, exact: Fraction, recomputed: str, tmp_path: Path) -> None:
    (finding,) = _check(tmp_path, value, exact)
    assert (finding.code, str(finding.place)) == ("RC404", f"{PLACE}.value")
    assert finding.expected == f"{recomputed} (recomputed from the runs)"
    assert finding.found == value


def test_a_value_where_none_can_be_computed(tmp_path: Path) -> None:
    (finding,) = _check(tmp_path, "0.5", None)
    assert finding.code == "RC404"
    assert finding.expected == "no value (no_valid_runs) (recomputed from the runs)"


def test_slices_are_compared_by_name(tmp_path: Path) -> None:
    assert _check(tmp_path, "0.5", Fraction(1, 2), "category-basic", slice="category-basic") == []


@pytest.mark.parametrize(
    ("changes", "part", "expected", "remedy"),
    [
        ({"slice": "category-x"}, "slice", "a slice that has numbers in the batch, of which there is none", "correct"),
        ({"variant": "budgeted"}, "variant", "one of full", "correct the variant"),
        ({"variant": "ful"}, "variant", "one of full", "did you mean `full`?"),
        ({"metric": "avg_turns"}, "metric", "one of task_pass_rate", "correct the metric"),
        ({"metric": "task_pas_rate"}, "metric", "one of task_pass_rate", "did you mean `task_pass_rate`?"),
    ],
)
def test_a_number_that_the_batch_does_not_have(
    changes: dict[str, str], part: str, expected: str, remedy: str, tmp_path: Path
) -> None:
    (finding,) = _check(tmp_path, "0.5", Fraction(1, 2), **changes)
    assert (finding.code, str(finding.place)) == ("RC403", f"{PLACE}.{part}")
    assert (finding.expected, finding.found) == (expected, f"`{changes[part]}`")
    assert finding.remedy.startswith(remedy)


def test_a_headline_of_a_harness_that_nobody_explains_is_named_with_both_counts(tmp_path: Path) -> None:
    own: dict[str, Any] = {"name": "exact/accuracy", "numerator": 9, "denominator": 12}
    (finding,) = _check(tmp_path, "0.75", Fraction(7, 16), **own)
    assert (finding.code, str(finding.place)) == ("RC520", f"{PLACE}.value")
    assert finding.expected == "0.44 (recomputed from the runs)"
    assert finding.found == "0.75, 9 of 12"


def test_an_explained_headline_may_differ(tmp_path: Path) -> None:
    assert _check(tmp_path, "0.75", Fraction(7, 16), name="accuracy", reasons=["reduced_first"]) == []


def test_a_headline_that_agrees_needs_no_reason(tmp_path: Path) -> None:
    assert _check(tmp_path, "0.666666666667", Fraction(2, 3), name="accuracy") == []
