"""Composes the answer: which sentences stand in it, in which words, with which slips."""

import re
from dataclasses import dataclass, field

from generator.model.base import Json
from generator.sample.draws import Draws
from generator.sample.mistakes import Mistakes
from generator.sample.sentences import EN, ZH

_DECIMALS = {"nav": 4, "month_pct": 2}
_NUMBER = re.compile(r"[0-9][0-9,]*\.[0-9]+")


@dataclass
class Answer:
    """The sentences so far, each with its name."""

    draws: Draws
    mistakes: Mistakes
    english: bool = False
    parts: list[tuple[str, str]] = field(default_factory=list)

    def say(self, name: str, place: str, values: dict[str, Json], droppable: bool = True) -> None:
        """Add a sentence, unless it is forgotten."""
        if droppable and self.mistakes.happens("omitted_sentence", place):
            return
        shown = {key: _shown(key, value) for key, value in values.items()}
        self.parts.append((name, self._wording(name, place).format_map(shown)))

    def from_nowhere(self, name: str, place: str, values: dict[str, Json]) -> None:
        """A sentence whose number comes from nowhere."""
        number = 0.3 + 12 * self.draws.decision(f"invented number:{place}")
        self.say(name, place, {**values, "number": f"{number:.2f}"}, droppable=False)

    def text(self) -> str:
        """The whole answer; one number may have a slipped digit."""
        whole = (" " if self.english else "").join(sentence for _, sentence in self.parts)
        numbers = list(_NUMBER.finditer(whole))
        if numbers and self.mistakes.happens("slipped_digit"):
            match = self.draws.pick("slipped number", numbers)
            slipped = self.mistakes.slip(match[0], "answer")
            whole = whole[: match.start()] + slipped + whole[match.end() :]
        return whole

    def _wording(self, name: str, place: str) -> str:
        if self.english and name in EN:
            return EN[name]
        return self.draws.pick(f"wording:{place}:{name}", ZH[name])


def _shown(key: str, value: Json) -> str:
    if isinstance(value, float):
        return f"{value:,.{_DECIMALS.get(key, 2)}f}"
    return str(value)
