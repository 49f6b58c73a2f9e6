"""What the evidence of a run shows of its answer and its cost."""

import hashlib

from generator.model.base import Json
from generator.model.evidence import Evidence
from generator.model.rows import Recorded


def recorded_by(evidence: Evidence) -> Recorded:
    """Of what the whitelist lets through, so that anybody can read it once more."""
    usage, timing = evidence.telemetry.get("usage"), evidence.telemetry.get("timing")
    used, timed = (part if isinstance(part, dict) else {} for part in (usage, timing))
    event = timed.get("event")
    prompt, completion = used.get("prompt_tokens"), used.get("completion_tokens")
    return Recorded(
        answer=_name(evidence.answer),
        tokens=prompt + completion if isinstance(prompt, int) and isinstance(completion, int) else None,
        duration_ms=_number(timed.get("duration_ms")),
        event=event if isinstance(event, str) else None,
        cost_usd=_number(used.get("cost_usd")),
        is_cached=used.get("cached") is True,
        verdicts=_verdicts(evidence),
    )


def _name(answer: dict[str, Json] | None) -> str | None:
    """Of the whole text. Short texts have no hash of their own; of a text that is cut nothing else is the whole."""
    if answer is None:
        return None
    sha256, text = answer.get("sha256"), answer.get("text")
    if isinstance(sha256, str):
        return sha256[:16]
    if not isinstance(text, str) or answer.get("truncated"):
        return None
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def _verdicts(evidence: Evidence) -> tuple[bool, ...]:
    judged = evidence.assertions.get("task_pass_rate")
    given = None if judged is None else judged.detail.get("verdicts")
    return tuple(verdict for verdict in given if isinstance(verdict, bool)) if isinstance(given, list) else ()


def _number(value: Json) -> int | float | None:
    return value if isinstance(value, int | float) and not isinstance(value, bool) else None
