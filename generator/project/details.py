"""The details of assertions: what they repeat of a run is shown as the run itself is shown.

A judge sees the raw answer. Its offsets (`start` and `end`, or pairs under `span` and `spans`) count code points
there; here they become offsets into the text of the shown answer. What lies behind its end is dropped, place and text
(null), and still counted: a limit that details repeat the rest of would be none.
"""

from typing import Any

from generator.model.assertions import Assertion, Attribution
from generator.model.base import Json
from generator.project.redact import Placeholders
from generator.project.shown import Shown, show
from generator.project.treat import free_key, shown_json

_SHORTEST_PIECE = 3


class ShownDetails:
    """How details of one run are shown. `visible_length` is the length of the answer's text after it was cut."""

    def __init__(self, placeholders: Placeholders, answer: Shown | None, visible_length: int) -> None:
        self._placeholders = placeholders
        self._answer = answer
        self._visible_length = visible_length

    def assertion(self, assertion: Assertion) -> Assertion:
        if not assertion.detail:
            return assertion
        return Assertion(
            outcome=assertion.outcome,
            value=assertion.value,
            reason=assertion.reason,
            detail=self._object(assertion.detail),
        )

    def attribution(self, attribution: Attribution) -> Attribution:
        """Entries are ids and tool names; a tool that a model invented may hold anything."""
        entries = [show(entry, self._placeholders, count=False).text for entry in attribution.entries]
        return Attribution(layer=attribution.layer, metric=attribution.metric, entries=entries)

    def _object(self, detail: dict[str, Json]) -> dict[str, Any]:
        shown: dict[str, Any] = {}
        pair = [detail.get("start"), detail.get("end")]
        for key, value in detail.items():
            if key in ("start", "end") and _is_pair(pair):
                span = self._span(pair)
                shown[key] = None if span is None else span[key == "end"]
            elif key == "span" and _is_pair(value):
                shown[key] = self._span(value)
            elif key == "spans" and isinstance(value, list) and all(_is_pair(item) for item in value):
                shown[key] = [placed for item in value if (placed := self._span(item)) is not None]
            else:
                name = free_key(show(key, self._placeholders, count=False).text, shown)
                shown[name] = None if key == "text" and self._is_behind(detail) else self._value(value)
        return shown

    def _is_behind(self, detail: dict[str, Json]) -> bool:
        """Whether an object holds places of the answer, and at least one that is not shown."""
        spans = detail.get("spans")
        places = [
            [detail.get("start"), detail.get("end")],
            detail.get("span"),
            *(spans if isinstance(spans, list) else []),
        ]
        return any(_is_pair(place) and self._span(place) is None for place in places)

    def _value(self, value: Json) -> Any:
        if isinstance(value, dict):
            return self._object(value)
        if isinstance(value, list):
            return [self._value(item) for item in value]
        if isinstance(value, str):
            return self._hidden(value) or shown_json(value, self._placeholders, count=False)
        return shown_json(value, self._placeholders, count=False)

    def _hidden(self, text: str) -> str | None:
        """A number that is a part of a replaced value (the digits of an e-mail address) would give that part away."""
        if len(text) < _SHORTEST_PIECE or not any(character.isdigit() for character in text):
            return None
        return self._placeholders.hiding(text)

    def _span(self, pair: Any) -> list[int] | None:
        if self._answer is None or not _is_pair(pair):
            return None
        start, end = self._answer.start(pair[0]), self._answer.end(pair[1])
        return [start, end] if end <= self._visible_length else None


def _is_pair(value: Any) -> bool:
    return (
        isinstance(value, list)
        and len(value) == 2
        and all(isinstance(place, int) and not isinstance(place, bool) for place in value)
    )
