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
    around = Surroundings(text)
    mentions: list[Mention] = []
    for found in patterns.TOKEN.finditer(text):
        reader = READERS.get(found.lastgroup or "")
        mention = None if reader is None else reader(around, found)
        if mention is not None:
            mentions.append(mention)
    return _with_code(mentions, _fences(text))


# Contexts, results and prompts recur from run to run.
_scan_cached = lru_cache(maxsize=1024)(_scan)


def _fences(text: str) -> list[tuple[int, int]]:
    """Spans of fenced code in order; a fence that is not closed reaches to the end."""
    spans: list[tuple[int, int]] = []
    opened: re.Match[str] | None = None
    for fence in patterns.FENCE.finditer(text):
        if opened is None:
            opened = fence
        elif fence[1].startswith(opened[1]):
            spans.append((opened.start(), fence.end()))
            opened = None
    return spans if opened is None else [*spans, (opened.start(), len(text))]


def _with_code(mentions: list[Mention], fences: list[tuple[int, int]]) -> tuple[Mention, ...]:
    """The mentions, those inside fenced code marked as such."""
    if not fences:
        return tuple(mentions)
    marked: list[Mention] = []
    waiting = iter(fences)
    start, end = next(waiting)
    for mention in mentions:
        while end <= mention.start and (span := next(waiting, None)) is not None:
            start, end = span
        marked.append(mention._replace(role="code") if start <= mention.start < end else mention)
    return tuple(marked)
