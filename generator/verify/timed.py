"""What the evidence of a run shows of time and of single calls, once more."""

from collections.abc import Sequence
from fractions import Fraction
from typing import Any, NamedTuple

NOT_KNOWN = "unresolved"


class Timed(NamedTuple):
    """Whether there is a record of time; whose clock, of what, how cut off, ms; (stratum, ms) of each tool call; tokens
    of each model call, None without a trace; whether start and end are recorded; whether tokens are an estimate."""

    is_recorded: bool = False
    authority: str | None = None
    event: str | None = None
    censored: str | None = None
    duration: int | Fraction | None = None
    calls: Sequence[tuple[str, int | Fraction | None]] = ()
    usage: Sequence[int | None] | None = None
    call_ms: Sequence[int | Fraction | None] | None = None
    compacting: Sequence[int] = ()
    is_clocked: bool = False
    estimated: bool | None = None


def stratum_of(authority: str | None, event: str | None, state: str) -> str:
    return "-".join((authority or NOT_KNOWN, event or NOT_KNOWN, state.lower()))


def timed_in(evidence: dict[str, Any]) -> Timed:
    timing, trace = evidence["telemetry"].get("timing") or {}, evidence["trace"]
    calls: list[tuple[str, int | Fraction | None]] = []
    usage: list[int | None] = []
    lasted: list[int | Fraction | None] = []
    compacting: list[int] = []
    for step in trace or []:
        if step.get("kind") == "tool":
            stratum = stratum_of(step.get("authority"), step.get("event"), step.get("status") or NOT_KNOWN)
            calls.append((stratum, step.get("duration_ms")))
        elif step.get("kind") == "model":
            parts = [step.get("prompt_tokens"), step.get("completion_tokens")]
            if step.get("compacts"):
                compacting.append(len(usage))
            usage.append(None if None in parts else sum(parts))
            lasted.append(step.get("duration_ms"))
    return Timed(
        is_recorded=bool(timing),
        authority=timing.get("authority"),
        event=timing.get("event"),
        censored=timing.get("censored"),
        duration=timing.get("duration_ms"),
        calls=calls,
        usage=None if trace is None else usage,
        call_ms=None if trace is None else lasted,
        compacting=compacting,
        is_clocked=None not in (timing.get("started_at"), timing.get("ended_at")),
        estimated=(evidence["telemetry"].get("usage") or {}).get("estimated"),
    )
