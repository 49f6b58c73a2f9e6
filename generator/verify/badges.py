"""Words that stand for a value of a number: verdicts, readings, what became of a mutant, which way a number changed.

On a page such a word is marked with its number and the place of the value in it: `data-part="word:verdict.outcome"`.
"""

from collections.abc import Iterator
from typing import Any

from generator.verify.lexicon import Words

WORD = "word:"
_CHANGE = "change"
_SIGNS = {"pass": "✓", "fail": "✗", "inconclusive": "?"}
_READING_SIGNS = {"holds": "✓", "doubtful": "!", "unknown": "?"}
_FATES = {"killed": "✓", "survived": "✗", "equivalent": "≡", "doubtful_equivalent": "≢", "not_judged": "?"}
_CHANGES = {"improved": "▲", "regressed": "▼", "unchanged": "=", "up": "↗", "down": "↘", "incomparable": "≠"}


def badge_texts(number: dict[str, Any], place: str, words: Words) -> list[str]:
    """What a page may show for the value at `place`: in either language, or in both one after the other."""
    value: Any = number
    for name in place.split("."):
        value = value.get(name) if isinstance(value, dict) else None
    if place == _CHANGE:
        return list(_changes(number, value, words))
    group, signs = _meaning(place)
    return [f"{signs.get(value, '?')} {word}" for word in _in_either(f"{group}.{value}", words)]


def _meaning(place: str) -> tuple[str, dict[str, str]]:
    if place == "detail.outcome":
        return "assumptions.outcome", _READING_SIGNS
    return ("kinds.outcome", _FATES) if place.startswith("detail.mutants.") else ("decision.outcome", _SIGNS)


def _changes(number: dict[str, Any], value: Any, words: Words) -> Iterator[str]:
    """Alone on the page of its number; elsewhere with a sign, and a remark where the interval holds zero."""
    interval = number["interval"]
    is_open = interval is not None and interval["low"] <= 0 <= interval["high"] and value != "incomparable"
    if value is None:
        yield ""
        return
    yield "".join(words[lang].get(f"common.change.{value}", "") for lang in ("zh", "en"))
    for lang in ("zh", "en"):
        remark = f" · {words[lang]['result.main.crosses']}" if is_open else ""
        yield f"{_CHANGES.get(value, '')} {words[lang].get(f'common.change.{value}', '')}{remark}"


def _in_either(key: str, words: Words) -> Iterator[str]:
    zh, en = (words[lang].get(key, "") for lang in ("zh", "en"))
    yield from (zh, en, zh + en)
