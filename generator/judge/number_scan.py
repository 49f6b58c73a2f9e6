"""Finds the numbers, dates and times of a text."""

import re
from functools import lru_cache

from generator.judge import number_patterns as patterns
from generator.judge.number_mentions import Mention
from generator.judge.number_readers import READERS
from generator.judge.number_surroundings import Surroundings

_CACHED_LENGTH = 20_000


def scan(text: str) -> tuple[Mention, ...]:
    """All mentions of a text in order; offsets count code points of the text as given."""
    return _scan_cached(text) if len(text) <= _CACHED_LENGTH else _scan(text)


def _scan(text: str) -> tuple[Mention, ...]:
    text = patterns.normalised(text)
    if not patterns.ANY_NUMBER.search(text):
        return ()
    fences = _fences(text)
    around = Surroundings(text)
    mentions: list[Mention] = []
    for found in patterns.TOKEN.finditer(text):
        reader = READERS.get(found.lastgroup or "")
        mention = None if reader is None else reader(around, found)
        if mention is not None:
            if any(start <= mention.start < end for start, end in fences):
                mention = mention._replace(role="code")
            mentions.append(mention)
    return tuple(mentions)


# Contexts, results and prompts recur from run to run.
_scan_cached = lru_cache(maxsize=1024)(_scan)


def _fences(text: str) -> list[tuple[int, int]]:
    """Spans of fenced code; a fence that is not closed reaches to the end."""
    spans: list[tuple[int, int]] = []
    opened: re.Match[str] | None = None
    for fence in patterns.FENCE.finditer(text):
        if opened is None:
            opened = fence
        elif fence[1].startswith(opened[1]):
            spans.append((opened.start(), fence.end()))
            opened = None
    return spans if opened is None else [*spans, (opened.start(), len(text))]
