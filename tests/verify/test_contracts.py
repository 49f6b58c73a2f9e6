"""A contract that the evidence shows as kept or broken."""

from fractions import Fraction
from typing import Any

import pytest

from generator.verify.contracts import contract_problems

_FORMS = ("tool_order", "never_call", "answer_must", "at_most_steps", "at_most_tokens", "at_most_cost_usd")
_TRACE = [
    {"kind": "model"},
    {"kind": "tool", "tool": "look", "status": "ok"},
    {"kind": "model"},
    {"kind": "tool", "tool": "send", "status": "ok"},
]


def problems(clause: dict[str, Any], violated: list[str], **changes: Any) -> list[tuple[str, object, object]]:
    contract = {"id": "own", "version": 1, "clauses": [{"id": "c1", **dict.fromkeys(_FORMS), **clause}]}
    outcome = "miss" if violated else "hit"
    detail = {"contract": "own", "version": 1, "violated": violated}
    evidence = {
        "assertions": {"contract_satisfaction_rate": {"outcome": outcome, "reason": None, "detail": detail}},
        "trace": _TRACE,
        "answer": {"text": "an answer", "truncated": False, "length": 9},
        "telemetry": {"usage": {"prompt_tokens": 7, "completion_tokens": 3, "cost_usd": Fraction(1, 10)}},
        "source": {"redactions": {}},
        **changes,
    }
    return list(contract_problems(evidence, contract, trace_is_shown=True))


@pytest.mark.parametrize(
    ("kept", "broken"),
    [
        (
            {"tool_order": {"first": ["look"], "then": ["send"]}},
            {"tool_order": {"first": ["send"], "then": ["look"]}},
        ),
        ({"never_call": ["wipe"]}, {"never_call": ["send"]}),
        ({"at_most_steps": 4}, {"at_most_steps": 3}),
        ({"at_most_tokens": 10}, {"at_most_tokens": 9}),
        ({"at_most_cost_usd": Fraction(1, 10)}, {"at_most_cost_usd": Fraction(9, 100)}),
        (
            {"answer_must": {"contain": ["ANSWER"], "lack": ["no "], "at_most_characters": 9}},
            {"answer_must": {"contain": [], "lack": ["answer"], "at_most_characters": None}},
        ),
        (
            {"answer_must": {"contain": [], "lack": [], "at_most_characters": 9}},
            {"answer_must": {"contain": [], "lack": [], "at_most_characters": 8}},
        ),
    ],
)
def test_a_clause_is_held_against_the_evidence(kept: dict[str, Any], broken: dict[str, Any]) -> None:
    assert problems(kept, []) == []
    assert problems(broken, ["c1"]) == []
    assert problems(kept, ["c1"]) == [("clause c1", "broken", "kept")]
    assert problems(broken, []) == [("clause c1", "kept", "broken")]


def test_what_is_not_shown_is_not_held_against_anything() -> None:
    cut = {"text": "an", "truncated": True, "length": 900}
    rule = {"contain": ["answer"], "lack": [], "at_most_characters": None}
    assert problems({"answer_must": rule}, [], answer=cut) == []
    assert problems({"never_call": ["send"]}, [], source={"redactions": {"email": 1}}) == []
    assert problems({"at_most_tokens": 1}, [], telemetry={}) == []


def test_a_clause_that_the_contract_does_not_have() -> None:
    assert problems({"at_most_steps": 4}, ["c9"])[0][0] == "violated"
