"""What numbers decide, worked by hand. The pass metric is `call_relation_pass_rate`; θ = 0.8, δ = 0.1, α = 0.05,
β = 0.1.

| case | full (baseline) | budgeted |
|---|---|---|
| basic-01 | 4 of 4 | 1 of 4 |
| basic-02 | 3 of 4 | 0 of 4 |

Fisher: given 8 passes among 16 runs, P(budgeted ≤ 1 of 8) = (C(8,0)·C(8,8) + C(8,1)·C(8,7)) ÷ C(16,8) = 65/12870.
Stratified: basic-01 has 5 passes to deal to 4 + 4 runs, budgeted 1 … 4 in 4·1, 6·4, 4·6, 1·4 ways; basic-02 has 3, of
which budgeted gets 0 … 3 in 4, 24, 24, 4 ways; the sum is at most 1 in 4·4 of 56·56 ways.
Pairs by case and repeat: budgeted lost 6 and gained 0, P = 1/64.
"""

from fractions import Fraction

import msgspec
import pytest

from generator.model.numbers import Number
from generator.model.report import BatchReport
from generator.model.rows import RunRow
from tests.aggregate.build import make_row, make_source, report_of

PASS = "call_relation_pass_rate"
OUTCOMES = {
    ("full", "basic-01"): (True, True, True, True),
    ("full", "basic-02"): (True, True, True, False),
    ("budgeted", "basic-01"): (True, False, False, False),
    ("budgeted", "basic-02"): (False, False, False, False),
}


def hand_rows() -> list[RunRow]:
    rows: list[RunRow] = []
    for (variant, case), outcomes in OUTCOMES.items():
        for repeat, passed in enumerate(outcomes):
            row = make_row(len(rows) + 1, variant, case, call_relation_pass_rate=passed)
            rows.append(msgspec.structs.replace(row, repeat_index=repeat))
    return rows


def number_of(report: BatchReport, group: str, metric: str = PASS) -> Number:
    number = report.number(group, metric)
    assert number is not None
    return number


def test_a_group_is_held_against_the_threshold_by_its_interval() -> None:
    report = report_of(hand_rows())
    full, budgeted = (number_of(report, variant).verdict for variant in ("full", "budgeted"))
    assert full is not None
    assert budgeted is not None
    # Wilson of 7 of 8 is [0.529, 0.978], of 1 of 8 [0.022, 0.471].
    assert (full.kind, full.outcome, full.theta, full.method) == ("threshold", "inconclusive", 0.8, "wilson")
    assert budgeted.outcome == "fail"
    # z²θ(1 − θ)/(7/8 − θ)² = 3.8415·0.16/0.005625 = 109.3: 110 runs at this rate, 102 more.
    assert (full.more_runs, budgeted.more_runs) == (102, 0)


def test_the_exact_interval_decides_where_it_is_configured() -> None:
    source = make_source()
    thresholds = msgspec.structs.replace(source.publication.thresholds, interval="clopper_pearson")
    publication = msgspec.structs.replace(source.publication, thresholds=thresholds)
    report = report_of(hand_rows(), msgspec.structs.replace(source, publication=publication))
    number = number_of(report, "full")
    assert number.interval is not None
    assert number.verdict is not None
    # Clopper–Pearson of 7 of 8: 0.4735 and 0.9968.
    assert (number.interval.method, number.verdict.method) == ("clopper_pearson", "clopper_pearson")
    assert (number.interval.low, number.interval.high) == pytest.approx((0.4735, 0.9968), abs=5e-5)


def test_a_drop_is_tested_exactly_and_corrected_over_its_family() -> None:
    verdict = number_of(report_of(hand_rows()), "budgeted-vs-full").verdict
    assert verdict is not None
    assert (verdict.kind, verdict.outcome, verdict.family, verdict.family_size) == (
        "regression",
        "fail",
        "pass_metric",
        1,
    )
    assert verdict.p == verdict.p_adjusted == pytest.approx(65 / 12870, rel=1e-11)


def test_a_rise_of_what_should_be_low_is_a_regression() -> None:
    rows = [make_row(place, "full", hallucinated_tool_rate=False) for place in range(1, 9)]
    rows += [make_row(place, "budgeted", hallucinated_tool_rate=True) for place in range(9, 17)]
    verdict = number_of(report_of(rows), "budgeted-vs-full", "hallucinated_tool_rate").verdict
    assert verdict is not None
    # 0 of 8 good runs against 8 of 8: 1 of C(16,8) ways; Holm over the family of the other ratios.
    assert (verdict.outcome, verdict.family) == ("fail", "other_metrics")
    assert verdict.p == pytest.approx(1 / 12870, rel=1e-11)
    assert verdict.family_size is not None
    assert verdict.family_size > 1
    assert verdict.p_adjusted == pytest.approx(verdict.family_size / 12870, rel=1e-11)


def test_equal_samples_that_are_small_prove_nothing() -> None:
    variants = ["full", "budgeted"] * 5
    rows = [make_row(place, variant, call_relation_pass_rate=True) for place, variant in enumerate(variants, 1)]
    verdict = number_of(report_of(rows), "budgeted-vs-full").verdict
    assert verdict is not None
    assert (verdict.outcome, verdict.p) == ("inconclusive", 1.0)


def test_an_empty_group_has_a_verdict_without_values() -> None:
    rows = [make_row(place, call_relation_pass_rate=True) for place in range(1, 6)]
    report = report_of([*rows, make_row(6, "budgeted", state="INVALID", reason="rate_limited")])
    verdict = number_of(report, "budgeted-vs-full").verdict
    assert verdict is not None
    assert (verdict.outcome, verdict.p, verdict.power, verdict.family_size) == ("inconclusive", None, None, 0)
    alone = number_of(report, "budgeted")
    assert alone.sequential is None
    assert alone.verdict is not None
    assert (alone.verdict.outcome, alone.verdict.more_runs) == ("inconclusive", None)


def test_shared_cases_are_tested_as_pairs_as_strata_and_by_drawing_them() -> None:
    tests = {test.method: test for test in number_of(report_of(hand_rows()), "budgeted-vs-full").tests}
    assert (tests["mcnemar"].lost, tests["mcnemar"].gained) == (6, 0)
    assert tests["mcnemar"].p == pytest.approx(1 / 64, rel=1e-11)
    assert tests["stratified"].p == pytest.approx(float(Fraction(4 * 4, 56 * 56)), rel=1e-11)
    # Both cases drop by three of four, whichever are drawn: that says nothing of other cases.
    assert "cluster_bootstrap" not in tests


def test_cases_that_differ_are_drawn() -> None:
    outcomes = {("full", "basic-01"): True, ("full", "basic-02"): True}
    outcomes |= {("budgeted", "basic-01"): False, ("budgeted", "basic-02"): True}
    rows = [
        make_row(place, variant, case, call_relation_pass_rate=passed)
        for place, ((variant, case), passed) in enumerate(outcomes.items(), start=1)
    ]
    drawn = next(
        test for test in number_of(report_of(rows), "budgeted-vs-full").tests if test.method == "cluster_bootstrap"
    )
    assert drawn.interval is not None
    # Student's t for two cases is so wide that the ends are those of all draws: twice the one, twice the other.
    assert (drawn.cases, drawn.interval.low, drawn.interval.high) == (2, -1, 0)


def test_cases_of_one_side_alone_are_not_shared() -> None:
    rows = [
        make_row(1, "full", "basic-01", call_relation_pass_rate=True),
        make_row(2, "budgeted", "basic-02", call_relation_pass_rate=True),
    ]
    assert number_of(report_of(rows), "budgeted-vs-full").tests == ()


def test_the_recorded_order_is_replayed() -> None:
    # θ = 0.8 against 0.7: a failure adds ln(0.3/0.2) = 0.405, a pass ln(0.7/0.8) = −0.1335; bounds ln(0.1/0.95) =
    # −2.2513 and ln(0.9/0.05) = 2.8904. Eight failures reach 3.244, seven only 2.838.
    rows = [make_row(place, call_relation_pass_rate=False) for place in range(1, 11)]
    replay = number_of(report_of(rows), "full").sequential
    assert replay is not None
    assert (replay.outcome, replay.stopped_at, replay.recorded) == ("fail", 8, 10)
    assert (replay.lower, replay.upper) == pytest.approx((-2.2513, 2.8904), abs=5e-5)
    assert replay.ratio == pytest.approx(3.2437, abs=5e-5)


def test_what_was_executed_last_is_replayed_last() -> None:
    rows = [make_row(20 - place, run_id=f"run-{place:03}", call_relation_pass_rate=place > 2) for place in range(20)]
    replay = number_of(report_of(rows), "full").sequential
    assert replay is not None
    # In recorded order the 17 passes come first, and −0.1335·17 = −2.270 decides at the last of them.
    assert (replay.outcome, replay.stopped_at) == ("pass", 17)
