"""What judge code says of one run for one metric."""

from typing import Literal

import msgspec

from generator.model.base import Json

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

    `layer` is `required_call`, `dependency`, `alternative`, `forbidden_call`, `confirmation`, `fact_in_answer`, a
    metric id for the guards (`hallucinated_tool_rate` …), `harness_verdict`, or `state` with the run's own reason.
    """

    layer: str
    metric: str
    entries: list[str]
