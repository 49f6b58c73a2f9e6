"""What a run reached, read from its evidence: path, tools, abstract states, points of its arguments, model."""

import hashlib
import json
from collections.abc import Iterator
from typing import Any

from generator.model.base import Json
from generator.model.evidence import Evidence
from generator.model.rows import Behaviour

LONGEST_TEXT = 64
"""Characters of an argument that is compared with the values of an enumeration."""
_BINS = (0, 1, 2, 4, 8)


def behaviour_of(evidence: Evidence) -> Behaviour:
    """Nothing but its model for a run that is not valid or has no trace."""
    named = _model_of(evidence.config.get("effective"))
    trace = evidence.trace
    if trace is None or evidence.validity != "valid":
        return Behaviour(model=named)
    steps = [step_name(step) for step in trace]
    ended = "answer" if evidence.answer is not None else "none"
    calls = [step for step in trace if step.get("kind") == "tool"]
    return Behaviour(
        path=hashlib.sha256("\n".join([*steps, ended]).encode("utf-8", "surrogatepass")).hexdigest()[:16],
        tools=tuple(sorted({str(call.get("tool")) for call in calls})),
        states=tuple(sorted(set(_states(trace)))),
        points=tuple(sorted({point for call in calls for point in points_of(call)})),
        model=named,
    )


def _model_of(effective: Json) -> str | None:
    """Where the configuration names its model: at `model`, or as a component of the agent."""
    agent = effective.get("agent") if isinstance(effective, dict) else None
    for part in (effective, agent):
        if isinstance(part, dict) and isinstance(model := part.get("model"), str):
            return model
    return None


def step_name(step: dict[str, Any]) -> str:
    """`model`, or `tool` and the name of the tool."""
    return "model" if step.get("kind") != "tool" else f"tool {step.get('tool')}"


def points_of(call: dict[str, Any]) -> Iterator[str]:
    """`<tool>.<argument> = <JSON>` of short values, `… length n` of texts, `… items n` of lists."""
    arguments = call.get("arguments")
    if not isinstance(arguments, dict):
        return
    for name, value in arguments.items():
        argument = f"{call.get('tool')}.{name}"
        if isinstance(value, list):
            yield f"{argument} items {len(value)}"
            continue
        if isinstance(value, str):
            yield f"{argument} length {len(value)}"
        if not isinstance(value, dict) and (not isinstance(value, str) or len(value) <= LONGEST_TEXT):
            yield value_point(argument, value)


def value_point(argument: str, value: Json) -> str:
    """A whole number is written without a fraction, however it was recorded."""
    whole = int(value) if isinstance(value, float) and value.is_integer() else value
    return f"{argument} = {json.dumps(whole, ensure_ascii=False)}"


def boundaries(tool: str, parameters: dict[str, dict[str, Json]]) -> Iterator[str]:
    """The points at which the schemas of a tool's arguments have a boundary."""
    for name, schema in parameters.items():
        argument = f"{tool}.{name}"
        for key in ("minimum", "maximum", "const"):
            if key in schema:
                yield value_point(argument, schema[key])
        values = schema.get("enum")
        yield from (value_point(argument, value) for value in (values if isinstance(values, list) else ()))
        if schema.get("type") == "boolean":
            yield from (value_point(argument, value) for value in (False, True))
        for keys, word in ((("minLength", "maxLength"), "length"), (("minItems", "maxItems"), "items")):
            yield from (f"{argument} {word} {schema[key]}" for key in keys if key in schema)


def _states(trace: list[dict[str, Any]]) -> Iterator[str]:
    """After each step: what it was, whether a call has failed so far, and how many there were (0, 1, 2–3, 4–7, 8 …)."""
    calls, failed = 0, False
    for step in trace:
        if step.get("kind") == "tool":
            calls += 1
            failed = failed or step.get("status") != "ok"
        reached = max(limit for limit in _BINS if limit <= calls)
        yield f"{step_name(step)} {'failed' if failed else 'clean'} {reached}"
