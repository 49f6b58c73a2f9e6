"""Contracts, kept or broken once more, as far as public evidence shows what a clause looks at."""

import unicodedata
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

_METRIC = "contract_satisfaction_rate"


def contract_problems(
    evidence: dict[str, Any], contract: dict[str, Any] | None, trace_is_shown: bool
) -> Iterator[tuple[str, object, object]]:
    """What was looked at, what is published, what follows from the trace, the answer and the usage that are shown."""
    assertion = evidence["assertions"].get(_METRIC)
    if assertion is None:
        return
    if contract is None:
        if (assertion["outcome"], assertion["reason"]) != ("not_applicable", "no_contract"):
            yield "outcome", assertion["outcome"], "not_applicable: the experiment has no contract"
        return
    detail = assertion["detail"]
    violated: list[str] = detail.get("violated", [])
    if assertion["outcome"] != "not_applicable":
        named = (contract["id"], contract["version"])
        if (detail["contract"], detail["version"]) != named:
            yield "contract", (detail["contract"], detail["version"]), named
        if (assertion["outcome"] == "miss") != bool(violated):
            yield "outcome", assertion["outcome"], "miss" if violated else "hit"
    known = [clause["id"] for clause in contract["clauses"]]
    if violated != [clause for clause in known if clause in violated]:
        yield "violated", violated, "clauses of the contract, in its order"
    for clause in contract["clauses"]:
        kept = _is_kept(clause, evidence, trace_is_shown)
        if kept is not None and kept is (clause["id"] in violated):
            yield f"clause {clause['id']}", "broken" if kept else "kept", "kept" if kept else "broken"


def _is_kept(clause: dict[str, Any], evidence: dict[str, Any], trace_is_shown: bool) -> bool | None:
    """None where the evidence does not show what the clause looks at."""
    usage = evidence["telemetry"].get("usage") or {}
    if clause["at_most_tokens"] is not None:
        prompt, completion = usage.get("prompt_tokens"), usage.get("completion_tokens")
        return None if prompt is None or completion is None else bool(prompt + completion <= clause["at_most_tokens"])
    if clause["at_most_cost_usd"] is not None:
        cost = usage.get("cost_usd")
        return None if cost is None else Fraction(cost) <= Fraction(clause["at_most_cost_usd"])
    if clause["answer_must"] is not None:
        return _is_answered(clause["answer_must"], evidence)
    trace = evidence["trace"]
    if trace is None or not trace_is_shown:
        return None
    if clause["at_most_steps"] is not None:
        return bool(len(trace) <= clause["at_most_steps"])
    if evidence["source"]["redactions"]:
        return None
    calls = _placed_calls(trace)
    if clause["never_call"] is not None:
        return not {tool for _, tool, _ in calls} & set(clause["never_call"])
    order = clause["tool_order"]
    first = [turn for turn, tool, status in calls if tool in order["first"] and status == "ok"]
    late = [turn for turn, tool, status in calls if tool in order["then"] and status == "ok"]
    return not late or (bool(first) and min(first) < min(late))


def _placed_calls(trace: list[dict[str, Any]]) -> list[tuple[int, str, str]]:
    """Turn, tool and status of every call."""
    turn, calls = 0, []
    for step in trace:
        if step["kind"] == "tool":
            calls.append((turn, step["tool"], step["status"]))
        else:
            turn += 1
    return calls


def _is_answered(rule: dict[str, Any], evidence: dict[str, Any]) -> bool | None:
    answer = evidence["answer"]
    if answer is None or answer["truncated"] or answer["text"] is None or evidence["source"]["redactions"]:
        return None
    said = _plainly(answer["text"])
    return (
        (not rule["contain"] or any(_plainly(text) in said for text in rule["contain"]))
        and not any(_plainly(text) in said for text in rule["lack"])
        and (rule["at_most_characters"] is None or answer["length"] <= rule["at_most_characters"])
    )


def _plainly(text: str) -> str:
    return unicodedata.normalize("NFKC", text).casefold()
