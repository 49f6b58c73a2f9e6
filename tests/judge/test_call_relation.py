"""call-relation-v1 beyond the reference cases."""

from collections import Counter
from typing import Any

import pytest

from generator.judge import call_relation
from generator.judge.json_paths import values_at
from generator.model.assertions import Assertion
from tests.judge.reference import judge

Dict = dict[str, Any]


def call(name: str, turn: int = 1, **fields: Any) -> Dict:
    return {"name": name, "turn": turn, **fields}


def relation(parts: Dict, calls: list[Dict], **run: Any) -> Assertion:
    return judge({"call_relation": parts}, {"tool_calls": calls, **run})["call_relation_pass_rate"]


def test_nothing_asked_is_not_applicable() -> None:
    assert relation({}, []).reason == "no_call_relation"
    assert relation({"required_calls": []}, []).outcome == "hit"


def test_every_part_is_named() -> None:
    parts = {
        "required_calls": [{"id": "A", "tool": "get_price"}, {"id": "B", "tool": "calc", "status": "error"}],
        "required_dependencies": [{"id": "D", "from": "A", "from_path": "$.x", "to": "B", "to_path": "$.x"}],
        "acceptable_alternatives": [{"id": "ALT", "groups": [[{"id": "g", "tool": "list_users"}]]}],
        "forbidden_calls": [{"id": "F", "tool": "send_email"}],
        "confirmation_required": [{"id": "W", "tool": "update_order"}],
        "stop_when_facts_available": [{"id": "f", "values": ["88.5"]}],
    }
    assertion = relation(parts, [call("send_email"), call("update_order"), call("calc", status="error")])
    assert assertion.outcome == "miss"
    assert assertion.detail == {
        "missing_required": ["A"],
        "missing_required_count": 1,
        "interchangeable_required": [],
        "failed_dependencies": ["D"],
        "failed_alternatives": ["ALT"],
        "forbidden_hit": ["F"],
        "unconfirmed": ["W"],
        "facts_missing_in_answer": ["f"],
        "extra_calls_after_facts": None,
        "tools": {"A": "get_price", "F": "send_email", "W": "update_order"},
    }


def test_either_of_two_entries_may_be_missing() -> None:
    parts = {"required_calls": [{"id": "A", "tool": "calc"}, {"id": "B", "tool": "calc"}, {"id": "C", "tool": "x"}]}
    detail = relation(parts, [call("calc")]).detail
    assert detail["missing_required"] == ["B", "C"]
    assert detail["interchangeable_required"] == ["A"]


@pytest.mark.parametrize(
    ("given", "taken", "flows"),
    [
        (42, "42", True),
        (" a ", "a", True),
        (True, True, True),
        (True, 1, False),
        (None, None, False),
        ([1], [1], False),
        ({}, {}, False),
    ],
)
def test_only_scalars_flow(given: Any, taken: Any, flows: bool) -> None:
    parts = {
        "required_calls": [{"id": "A", "tool": "search_docs"}, {"id": "B", "tool": "calc"}],
        "required_dependencies": [{"id": "D", "from": "A", "from_path": "$.v", "to": "B", "to_path": "$.v"}],
    }
    calls = [call("search_docs", 1, result={"v": given}), call("calc", 2, args={"v": taken})]
    assert relation(parts, calls).detail["failed_dependencies"] == ([] if flows else ["D"])


def test_a_value_flows_to_a_later_turn_only() -> None:
    parts = {
        "required_calls": [{"id": "A", "tool": "search_docs"}, {"id": "B", "tool": "calc"}],
        "required_dependencies": [{"id": "D", "from": "A", "from_path": "$.v", "to": "B", "to_path": "$.v"}],
    }
    giver, taker = call("search_docs", 2, result={"v": 1}), call("calc", 2, args={"v": 1})
    assert relation(parts, [giver, taker]).detail["failed_dependencies"] == ["D"]
    assert relation(parts, [giver, taker, call("calc", 3, args={"v": 1})]).detail["failed_dependencies"] == []
    assert relation(parts, [call("calc", 1, args={"v": 1}), giver]).detail["failed_dependencies"] == ["D"]


def test_every_call_is_looked_at_once_however_many_there_are(monkeypatch: pytest.MonkeyPatch) -> None:
    """A hostile trace: each call gives and takes, and nothing flows."""
    looked = Counter[str]()

    def counted(value: Any, path: str) -> list[Any]:
        looked[path] += 1
        return values_at(value, path)

    monkeypatch.setattr(call_relation, "values_at", counted)
    parts = {
        "required_calls": [{"id": "A", "tool": "calc"}, {"id": "B", "tool": "calc"}],
        "required_dependencies": [{"id": "D", "from": "A", "from_path": "$.r", "to": "B", "to_path": "$.a"}],
    }
    calls = [call("calc", turn, result={"r": f"r{turn}"}, args={"a": f"a{turn}"}) for turn in range(1, 201)]
    assert relation(parts, calls).detail["failed_dependencies"] == ["D"]
    assert looked == {"$.r": 200, "$.a": 200}


def test_dependency_on_an_alternative_and_on_nothing() -> None:
    parts = {
        "required_calls": [{"id": "B", "tool": "calc"}],
        "acceptable_alternatives": [{"id": "ALT", "groups": [[{"id": "g1", "tool": "get_price"}]]}],
        "required_dependencies": [
            {"id": "D", "from": "g1", "from_path": "$", "to": "B", "to_path": "$.x"},
            {"id": "E", "from": "nowhere", "from_path": "$", "to": "B", "to_path": "$.x"},
        ],
    }
    calls = [call("get_price", 1, result=5), call("calc", 2, args={"x": 5})]
    assert relation(parts, calls).detail["failed_dependencies"] == ["E"]


@pytest.mark.parametrize(
    ("mode", "confirmations", "unconfirmed"),
    [
        ("autonomous", [{"tool": "update_order", "turn": 1}], ["W"]),
        ("interactive", [], ["W"]),
        ("interactive", [{"tool": "update_order", "turn": 2}], []),
        ("interactive", [{"tool": "update_order", "turn": 3}], ["W"]),
        ("interactive", [{"tool": "send_email", "turn": 1}], ["W"]),
    ],
)
def test_confirmation(mode: str, confirmations: list[Dict], unconfirmed: list[str]) -> None:
    parts = {"confirmation_required": [{"id": "W", "tool": "update_order"}]}
    calls = [call("update_order", 2, status="denied")]
    detail = relation(parts, calls, mode=mode, confirmations=confirmations).detail
    assert detail["unconfirmed"] == unconfirmed


def test_facts_in_the_context_make_every_other_call_extra() -> None:
    parts = {
        "required_calls": [{"id": "A", "tool": "get_price"}],
        "stop_when_facts_available": [{"id": "f", "values": ["88.5"]}],
    }
    context = {"items": [{"id": "c", "text": "价格 88.50"}]}
    calls = [call("get_price"), call("get_price"), call("calc")]
    assert relation(parts, calls, context=context, answer="88.5").detail["extra_calls_after_facts"] == 2


def test_facts_may_come_from_several_results() -> None:
    facts = [{"id": "f", "values": ["88.5"]}, {"id": "g", "values": ["7"]}]
    calls = [call("calc", result=7), call("calc", status="error", result=88.5), call("calc", result=88.5), call("calc")]
    assert relation({"stop_when_facts_available": facts}, calls).detail["extra_calls_after_facts"] == 1
    assert relation({"stop_when_facts_available": []}, calls).detail["extra_calls_after_facts"] is None


def test_alternative_calls_are_not_extra() -> None:
    parts = {
        "acceptable_alternatives": [{"id": "ALT", "groups": [[{"id": "g", "tool": "send_email"}]]}],
        "stop_when_facts_available": [{"id": "f", "values": ["7"]}],
    }
    calls = [call("calc", result=7), call("send_email"), call("calc")]
    assert relation(parts, calls, answer="7").detail["extra_calls_after_facts"] == 1
