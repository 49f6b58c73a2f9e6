"""The words of the interface, as pages that carry both languages show them."""

from collections.abc import Mapping
from typing import Any

from generator.verify.found import Fact
from generator.verify.tags import LOOK

Words = Mapping[str, Mapping[str, str]]
"""By language and key."""

_UNJUDGED = ("soft out", "not_counted")
_ABSENT = ("soft none", "common.missing")
_NEUTRAL = {
    "value": "soft value",
    "not_applicable": "soft none",
    "hit": "soft hit",
    "miss": "soft miss",
}
_DIRECTED = {
    ("hit", "higher"): ("good hit", "met"),
    ("miss", "higher"): ("bad miss", "not_met"),
    ("hit", "lower"): ("bad hit", "occurred"),
    ("miss", "lower"): ("good miss", "not_occurred"),
}


class Lexicon:
    """Facts that words make: both languages, or none where they are the same text and no `lang` is needed."""

    def __init__(self, words: Words, metrics: dict[str, Any]) -> None:
        self._words = words
        self._metrics = metrics
        self._made: dict[str, list[Fact]] = {}

    def has(self, key: str) -> bool:
        return key in self._words["zh"]

    def word(self, key: str) -> list[Fact]:
        if key not in self._made:
            self._made[key] = self.text({lang: self._words[lang][key] for lang in ("zh", "en")})
        return self._made[key]

    def text(self, text: dict[str, str]) -> list[Fact]:
        """A text of a definition."""
        return [] if text["zh"] == text["en"] else [("zh", text["zh"]), ("en", text["en"])]

    def named(self, group: str, code: str) -> list[Fact]:
        """The word for a code; the code itself where there is none."""
        return self.word(f"{group}.{code}") if self.has(f"{group}.{code}") else [("code", code)]

    def metric(self, metric: str) -> list[Fact]:
        return self.text(self._metrics[metric]["name"])

    def unit(self, metric: str) -> str:
        return str(self._metrics[metric]["unit"])

    def layer(self, layer: str) -> list[Fact]:
        """To what a failure is put down: a metric, or a layer with a word of its own."""
        return self.metric(layer) if layer in self._metrics else self.named("evidence.layer", layer)

    def verdict(self, outcome: str | None, value: object, metric: str) -> list[Fact]:
        """Look and word of what a judge said of a run; no outcome: it was not judged."""
        if outcome == "value" and value is None:
            look, word = _ABSENT
            return [(LOOK, look), *self.word(word)]
        if outcome is None:
            look, word = _UNJUDGED
        else:
            neutral = (_NEUTRAL[outcome], outcome)
            look, word = _DIRECTED.get((outcome, self._metrics[metric]["direction"]), neutral)
        return [(LOOK, look), *self.word(f"common.outcome.{word}")]

    def label(self, group: str, code: str) -> list[Fact]:
        """As `named`, with the colon of each language."""
        if not self.has(f"{group}.{code}"):
            return [("code", code), *self.word("common.colon")]
        return self.text(
            {lang: words[f"{group}.{code}"] + words["common.colon"] for lang, words in self._words.items()}
        )

    def is_feature(self, metric: str) -> bool:
        """Whether a metric is one of many that stand in one row."""
        return self._metrics[metric]["family"] is not None
