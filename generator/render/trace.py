"""The trace of a run: turns of the model and calls of tools, step by step."""

from collections.abc import Callable
from functools import lru_cache
from typing import Any

from markupsafe import Markup

from generator.model.base import Json
from generator.model.evidence import is_treated
from generator.render.escape import foreign, in_pre
from generator.render.json_text import json_text
from generator.render.names import Names

FOLD_FROM = 600
"""Longer texts are folded."""
_CACHED = 4096
_TOKENS = ("prompt_tokens", "completion_tokens")
_TEXTS = ("arguments", "summary", "error")

_Step = tuple[int, str | None, Markup, Markup | None, str, int | float | None, "list[_TextBlock]"]
"""Place, status (None: a turn of the model), title, word for the status, tokens, milliseconds, texts."""
_TextBlock = tuple[Markup, Markup | None, int, dict[str, Json] | None]
"""Label, text to show (None where it is withheld), its length if it is to be folded (else 0), what was cut."""


class TraceBlocks:
    """Keeps the titles that many steps share."""

    def __init__(self, macros: dict[str, Callable[..., Markup]], names: Names) -> None:
        self._macros = macros
        self._words = names.words
        self._named = names.code
        self._turn = lru_cache(maxsize=_CACHED)(self._make_turn)
        self._tool = lru_cache(maxsize=_CACHED)(foreign)
        self._labels = {key: names.words.both(f"evidence.{key}") for key in _TEXTS}

    def steps(self, trace: list[dict[str, Any]]) -> Markup:
        """All steps in one call of the template."""
        shown = []
        turn = 0
        for place, step in enumerate(trace, start=1):
            of_model = step.get("kind") == "model"
            turn += of_model
            shown.append(self._model_step(place, turn, step) if of_model else self._tool_step(place, step))
        return self._macros["steps"](shown) if shown else Markup()

    def _model_step(self, place: int, turn: int, step: dict[str, Any]) -> _Step:
        tokens = [str(count) for key in _TOKENS if (count := step.get(key)) is not None]
        return place, None, self._turn(turn), None, " + ".join(tokens), step.get("duration_ms"), []

    def _tool_step(self, place: int, step: dict[str, Any]) -> _Step:
        status = step.get("status", "ok")
        word = self._named("evidence.status", status)
        return place, status, self._tool(step["tool"]), word, "", step.get("duration_ms"), self._text_blocks(step)

    def _text_blocks(self, step: dict[str, Any]) -> list[_TextBlock]:
        return [self._text_block(self._labels[key], value) for key in _TEXTS if (value := step.get(key)) is not None]

    def _text_block(self, label: Markup, value: Json) -> _TextBlock:
        if not (isinstance(value, dict) and is_treated(value)):
            text = json_text(value)
            return label, in_pre(text), len(text) if len(text) > FOLD_FROM else 0, None
        shown = value["text"]
        cut = value if value["truncated"] or shown is None else None
        if not isinstance(shown, str):
            return label, None, 0, cut
        return label, in_pre(shown), len(shown) if len(shown) > FOLD_FROM else 0, cut

    def _make_turn(self, turn: int) -> Markup:
        return self._words.both("evidence.turn", turn=Markup("<code>{}</code>").format(turn))
