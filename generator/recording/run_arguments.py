"""What `Recorder.run` is given, checked at once: a run that cannot be is not recorded."""

import re
from collections.abc import Mapping

from generator.model.runs import INVALID_REASONS, State
from generator.recording.notes import RunNotes

_REASON = re.compile(r"[a-z][a-z0-9_]{0,63}")


def check_reason(state: State, reason: str | None) -> None:
    """Raises ValueError where the reason does not fit the state."""
    if state == "COMPLETE":
        if reason is not None:
            raise ValueError("reason: a COMPLETE run has none")
        return
    if state == "INVALID" and reason not in INVALID_REASONS:
        raise ValueError(f"reason: expected one of {', '.join(INVALID_REASONS)}, found {reason}")
    if reason is None or _REASON.fullmatch(reason) is None:
        raise ValueError(f"reason: a {state} run has one, in snake_case")


def note_call(notes: RunNotes, entry: Mapping[str, object]) -> None:
    """Note a tool call given as a mapping. Raises ValueError for an unknown key."""
    given = dict(entry)
    known = ("tool", "arguments", "result", "error", "status", "duration_ms", "call_id")
    unknown = sorted(set(given) - set(known))
    if unknown or not isinstance(given.get("tool"), str):
        raise ValueError(
            f"calls: expected {', '.join(known)} with a text under tool, found {', '.join(unknown) or 'no tool'}"
        )
    notes.call(given.pop("tool"), **given)  # type: ignore[arg-type]
