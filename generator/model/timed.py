"""What the evidence of a run shows of time and of single calls: the source of strata and of accounting boundaries."""

from typing import Any

import msgspec

from generator.model.evidence import Evidence

UNRESOLVED = "unresolved"
"""Stands in the name of a stratum for what was not recorded. It is never filled by a default."""


class CallTime(msgspec.Struct, frozen=True, array_like=True):
    """A tool call: whose clock, what its time is the time of, how it ended (`ok`, `error`, `denied`), ms."""

    authority: str | None
    event: str | None
    state: str
    duration_ms: int | float | None


class Timed(msgspec.Struct, frozen=True):
    """None is what is not recorded, or not shown. `is_recorded`: there is a record of time at all. `calls` are the tool
    calls in order; `usage` the tokens (prompt and completion) of each model call in order and `call_ms` what each took,
    None without a trace; `compacting` which of them (from 0) triggered a compaction. `is_clocked`: start and end of the
    run are recorded; `estimated`: its tokens are the harness's own count.
    """

    is_recorded: bool = False
    authority: str | None = None
    event: str | None = None
    censored: str | None = None
    duration_ms: int | float | None = None
    calls: tuple[CallTime, ...] = ()
    usage: tuple[int | None, ...] | None = None
    call_ms: tuple[int | float | None, ...] | None = None
    compacting: tuple[int, ...] = ()
    is_clocked: bool = False
    estimated: bool | None = None


def stratum_key(authority: str | None, event: str | None, state: str) -> str:
    """`<authority>-<event>-<state>`, lower case."""
    return f"{authority or UNRESOLVED}-{event or UNRESOLVED}-{state.lower()}"


def timed_by(evidence: Evidence) -> Timed:
    """Of what the whitelist lets through, so that anybody can read it once more."""
    timing, used = evidence.telemetry.get("timing"), evidence.telemetry.get("usage")
    known: dict[str, Any] = timing if isinstance(timing, dict) else {}
    estimated = used.get("estimated") if isinstance(used, dict) else None
    trace = evidence.trace
    turns = [step for step in trace or () if step.get("kind") == "model"]
    return Timed(
        is_recorded=bool(known),
        authority=_text(known.get("authority")),
        event=_text(known.get("event")),
        censored=_text(known.get("censored")),
        duration_ms=_number(known.get("duration_ms")),
        calls=tuple(_call(step) for step in trace or () if step.get("kind") == "tool"),
        usage=None if trace is None else tuple(_tokens(step) for step in turns),
        call_ms=None if trace is None else tuple(_number(step.get("duration_ms")) for step in turns),
        compacting=tuple(place for place, step in enumerate(turns) if step.get("compacts") is True),
        is_clocked=None not in (known.get("started_at"), known.get("ended_at")),
        estimated=estimated if isinstance(estimated, bool) else None,
    )


def _call(step: dict[str, Any]) -> CallTime:
    return CallTime(
        _text(step.get("authority")),
        _text(step.get("event")),
        _text(step.get("status")) or UNRESOLVED,
        _number(step.get("duration_ms")),
    )


def _tokens(step: dict[str, Any]) -> int | None:
    parts = (step.get("prompt_tokens"), step.get("completion_tokens"))
    prompt, completion = (part if isinstance(part, int) and not isinstance(part, bool) else None for part in parts)
    return None if prompt is None or completion is None else prompt + completion


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) else None


def _number(value: Any) -> int | float | None:
    return value if isinstance(value, int | float) and not isinstance(value, bool) else None
