"""What judge code says of one run for one metric."""

from typing import Literal

import msgspec

from generator.model.base import Json

RELATION_LAYERS = {
    "missing_required": "required_call",
    "failed_dependencies": "dependency",
    "failed_alternatives": "alternative",
    "forbidden_hit": "forbidden_call",
    "unconfirmed": "confirmation",
    "facts_missing_in_answer": "fact_in_answer",
}
"""Parts of call-relation-v1 by the field of its detail."""
LAYERS = (*RELATION_LAYERS.values(), "harness_verdict", "state")
"""Layers that a failure is put down to, in the order in which they are shown; guards come after them."""

Outcome = Literal["hit", "miss", "value", "not_applicable"]


class Assertion(msgspec.Struct, frozen=True, kw_only=True):
    """`hit`: the event that the metric names happened, good or bad; `miss`: it did not.

    A telemetry metric has `value` (null with a `reason` where the record is absent). `not_applicable` has a `reason`.
    `detail` says what decides it: entries and tools by name, never values of the gold answer.
    """

    outcome: Outcome
    value: int | float | None = None
    reason: str | None = None
    detail: dict[str, Json] = {}


def hit(**detail: Json) -> Assertion:
    return Assertion(outcome="hit", detail=detail)


def miss(**detail: Json) -> Assertion:
    return Assertion(outcome="miss", detail=detail)


def hit_if(happened: bool, **detail: Json) -> Assertion:
    return hit(**detail) if happened else miss(**detail)


def measured(value: int | float | None, reason: str | None = None, **detail: Json) -> Assertion:
    """A telemetry value; `reason` says why it is absent."""
    return Assertion(outcome="value", value=value, reason=reason, detail=detail)


def not_applicable(reason: str, **detail: Json) -> Assertion:
    return Assertion(outcome="not_applicable", reason=reason, detail=detail)


class Attribution(msgspec.Struct, frozen=True, kw_only=True):
    """To which layer a failure is put down, and to which entries of it (ids and tool names only).

    `layer` is one of `LAYERS`, or a metric id for the guards (`hallucinated_tool_rate` …); the entry of `state` is the
    run's own reason.
    """

    layer: str
    metric: str
    entries: list[str]


def layer_place(layer: str) -> int:
    """Where a layer stands in the order; guards share the last place."""
    return LAYERS.index(layer) if layer in LAYERS else len(LAYERS)
