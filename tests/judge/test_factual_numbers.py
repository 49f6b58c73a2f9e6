from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.judge.reference import judge

METRIC = "numeric_hallucination_rate"

JSON = st.recursive(st.none() | st.booleans() | st.integers() | st.floats() | st.text(), st.lists, max_leaves=5)


def call(**fields: Any) -> dict[str, Any]:
    return {"name": "get_price", "turn": 1, **fields}


def numbers(case: dict[str, Any], **neutral: Any) -> dict[str, Any]:
    detail: dict[str, Any] = judge(case, neutral)[METRIC].detail
    return detail


def test_spans_lead_back_to_the_answer() -> None:
    answer = "预算 ５０００ 元，报价 １２３４ 元，另付 88 元。"
    calls = [call(result={"quote": 1234})]
    assert numbers({}, answer=answer, prompt="预算 5000 元", tool_calls=calls) == {
        "total": 3,
        "unmatched": [{"text": "88", "start": 23, "end": 25}],
        "echoed": [{"text": "５０００", "start": 3, "end": 7}],
    }
    assert answer[23:25] == "88"


def test_every_occurrence_counts() -> None:
    detail = numbers({}, answer="7 与 7")
    assert detail["total"] == len(detail["unmatched"]) == 2


def test_sources_are_results_errors_snapshot_kept_context_and_allowed_values() -> None:
    detail = numbers(
        {"allowed_derived_values": ["15"]},
        answer="11 12 13 14 15 16 17",
        tool_calls=[call(args={"n": 16}, result=11), call(status="error", error="code 12", result={"n": 17})],
        snapshot={"x": [13]},
        context={"items": [{"id": "a", "text": "14"}], "dropped": [{"id": "b", "text": "16"}]},
    )
    assert [span["text"] for span in detail["unmatched"]] == ["16"]


def test_run_without_trace_or_answer() -> None:
    assert judge({}, {"answer": "共 3 件"}, trace=None)[METRIC].outcome == "hit"
    assert judge({}, {}, answer=None)[METRIC].outcome == "miss"


@settings(deadline=None, database=None, derandomize=True, max_examples=60)
@given(st.text(max_size=60), JSON)
def test_any_answer_and_result_can_be_judged(answer: str, result: Any) -> None:
    detail = numbers({}, answer=answer, tool_calls=[call(result=result)])
    assert len(detail["unmatched"]) <= detail["total"]


@settings(deadline=None, database=None, derandomize=True, max_examples=60)
@given(st.text("0123456789.,%-+ 约下降百分之十万亿点年月日成\n#第", max_size=30))
def test_an_answer_that_repeats_a_source_invents_nothing(text: str) -> None:
    """What stands in a result is held, whatever it is: both sides are read by the same rules."""
    assert judge({}, {"answer": text, "tool_calls": [call(result=text)]})[METRIC].outcome == "miss"
