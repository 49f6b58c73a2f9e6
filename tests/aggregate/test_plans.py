"""Plans from recorded runs, and what has become of a variant since earlier batches, by hand."""

from fractions import Fraction
from math import log
from typing import Any

import msgspec
import pytest

from generator.aggregate import aggregate_batch
from generator.aggregate.budget import fidelity, runs_needed, warm_start_runs
from generator.aggregate.earlier import Earlier, against_earlier
from generator.model.batches import PlannedGrid, Versioned
from generator.model.numbers import Number
from generator.model.publication import Thresholds
from generator.model.report import BatchReport
from generator.model.rows import Recorded, RunRow
from tests.aggregate.build import make_batch, make_row, make_source

METRIC = "call_relation_pass_rate"
LEVELS = Thresholds()


def runs_of(letters: str, variant: str = "full", cases: str = "1", **recorded: Any) -> list[RunRow]:
    """`+` or `-`, one a run; `cases` names the case of each, over and over."""
    names = {"1": "basic-01", "2": "basic-02", "3": "safety-01"}
    return [
        msgspec.structs.replace(
            make_row(
                place,
                variant,
                names[cases[place % len(cases)]],
                run_id=f"{variant}-{place:04}",
                call_relation_pass_rate=letter == "+",
            ),
            recorded=Recorded(**recorded),
        )
        for place, letter in enumerate(letters)
    ]


def test_runs_needed_and_what_they_cost() -> None:
    made = runs_needed(METRIC, LEVELS, runs_of("+++++++++-" * 2, tokens=1000, cost_usd=0.002))
    # 18 of 20: 215 at 0.9, 429 without knowing. Wilson's interval begins at 0.69898, above the peak at 0.55:
    # 856.39·(0.69898·0.30102 + 0.59898·0.40102) = 385.9.
    assert made.value == 215
    assert (made.detail["calibration"], made.detail["fixed"], made.detail["more"]) == (20, 429, 195)
    assert made.detail["careful"] == 386
    assert (made.detail["tokens"], made.detail["tokens_fixed"]) == (215_000, 429_000)
    assert made.detail["cost"] == 0.43


def test_enough_runs_are_there_and_nothing_is_known_of_cost() -> None:
    made = runs_needed(METRIC, LEVELS, runs_of("+" * 300))
    assert [made.value, made.detail["more"]] == [78, 0]
    assert (made.detail["tokens"], made.detail["cost"], made.detail["cost_fixed"]) == (None, None, None)


@pytest.mark.parametrize(("letters", "reason"), [("", "no_valid_runs"), ("-" * 30, "rate_below_delta")])
def test_no_plan(letters: str, reason: str) -> None:
    assert runs_needed(METRIC, LEVELS, runs_of(letters)).reason == reason


def test_a_warm_start_stops_earlier() -> None:
    # A pass adds ln(7/8) = −0.13353; the bound is ln(0.1/0.95) = −2.25129: 17 passes. 20 earlier passes count five.
    made = warm_start_runs(METRIC, LEVELS, runs_of("+" * 20), [Earlier("b0", 20, 20, None)])
    assert made.value == 12
    assert (made.detail["cold"], made.detail["decides"], made.detail["stopped_at"]) == (17, "pass", 12)
    assert made.detail["start"] == pytest.approx(5 * log(7 / 8))
    assert (made.detail["batches"], made.detail["earlier_hits"], made.detail["earlier_runs"]) == (1, 20, 20)


def test_however_many_earlier_runs_there_are_this_batch_decides() -> None:
    made = warm_start_runs(METRIC, LEVELS, runs_of("++"), [Earlier("b0", 5000, 5000, None)])
    assert (made.value, made.reason, made.detail["decides"]) == (None, "undecided", "continue")
    assert made.detail["start"] == pytest.approx(made.detail["lower"] / 2)


def test_only_comparable_batches_begin_a_sequence() -> None:
    runs = runs_of("+" * 20)
    assert warm_start_runs(METRIC, LEVELS, runs, []).reason == "no_earlier_batch"
    assert warm_start_runs(METRIC, LEVELS, runs, [Earlier("b0", 9, 9, "other_judges")]).reason == "other_judges"
    two = [Earlier("b0", 9, 9, "other_judges"), Earlier("b1", 4, 8, None), Earlier("b2", 8, 8, None)]
    assert warm_start_runs(METRIC, LEVELS, runs, two).detail["earlier_runs"] == 16
    assert warm_start_runs(METRIC, LEVELS, [], two).reason == "no_valid_runs"


def test_runs_of_another_agent_begin_no_sequence() -> None:
    runs, other = runs_of("+" * 20), Earlier("b0", 9, 9, None, is_other_agent=True)
    assert warm_start_runs(METRIC, LEVELS, runs, [other]).reason == "other_configuration"
    assert warm_start_runs(METRIC, LEVELS, runs, [Earlier("b0", 0, 0, None)]).reason == "no_earlier_run"
    assert warm_start_runs(METRIC, LEVELS, runs, [other, Earlier("b1", 4, 8, None)]).detail["earlier_runs"] == 8


def test_a_cheap_variant_that_agrees_takes_over_runs() -> None:
    dear = runs_of("++--" * 10, "full", "1122", cost_usd=0.16)
    cheap = runs_of("++--" * 10, "budgeted", "1122", cost_usd=0.01)
    # Case by case both always agree: ρ = 1; n at rate ½: 856.39·(0.25 + 0.24)/… = 420; a dear run for each
    # case, and 420 cheap ones.
    made = fidelity(METRIC, LEVELS, {"budgeted": cheap, "full": dear})
    assert (made.detail["dear"], made.detail["cost_ratio"], made.detail["unit"]) == ("full", 16, "cost_usd")
    assert (made.detail["agreement"], made.detail["correlation"], made.detail["cases"]) == (1, 1, 2)
    assert (made.detail["plain"], made.detail["dear_runs"], made.detail["cheap_runs"]) == (420, 2, 420)
    assert float(made.value or 0) == pytest.approx(1 - (2 + 420 / 16) / 420)


def test_variants_that_fail_on_opposite_cases_do_not_help() -> None:
    dear = runs_of("++--", "full", "1122", tokens=500)
    cheap = runs_of("--++", "budgeted", "1122", tokens=100)
    made = fidelity(METRIC, LEVELS, {"budgeted": cheap, "full": dear})
    assert [made.value, made.detail["correlation"], made.detail["cheap_runs"]] == [0, -1, 0]
    assert made.detail["unit"] == "tokens"


@pytest.mark.parametrize(
    ("dear", "cheap", "reason"),
    [
        (runs_of("+-", tokens=5), runs_of("", "budgeted", tokens=1), "no_valid_runs"),
        (runs_of("+-"), runs_of("+-", "budgeted", tokens=1), "usage_not_recorded"),
        (runs_of("+-", tokens=5), runs_of("+-", "budgeted", tokens=5), "costs_alike"),
        (runs_of("+-", tokens=5), runs_of("+-", "budgeted", "2", tokens=1), "no_shared_case"),
        (runs_of("++", tokens=5), runs_of("+-", "budgeted", tokens=1), "no_outcome_varies"),
    ],
)
def test_no_plan_with_a_cheaper_variant(dear: list[RunRow], cheap: list[RunRow], reason: str) -> None:
    made = fidelity(METRIC, LEVELS, {"budgeted": cheap, "full": dear})
    assert (made.value, made.reason) == (None, reason)


def test_a_drop_since_the_last_batch() -> None:
    groups = {"full": runs_of("+" * 10 + "-" * 10), "budgeted": runs_of("+" * 18 + "--", "budgeted")}
    newest: dict[str, Earlier | None] = {name: Earlier("b0", 18, 20, None) for name in groups}
    made = against_earlier("full", METRIC, LEVELS, groups, newest)
    # 18/20 against 10/20: P(X ≤ 10) with 28 of 40 good is (C(28,10)C(12,10) + … ) — SciPy gives 0.0069.
    assert float(made.value or 0) == pytest.approx(0.00694, abs=5e-5)
    assert made.detail["p_adjusted"] == pytest.approx(2 * float(made.value or 0))
    assert (made.detail["decides"], made.detail["change"], made.detail["family_size"]) == ("fail", -0.4, 2)
    same = against_earlier("budgeted", METRIC, LEVELS, groups, newest)
    # 18 of 20 both times: not significant, and too few to have shown a drop.
    assert same.detail["decides"] == "inconclusive"


def test_alone_in_its_family_nothing_is_corrected() -> None:
    groups = {"full": runs_of("+" * 10 + "-" * 10), "budgeted": runs_of("+", "budgeted")}
    newest = {"full": Earlier("b0", 18, 20, None), "budgeted": Earlier("b0", 18, 20, "other_catalog")}
    made = against_earlier("full", METRIC, LEVELS, groups, newest)
    assert (made.detail["family_size"], made.detail["p_adjusted"]) == (1, float(made.value or 0))
    assert against_earlier("budgeted", METRIC, LEVELS, groups, newest).reason == "other_catalog"
    assert against_earlier("full", METRIC, LEVELS, groups, {**newest, "full": None}).reason == "no_earlier_batch"


def report_of(name: str, letters: str, published: list[BatchReport], **head: Any) -> BatchReport:
    batch = msgspec.structs.replace(make_batch(), id=name, **head)
    rows = [msgspec.structs.replace(row, batch=name, run_id=f"{name}-{row.run_id}") for row in runs_of(letters)]
    return aggregate_batch(make_source(), batch, rows, [], published)


def number(report: BatchReport, metric: str) -> Number:
    found = report.number("full", metric)
    assert found is not None
    return found


def test_earlier_batches_are_those_of_the_experiment_newest_last() -> None:
    first = report_of("b0", "+" * 20, [])
    assert number(first, "earlier_drop").reason == number(first, "warm_start_runs").reason == "no_earlier_batch"
    second = report_of("b1", "+" * 10 + "-" * 10, [first])
    drop = number(second, "earlier_drop")
    assert drop.detail is not None
    assert (drop.detail["batch"], drop.detail["decides"]) == ("b0", "fail")
    third = report_of("b2", "+" * 10 + "-" * 10, [first, second])
    drop, warm = number(third, "earlier_drop"), number(third, "warm_start_runs")
    assert drop.detail is not None
    assert warm.detail is not None
    assert (drop.detail["batch"], drop.detail["change"], warm.detail["batches"]) == ("b1", 0, 2)
    assert number(third, "order_drift").denominator == 20


@pytest.mark.parametrize(
    ("head", "reason"),
    [
        ({"case_bank": Versioned(id="bank-small", version=2)}, "other_case_bank"),
        ({"catalog": Versioned(id="shop", version=1)}, "other_catalog"),
        ({"fixtures": Versioned(id="shop-data", version=1)}, "other_fixtures"),
        ({"judges": {"c-1": 2}}, "other_judges"),
        ({"metric_table_version": 2}, "other_metric_table_version"),
        ({"planned": PlannedGrid(cases=["basic-01"], variants=["full", "budgeted"], repeats=4)}, "other_cases"),
    ],
)
def test_what_was_judged_otherwise_is_not_compared(head: dict[str, Any], reason: str) -> None:
    first = report_of("b0", "+" * 20, [], **head)
    second = report_of("b1", "+" * 10 + "-" * 10, [first])
    for metric in ("earlier_drop", "warm_start_runs"):
        assert (number(second, metric).value, number(second, metric).reason) == (None, reason)


def test_the_newest_batch_is_not_passed_over_for_an_older_one() -> None:
    first = report_of("b0", "+" * 20, [])
    second = report_of("b1", "+" * 20, [first], judges={"c-1": 2})
    third = report_of("b2", "+" * 20, [first, second])
    assert number(third, "earlier_drop").reason == "other_judges"
    warm = number(third, "warm_start_runs")
    assert warm.detail is not None
    assert warm.detail["batches"] == 1


def test_a_new_version_of_an_agent_is_compared_and_begins_from_nothing() -> None:
    first = report_of("b0", "+" * 20, [])
    changed = [msgspec.structs.replace(row, config_hash="sha256:" + "1" * 64) for row in first.rows]
    second = report_of("b1", "+" * 10 + "-" * 10, [msgspec.structs.replace(first, rows=changed)])
    drop = number(second, "earlier_drop")
    assert drop.detail is not None
    assert (drop.detail["batch"], drop.detail["decides"]) == ("b0", "fail")
    assert number(second, "warm_start_runs").reason == "other_configuration"


def test_another_experiment_says_nothing() -> None:
    first = report_of("b0", "+" * 20, [])
    other = msgspec.structs.replace(
        first, batch=msgspec.structs.replace(first.batch, experiment="temperature-stability")
    )
    assert number(report_of("b1", "+" * 20, [other]), "earlier_drop").reason == "no_earlier_batch"


def test_prices_are_exact() -> None:
    made = runs_needed(METRIC, LEVELS, runs_of("+" * 3, cost_usd=0.1))
    # 78 runs at 0.1, not at the float beside it.
    assert made.detail["cost"] == float(Fraction(78, 10))
