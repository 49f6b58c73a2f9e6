"""What a variant's runs say of the assumptions, by hand."""

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import msgspec
import pytest

from generator.aggregate.assumptions import effective_runs, identical_answers, judge_agreement, order_drift
from generator.aggregate.made import Made
from generator.model.evidence import Evidence
from generator.model.publication import Thresholds
from generator.model.recorded import recorded_by
from generator.model.rows import Recorded, RunRow
from tests.aggregate.build import make_row
from tests.project.build import project, run_of

METRIC = "call_relation_pass_rate"
LEVELS = Thresholds()


def runs_of(outcomes: dict[str, str], start: int = 1) -> list[RunRow]:
    """Case → `+` (hit), `-` (miss), `.` (not applicable), in the order in which they were executed, round by round."""
    longest = max(map(len, outcomes.values()))
    rows, place = [], start
    for turn in range(longest):
        for case, letters in outcomes.items():
            if turn < len(letters):
                hit = {"+": True, "-": False, ".": None}[letters[turn]]
                rows.append(make_row(place, case=case, call_relation_pass_rate=hit))
                place += 1
    return rows


def timed(
    answer: str, tokens: int, duration: int | None, event: str = "execution", is_cached: bool = False
) -> Recorded:
    return Recorded(answer, tokens, duration, event, is_cached=is_cached)


def told(answers: Sequence[tuple[str, Recorded]]) -> list[RunRow]:
    return [
        msgspec.structs.replace(make_row(place, case=case), recorded=recorded)
        for place, (case, recorded) in enumerate(answers, start=1)
    ]


def outcome(made: Made) -> tuple[Any, str | None]:
    return made.detail["outcome"], made.reason


def test_a_drift_within_cases() -> None:
    # 3 late passes of 6 in each of two cases: 18 of 18 pairs; 1 of 20² orders, and its mirror.
    made = order_drift(METRIC, LEVELS, runs_of({"basic-01": "---+++", "basic-02": "---+++"})[::-1])
    assert made.value == Fraction(2, 400)
    assert outcome(made) == ("doubtful", None)
    assert (made.detail["cases"], made.detail["pairs"], made.detail["later"]) == (2, 18, 18)
    assert [made.detail[name] for name in ("first_hits", "first_runs", "second_hits", "second_runs")] == [0, 6, 6, 6]


def test_no_drift_and_a_test_that_could_not_have_found_one() -> None:
    assert outcome(order_drift(METRIC, LEVELS, runs_of({"basic-01": "-+-+-+", "basic-02": "+-+-+-"}))) == (
        "holds",
        None,
    )
    made = order_drift(METRIC, LEVELS, runs_of({"basic-01": "-+"}))
    assert [made.value, outcome(made)] == [1, ("unknown", None)]
    assert made.detail["smallest_p"] == 1


def test_no_drift_can_be_told() -> None:
    assert outcome(order_drift(METRIC, LEVELS, [])) == ("unknown", "no_valid_runs")
    assert outcome(order_drift(METRIC, LEVELS, runs_of({"basic-01": "..."}))) == ("unknown", "not_judged")
    assert outcome(order_drift(METRIC, LEVELS, runs_of({"basic-01": "+++"}))) == ("unknown", "no_case_with_both")


def test_equal_answers_alone_are_no_sign_of_reuse() -> None:
    rows = told(
        [
            ("basic-01", timed("a", 100, 1500)),
            ("basic-01", timed("a", 110, 1400)),
            ("basic-01", timed("b", 100, 1500)),
            ("basic-02", timed("a", 100, 1500)),
            ("basic-02", Recorded(None, 100, 1500)),
        ]
    )
    made = identical_answers(rows)
    # Three pairs of basic-01; the answer of basic-02 that is not recorded pairs with nothing.
    assert made.value == Fraction(1, 3)
    assert outcome(made) == ("holds", None)
    assert len(made.counted) == 4
    assert {made.detail[name] for name in ("declared", "without_tokens", "fast", "copies")} == {0}


@pytest.mark.parametrize(
    ("second", "sign"),
    [
        (timed("a", 90, 1400, is_cached=True), "declared"),
        (timed("a", 0, 1400), "without_tokens"),
        (timed("a", 90, 150), "fast"),
        (timed("a", 100, 1500), "copies"),
    ],
)
def test_signs_of_reuse(second: Recorded, sign: str) -> None:
    made = identical_answers(told([("basic-01", timed("a", 100, 1500)), ("basic-01", second)]))
    assert outcome(made) == ("doubtful", None)
    signs = {name: made.detail[name] for name in ("declared", "without_tokens", "fast", "copies")}
    assert signs == dict.fromkeys(signs, 0) | {sign: 1}


@pytest.mark.parametrize(
    "second",
    [
        timed("a", 90, 151),
        timed("b", 90, 10),
        timed("a", 90, 10, event="queue"),
        timed("b", 100, 1500),
        timed("a", 100, 1501),
        timed("a", 90, None),
    ],
)
def test_what_is_no_sign(second: Recorded) -> None:
    made = identical_answers(told([("basic-01", timed("a", 100, 1500)), ("basic-01", second)]))
    assert outcome(made) == ("holds", None)


def test_waiting_for_an_approval_is_no_time_of_an_answer() -> None:
    waited = [timed("a", 100, 500_000, "approval_wait"), timed("a", 90, 20_000, "approval_wait")]
    assert outcome(identical_answers(told([("basic-01", one) for one in waited]))) == ("holds", None)


def test_runs_that_failed_alike_are_no_sign_of_reuse() -> None:
    rows = told([("basic-01", timed("gave up", 5, 900)), ("basic-01", timed("gave up", 0, 0))])
    failed = [msgspec.structs.replace(row, state="FAILED") for row in rows]
    assert outcome(identical_answers(failed)) == ("unknown", "no_record")
    assert outcome(identical_answers([*rows[:1], *failed[1:]])) == ("unknown", "no_case_repeated")


def test_answers_without_telemetry_or_without_a_repeat() -> None:
    assert outcome(identical_answers(told([("basic-01", Recorded("a"))] * 2))) == ("unknown", None)
    assert outcome(identical_answers(told([("basic-01", Recorded("a"))]))) == ("unknown", "no_case_repeated")
    assert outcome(identical_answers(told([("basic-01", Recorded())]))) == ("unknown", "no_record")
    assert outcome(identical_answers([])) == ("unknown", "no_valid_runs")


def test_effective_runs() -> None:
    # Rates 1 and ¼ of four: between 2·4·(3/8)²/1 = 9/8, within (0 + 3/4)/6 = 1/8; (1)/(9/8 + 3/8) = 2/3;
    # design effect 3, 8/3 runs.
    made = effective_runs(METRIC, LEVELS, runs_of({"basic-01": "++++", "basic-02": "-+--"}))
    assert made.value == Fraction("2.66666666667")
    assert outcome(made) == ("doubtful", None)
    assert made.detail["correlation"] == pytest.approx(2 / 3)
    assert made.detail["design_effect"] == 3
    # Wilson of 0.625 in 8/3 runs: z²/n = 1.44055, (0.625 + 0.72028 ± 1.95996·√(0.08789 + 0.13505))/2.44055.
    assert (made.detail["low"], made.detail["high"]) == pytest.approx((0.17203, 0.93041), abs=1e-5)
    assert made.detail["verdict"] == "inconclusive"


def test_even_cases_are_as_good_as_independent() -> None:
    made = effective_runs(METRIC, LEVELS, runs_of({"basic-01": "+-+-", "basic-02": "-+-+"}))
    assert [made.value, made.detail["design_effect"], outcome(made)] == [8, 1, ("holds", None)]


@pytest.mark.parametrize(
    ("outcomes", "reason"),
    [
        ({"basic-01": "."}, "not_judged"),
        ({"basic-01": "+-"}, "single_case"),
        ({"basic-01": "+", "basic-02": "-"}, "no_case_repeated"),
        ({"basic-01": "++", "basic-02": "+"}, "no_outcome_varies"),
    ],
)
def test_no_correlation_can_be_told(outcomes: dict[str, str], reason: str) -> None:
    assert outcome(effective_runs(METRIC, LEVELS, runs_of(outcomes))) == ("unknown", reason)


def test_a_judge_that_was_asked_again() -> None:
    rows = told(
        [
            ("basic-01", Recorded(verdicts=(True, True, False))),
            ("basic-01", Recorded(verdicts=(False, False))),
            ("basic-02", Recorded(verdicts=(True,))),
        ]
    )
    made = judge_agreement(rows)
    assert (made.value, outcome(made)) == (Fraction(2, 4), ("doubtful", None))
    assert len(made.counted) == 2
    assert outcome(judge_agreement(rows[1:])) == ("holds", None)
    assert outcome(judge_agreement(rows[2:])) == ("unknown", "judged_once")
    assert outcome(judge_agreement([])) == ("unknown", "no_valid_runs")


def evidence(**run: Any) -> Evidence:
    return project(run_of(**run))


def test_what_is_recorded_is_read_from_the_evidence() -> None:
    long, cut = "长" * 100, "长" * 5000
    one, other = (recorded_by(evidence(answer=answer)).answer for answer in (long, long + "。"))
    assert one is not None
    assert one != other
    # A text that is cut still has the hash of the whole; one that is short is whole.
    assert recorded_by(evidence(answer=cut)).answer != recorded_by(evidence(answer=cut + "。")).answer
    assert recorded_by(evidence(answer="短")).answer == recorded_by(evidence(answer="短")).answer
    assert recorded_by(evidence(answer=None)) == Recorded()
    usage = {"prompt_tokens": 90, "completion_tokens": 10, "cost_usd": 0.01, "cached": True}
    timing = {"duration_ms": 12.5, "event": "queue"}
    found = recorded_by(evidence(answer=None, usage=usage, timing=timing))
    assert found == Recorded(None, 100, 12.5, "queue", 0.01, is_cached=True)
