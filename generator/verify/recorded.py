"""What the evidence of a run shows of its answer and its cost, once more."""

import hashlib
from collections.abc import Sequence
from fractions import Fraction
from typing import Any, NamedTuple


class Recorded(NamedTuple):
    """None for what is not shown; `answer` is the same text for the same answer."""

    answer: str | None = None
    tokens: int | None = None
    duration: int | Fraction | None = None
    event: str | None = None
    cost: int | Fraction | None = None
    is_cached: bool = False
    verdicts: Sequence[bool] = ()


def recorded_in(evidence: dict[str, Any]) -> Recorded:
    telemetry = evidence["telemetry"]
    usage, timing = telemetry.get("usage") or {}, telemetry.get("timing") or {}
    parts: list[Any] = [usage.get("prompt_tokens"), usage.get("completion_tokens")]
    judged = evidence["assertions"].get("task_pass_rate") or {"detail": {}}
    return Recorded(
        answer=_whole(evidence["answer"]),
        tokens=sum(parts) if None not in parts else None,
        duration=timing.get("duration_ms"),
        event=timing.get("event"),
        cost=usage.get("cost_usd"),
        is_cached=usage.get("cached", False),
        verdicts=judged["detail"].get("verdicts") or [],
    )


def _whole(answer: dict[str, Any] | None) -> str | None:
    """The hash of a text that has one; else that of the text, if all of it is shown."""
    if answer is None or (answer["sha256"] is None and (answer["text"] is None or answer["truncated"])):
        return None
    return answer["sha256"] or hashlib.sha256(answer["text"].encode("utf-8", "surrogatepass")).hexdigest()
