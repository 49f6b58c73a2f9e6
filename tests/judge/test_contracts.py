"""Contracts, clause by clause, worked by hand."""

from dataclasses import replace
from typing import Any

import msgspec
import pytest

from generator.judge import judge_run
from generator.model.assertions import Assertion
from generator.model.contracts import Contract
from generator.model.runs import Usage
from tests.judge import reference
from tests.judge.reference import DEFAULTS

Dict = dict[str, Any]
ORDER = {"tool_order": {"first": ["look", "peek"], "then": ["send"]}}


def contract(*clauses: Dict) -> Contract:
    text = {"zh": "条款", "en": "Clause"}
    written = [{"id": f"c{place}", "text": text, **clause} for place, clause in enumerate(clauses, 1)]
    return msgspec.convert({"id": "own", "version": 3, "title": text, "clauses": written}, Contract)


def judged(agreed: Contract | None, neutral: Dict, **changes: Any) -> Assertion:
    record = reference.run(neutral, DEFAULTS)
    assert record is not None
    setting = replace(reference.setting({}), contract=agreed)
    assertions, _ = judge_run(msgspec.structs.replace(record, **changes), setting)
    return assertions["contract_satisfaction_rate"]


def calls(*made: tuple[str, str, int]) -> Dict:
    return {"tool_calls": [{"name": name, "status": status, "turn": turn} for name, status, turn in made]}


@pytest.mark.parametrize(
    ("made", "outcome"),
    [
        ([("look", "ok", 1), ("send", "ok", 2)], "hit"),
        ([("peek", "ok", 1), ("look", "ok", 2), ("send", "ok", 2)], "hit"),
        ([], "hit"),
        ([("look", "ok", 1)], "hit"),
        ([("send", "error", 1)], "hit"),
        ([("look", "ok", 1), ("send", "ok", 1)], "miss"),
        ([("send", "ok", 1), ("look", "ok", 2)], "miss"),
        ([("look", "error", 1), ("send", "ok", 2)], "miss"),
        ([("send", "ok", 1), ("look", "ok", 2), ("send", "ok", 3)], "miss"),
    ],
)
def test_order_of_tools(made: list[tuple[str, str, int]], outcome: str) -> None:
    assert judged(contract(ORDER), calls(*made)).outcome == outcome


@pytest.mark.parametrize("status", ["ok", "error", "denied"])
def test_an_attempt_is_a_call(status: str) -> None:
    agreed = contract({"never_call": ["wipe"]})
    assert judged(agreed, calls(("wipe", status, 1))).outcome == "miss"
    assert judged(agreed, calls(("Wipe", status, 1))).outcome == "hit"


@pytest.mark.parametrize(
    ("rule", "answer", "outcome"),
    [
        ({"contain": ["ticket", "工单"]}, "已建工单", "hit"),
        ({"contain": ["ticket"]}, "A TICKET was made", "hit"),
        ({"contain": ["ticket"]}, "nothing", "miss"),
        ({"lack": ["保证收益"]}, "我们保证收益", "miss"),
        ({"lack": ["guarantee"]}, "ＧＵＡＲＡＮＴＥＥ", "miss"),
        ({"at_most_characters": 4}, "四个字符", "hit"),
        ({"at_most_characters": 3}, "四个字符", "miss"),
        ({"contain": ["a"], "lack": ["b"]}, "a b", "miss"),
    ],
)
def test_what_the_answer_must_be(rule: Dict, answer: str, outcome: str) -> None:
    assert judged(contract({"answer_must": rule}), {"answer": answer}).outcome == outcome


def test_limits_hold_at_the_limit() -> None:
    # Two calls in two turns: four steps.
    neutral = calls(("look", "ok", 1), ("send", "ok", 2))
    assert judged(contract({"at_most_steps": 4}), neutral).outcome == "hit"
    assert judged(contract({"at_most_steps": 3}), neutral).outcome == "miss"
    usage = Usage(prompt_tokens=90, completion_tokens=10, cost_usd=0.1)
    assert judged(contract({"at_most_tokens": 100}), {}, usage=usage).outcome == "hit"
    assert judged(contract({"at_most_tokens": 99}), {}, usage=usage).outcome == "miss"
    # As decimals: 0.1 is not above 0.1.
    assert judged(contract({"at_most_cost_usd": 0.1}), {}, usage=usage).outcome == "hit"
    assert judged(contract({"at_most_cost_usd": 0.09}), {}, usage=usage).outcome == "miss"


@pytest.mark.parametrize(
    ("clause", "reason"),
    [
        (ORDER, "trace_not_recorded"),
        ({"never_call": ["wipe"]}, "trace_not_recorded"),
        ({"at_most_steps": 9}, "trace_not_recorded"),
        ({"at_most_tokens": 9}, "usage_not_recorded"),
        ({"at_most_cost_usd": 9}, "cost_not_recorded"),
    ],
)
def test_what_was_not_recorded_is_no_breach(clause: Dict, reason: str) -> None:
    found = judged(contract(clause), {}, trace=None, usage=None)
    assert (found.outcome, found.reason, found.detail) == ("not_applicable", reason, {})


def test_one_breach_decides_whatever_else_is_unknown() -> None:
    agreed = contract({"at_most_tokens": 9}, {"answer_must": {"lack": ["no"]}}, {"never_call": ["wipe"]})
    found = judged(agreed, {"answer": "no", **calls(("wipe", "ok", 1))}, usage=None)
    assert found.outcome == "miss"
    assert found.detail == {"contract": "own", "version": 3, "violated": ["c2", "c3"]}


def test_without_a_contract_nothing_is_promised() -> None:
    assert judged(None, {}).reason == "no_contract"
