"""Numbers of the box, on runs whose badness can be read off."""

from math import expm1, log, log1p, sqrt
from typing import Any

import msgspec
import pytest

from generator.model.box import BoxedRun, judged_of
from generator.model.numbers import Number
from generator.model.profiles import Profile
from generator.model.report import BatchReport
from generator.model.rows import Judged, Recorded, RunRow
from generator.model.source import Source
from tests.aggregate.build import make_row, make_source, report_of
from tests.stats.golden import Entry, agree, entries, label
from tests.support.profiles import PROFILE_ID, factor, profile, reference_profile

PASS = "call_relation_pass_rate"


def boxed_source(written: dict[str, Any] | None = None) -> Source:
    source, made = make_source(), msgspec.convert(written or profile(), Profile)
    publication = msgspec.structs.replace(source.publication, box_profile=PROFILE_ID)
    return msgspec.structs.replace(source, publication=publication, profiles={PROFILE_ID: made})


def run(sequence: int, tokens: int | None, passed: bool | None, variant: str = "full", **recorded: Any) -> RunRow:
    row = make_row(sequence, variant, call_relation_pass_rate=passed)
    return msgspec.structs.replace(row, recorded=Recorded(tokens=tokens, **recorded))


def number(report: BatchReport, metric: str, variant: str = "full", slice_: str | None = None) -> Number:
    found = report.number(variant, metric, slice_)
    assert found is not None
    return found


def loss(x: float) -> float:
    """k = 2."""
    return log1p(2.718281828459045 ** (2 * (x - 1))) ** 2


def score(tokens: float, quality: float) -> float:
    """Two factors of equal weight."""
    return sqrt(loss(tokens) ** 2 + loss(quality) ** 2) / sqrt(2 * log(2) ** 4)


# x of tokens and of quality (0 where it passed, 5 where not) of four runs.
RUNS = [run(1, 500, True), run(2, 1000, True), run(3, 1500, True), run(4, 500, False)]
SCORES = [score(0.5, 0), score(1, 0), score(1.5, 0), score(0.5, 5)]


def test_the_numbers_of_a_group() -> None:
    report = report_of(RUNS, boxed_source())
    logs = [log1p(one) for one in SCORES]
    mean = sum(logs) / 4
    expected = {
        "box_rmsl": expm1(sqrt(sum(one * one for one in logs) / 4)),
        "box_mean_score": sum(SCORES) / 4,
        "box_median_score": (SCORES[1] + SCORES[2]) / 2,
        "box_spread": sqrt(sum((one - mean) ** 2 for one in logs) / 4),
    }
    for metric, value in expected.items():
        found = number(report, metric)
        assert found.value == pytest.approx(value, rel=1e-9)
        assert (found.denominator, found.numerator, found.interval) == (4, None, None)
        assert report.runsets[found.runset or ""] == ("run-001", "run-002", "run-003", "run-004")


def test_the_limit_itself_is_inside_and_a_score_below_one_is_not() -> None:
    """The third run exceeds its tokens by half: its score is above 1 as single factors go, but quality is perfect."""
    report = report_of(RUNS, boxed_source())
    found = number(report, "box_inside_rate")
    assert (found.numerator, found.denominator, found.value) == (2, 4, 0.5)
    assert report.runsets[found.numerator_runset or ""] == ("run-001", "run-002")
    assert found.interval is not None
    assert found.interval.method == "wilson"
    gentle = profile(factor("tokens", "total_tokens"), factor("cost", "cost_usd", tau=1) | {"lambda": 9})
    report = report_of([run(1, 1100, True, cost_usd=0.1)], boxed_source(gentle))
    found = number(report, "box_inside_rate")
    assert found.detail is not None
    assert (found.value, found.detail["below_one"], found.detail["below_one_outside"]) == (0, 1, 1)


def test_badness_is_exact_and_losses_are_before_weights() -> None:
    report = report_of(RUNS, boxed_source())
    tokens = number(report, "box_badness", slice_="factor-tokens")
    assert (tokens.value, tokens.detail and tokens.detail["outside"]) == (0.875, 1)  # (0.5 + 1 + 1.5 + 0.5) / 4
    assert number(report, "box_badness", slice_="factor-quality").value == 1.25  # (0 + 0 + 0 + 5) / 4
    losses = number(report, "box_loss", slice_="factor-quality")
    assert losses.value == pytest.approx((3 * loss(0) + loss(5)) / 4, rel=1e-9)
    assert report.number("full", "box_badness") is None


def test_a_run_that_lacks_a_factor_has_no_score_and_is_missing() -> None:
    rows = [run(1, 500, True), run(2, None, True), run(3, 500, None), run(4, None, None)]
    report = report_of(rows, boxed_source())
    found = number(report, "box_rmsl")
    assert (found.denominator, found.missing and found.missing.count) == (1, 3)
    assert found.detail is not None
    assert found.detail["lacking"] == {"tokens": {"runs": 2}, "quality": {"runs": 2}}
    alone = report.box["run-002"]
    assert (alone.score, alone.inside) == (None, None)
    assert alone.missing == {"tokens": "usage_not_recorded"}
    assert alone.factors["quality"].x == 0
    assert report.box["run-004"].missing == {"tokens": "usage_not_recorded", "quality": "no_key_facts"}


def test_without_a_run_that_has_a_score_there_is_no_number() -> None:
    report = report_of([run(1, None, True), run(2, None, True, "budgeted")], boxed_source())
    found = number(report, "box_rmsl")
    assert (found.value, found.reason, found.denominator) == (None, "no_run_scored", 0)
    margin = report.number("budgeted-vs-full", "box_margin")
    assert margin is not None
    assert (margin.value, margin.reason) == (None, "no_run_scored")
    empty = report_of([make_row(1, state="INVALID", reason="rate_limited")], boxed_source())
    assert number(empty, "box_rmsl").reason == "no_valid_runs"


def test_values_of_any_size_are_scored_or_said_to_be_beyond() -> None:
    steep = profile(factor("tokens", "total_tokens", tau=1, k=5), factor("cost", "cost_usd", tau=1e-9, k=1000))
    rows = [run(1, 2**53, True, cost_usd=1e12), run(2, 1, True, cost_usd=1e300), run(3, 0, True, cost_usd=0)]
    report = report_of(rows, boxed_source(steep))
    assert report.box["run-002"].missing == {"cost": "beyond_range"}
    assert report.box["run-003"].inside
    assert number(report, "box_mean_score").denominator == 2
    assert (number(report, "box_rmsl").value or 0) > 1e20


def test_what_a_run_is_marked_with_marks_the_numbers_of_a_factor_that_it_concerns() -> None:
    timed = profile(factor("time", "duration_ms"))
    row = msgspec.structs.replace(run(1, 1, True, duration_ms=5), censored="saturated", estimated_tokens=True)
    assert number(report_of([row], boxed_source(timed)), "box_rmsl").marks == ("small_n", "censored")
    assert number(report_of([row], boxed_source()), "box_rmsl").marks == ("small_n", "estimated")


def test_a_mark_of_times_is_of_no_factor_without_a_time() -> None:
    """And a duration that is where a record ends is cut off, whatever its harness says."""
    timed = profile(factor("time", "duration_ms"), factor("tokens", "total_tokens"))
    cut = msgspec.structs.replace(run(1, 900, True, duration_ms=5), censored="saturated")
    for row in (cut, run(1, 900, True, duration_ms=2**31 - 1)):
        report = report_of([row], boxed_source(timed))
        assert number(report, "box_badness", slice_="factor-time").marks == ("small_n", "censored")
        assert number(report, "box_badness", slice_="factor-tokens").marks == ("small_n",)
        assert number(report, "box_rmsl").marks == ("small_n", "censored")


def test_differences_to_the_baseline() -> None:
    rows = [*RUNS, *(run(place, 2000, True, "budgeted") for place in range(5, 9))]
    report = report_of(rows, boxed_source())
    found = report.number("budgeted-vs-full", "box_inside_rate")
    assert found is not None
    assert found.interval is not None
    assert (found.value, found.change, found.interval.method) == (-0.5, "regressed", "newcombe")
    rmsl = report.number("budgeted-vs-full", "box_rmsl")
    assert rmsl is not None
    own, base = number(report, "box_rmsl", "budgeted"), number(report, "box_rmsl")
    assert rmsl.value == pytest.approx((own.value or 0) - (base.value or 0), rel=1e-9)
    assert rmsl.interval is None  # all runs are of one case: nothing says how cases differ
    margin = report.number("budgeted-vs-full", "box_margin")
    assert margin is not None
    assert margin.detail is not None
    assert (margin.unit, margin.denominator) == ("times", 8)
    assert (margin.value is None) == (margin.reason == "order_holds")


def test_no_profile_no_numbers_and_other_kinds_have_none() -> None:
    plain = report_of(RUNS, make_source())
    assert plain.box == {}
    assert not [found for found in plain.numbers if "/box_" in found]


@pytest.mark.parametrize("entry", entries("box_trace"), ids=label)
def test_runs_of_the_reference(entry: Entry) -> None:
    written, trace = reference_profile(entry)
    columns = {one["column"]: float(trace[one["name"]]) for one in written["factors"]}
    row = run(1, None, True, cost_usd=columns["cost_usd"], duration_ms=columns["duration_ms"])
    row = msgspec.structs.replace(row, assertions=row.assertions | {PASS: Judged("value", columns[PASS])})
    boxed = report_of([row], boxed_source(written)).box["run-001"]
    assert boxed.score == pytest.approx(entry["expected"]["score"], rel=1e-9)
    assert boxed.inside is entry["expected"]["inside_box"]
    for name, expected in entry["expected"]["metrics"].items():
        part = boxed.factors[name]
        got = {"x": part.x, "loss": part.loss, "weighted_loss": part.weighted_loss, "inside": part.inside}
        assert not agree(got, expected, entry["tolerance"])


def test_what_a_page_says_that_a_run_contributed() -> None:
    report = report_of(RUNS, boxed_source())
    made = msgspec.convert(profile(), Profile)
    boxed: BoxedRun = report.box["run-004"]
    inside, badness = number(report, "box_inside_rate"), number(report, "box_badness", slice_="factor-quality")
    assert judged_of(inside, "box_inside_rate", boxed, made).outcome == "miss"
    assert judged_of(badness, "box_badness", boxed, made).value == 5
    rmsl = judged_of(number(report, "box_rmsl"), "box_rmsl", boxed, made)
    assert rmsl.value == round(SCORES[3], 4)


def test_the_difference_of_rmsl_has_an_interval_from_drawn_cases() -> None:
    """Two cases that differ, and the same runs in each variant but for one: draws of one case alone are the ends."""
    cases = ("basic-01", "basic-02", "safety-01")
    rows = [
        msgspec.structs.replace(run(place, 500 * place, True, variant), case_id=case, run_id=f"{variant}-{place}")
        for variant, shift in (("full", 0), ("budgeted", 3))
        for place, case in enumerate(cases, start=1 + shift)
    ]
    found = report_of(rows, boxed_source()).number("budgeted-vs-full", "box_rmsl")
    assert found is not None
    assert found.interval is not None
    assert found.value is not None
    assert found.interval.method == "cluster_bootstrap"
    assert found.interval.low <= found.value <= found.interval.high
    # With every draw the first case, or every draw the last: 2000 against 500, and 3000 against 1500.
    ends = [score(2, 0) - score(0.5, 0), score(3, 0) - score(1.5, 0)]
    assert found.interval.low >= min(ends) - 1e-9
    assert found.interval.high <= max(ends) + 1e-9


def test_a_run_at_every_limit_scores_one_and_is_inside() -> None:
    odd = profile(factor("tokens", "total_tokens", tau=3), factor("cost", "cost_usd", tau=0.7) | {"lambda": 0.3})
    report = report_of([run(1, 3, True, cost_usd=0.7)], boxed_source(odd))
    found = number(report, "box_inside_rate")
    assert found.detail is not None
    assert (report.box["run-001"].score, found.value, found.detail["below_one"]) == (1, 1, 0)
