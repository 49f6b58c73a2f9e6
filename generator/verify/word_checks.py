"""Words on pages: those of the interface and of the definitions, which are published, in both languages."""

import re
from collections.abc import Iterable, Iterator
from typing import Any

from generator.verify.found import Fact
from generator.verify.lexicon import Words
from generator.verify.vocabulary import spaced

_VALUE = re.compile(r"\{\w+\}")
_LETTER = re.compile(r"[^\W\d_]")
_BETWEEN = re.compile(r"[^\w\s'’%{}/&+-]+")
"""What separates texts that stand together."""
_LANGUAGE_NAMES = (("中文", ""), ("", "English"))
_OF_THEME = ("回到页面顶部", "Back to top")
_DIGIT_RUN = re.compile(r"\d+(?:[.,]\d+)*")

Pair = tuple[str, str]


class WordChecks:
    """`records` hold texts, `{zh, en}` anywhere in them."""

    def __init__(self, words: Words, records: Iterable[Any]) -> None:
        keyed = [(words["zh"][key], words["en"].get(key, "")) for key in words["zh"]]
        pairs = {(spaced(zh), spaced(en)) for zh, en in keyed}
        named = {pair for record in records for pair in _pairs(record)}
        self._halves = {half for pair in named for half in enumerate(pair) if half[1]}
        self._pairs = pairs | named
        self._patterns = [(_pattern(zh), _pattern(en)) for zh, en in keyed if _VALUE.search(zh)]
        every = {text for pair in (*self._pairs, _OF_THEME) for text in pair}
        self._every = "\n".join(sorted({spaced(part) for text in every for part in _BETWEEN.split(text)}))
        self._known: set[str] = set()
        self._colon = tuple(words[lang]["common.colon"].strip() for lang in ("zh", "en"))

    def is_said(self, text: str) -> bool:
        """Whether a text is a part of some published one: elements cut them where values and names stand."""
        if text not in self._known:
            parts = [spaced(part) for part in _BETWEEN.split(spaced(text))]
            if not all(part in self._every for part in parts if _LETTER.search(part)):
                return False
            self._known.add(text)
        return True

    def strange_pairs(self, facts: Iterable[Fact]) -> Iterator[str]:
        """Both languages of what is no text of the interface or of a definition, or not the same in both."""
        waiting: str | None = None
        for kind, text in facts:
            if kind == "zh":
                if waiting is not None and (waiting, "") not in _LANGUAGE_NAMES:
                    yield waiting
                waiting = spaced(text)
            elif kind == "en":
                pair = (waiting or "", spaced(text))
                if not self._is_pair(pair):
                    yield " / ".join(pair)
                waiting = None
        if waiting is not None and (waiting, "") not in _LANGUAGE_NAMES:
            yield waiting

    def _is_label(self, pair: Pair) -> bool:
        """A text before a colon, in both languages."""
        zh, en = (text.removesuffix(colon) for text, colon in zip(pair, self._colon, strict=True))
        return zh != pair[0] and en != pair[1] and (zh, en) in self._pairs

    def _is_half(self, pair: Pair) -> bool:
        """The name of a language, which stands in that language alone; a name that in one language is the id before
        it, and is not said twice."""
        return "" in pair and (pair in _LANGUAGE_NAMES or not {(0, pair[0]), (1, pair[1])}.isdisjoint(self._halves))

    def _is_pair(self, pair: Pair) -> bool:
        if pair not in self._pairs:
            is_filled = any(zh.fullmatch(pair[0]) and en.fullmatch(pair[1]) for zh, en in self._patterns)
            if not is_filled or _figures(pair[0]) != _figures(pair[1]):
                return pair[0] == pair[1] or self._is_half(pair) or self._is_label(pair)
            self._pairs.add(pair)
        return True


def _figures(text: str) -> list[str]:
    return sorted(_DIGIT_RUN.findall(text))


def _pattern(text: str) -> re.Pattern[str]:
    return re.compile(".*?".join(re.escape(spaced(part)) for part in _VALUE.split(text)).replace(r"\ ", " "), re.DOTALL)


def _pairs(record: Any) -> Iterator[Pair]:
    if isinstance(record, dict):
        if isinstance(record.get("zh"), str) and isinstance(record.get("en"), str):
            yield spaced(record["zh"]), spaced(record["en"])
        else:
            for value in record.values():
                yield from _pairs(value)
    elif isinstance(record, list):
        for value in record:
            yield from _pairs(value)
