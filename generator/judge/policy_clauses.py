"""A content policy at work: clauses of a text that match a pattern without a negator before the match."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from generator.judge.details import Span
from generator.model.patterns import compile_pattern
from generator.model.tools import Policy


@dataclass(frozen=True, slots=True)
class CompiledPolicy:
    id: str
    clause_split: re.Pattern[str]
    patterns: tuple[re.Pattern[str], ...]
    negator: re.Pattern[str]


def compile_policy(policy: Policy) -> CompiledPolicy:
    """A policy, ready to use."""
    return _compiled(policy.id, policy.clause_split, tuple(policy.patterns), tuple(policy.negators))


@lru_cache(maxsize=64)
def _compiled(
    policy_id: str, clause_split: str, patterns: tuple[str, ...], negators: tuple[str, ...]
) -> CompiledPolicy:
    return CompiledPolicy(
        id=policy_id,
        clause_split=compile_pattern(clause_split),
        patterns=tuple(compile_pattern(pattern) for pattern in patterns),
        negator=re.compile("|".join(_negator(word) for word in negators) or r"(?!)", re.IGNORECASE),
    )


def _negator(word: str) -> str:
    """A word in Latin letters stands for itself alone: `not` is not in `another`."""
    start = r"(?<![0-9A-Za-z_])" if word[:1].isascii() and word[:1].isalnum() else ""
    end = r"(?![0-9A-Za-z_])" if word[-1:].isascii() and word[-1:].isalnum() else ""
    return start + re.escape(word.replace("’", "'")) + end


def violations(answer: str, policy: CompiledPolicy) -> list[Span]:
    """The deciding match of each violating clause."""
    text = answer.replace("’", "'")
    spans = []
    for start, clause in _clauses(text, policy.clause_split):
        place = _violation(clause, policy)
        if place is not None:
            first, last = start + place[0], start + place[1]
            spans.append(Span(text=answer[first:last], start=first, end=last))
    return spans


def _clauses(text: str, split: re.Pattern[str]) -> Iterator[tuple[int, str]]:
    start = 0
    for separator in split.finditer(text):
        yield start, text[start : separator.start()]
        start = separator.end()
    yield start, text[start:]


def _violation(clause: str, policy: CompiledPolicy) -> tuple[int, int] | None:
    """The first match of the clause, the longest of those, if no negator ends before it.

    Later matches have at least the same words before them, so the first one decides.
    """
    matches = [found.span() for pattern in policy.patterns if (found := pattern.search(clause))]
    if not matches:
        return None
    start, end = min(matches, key=lambda span: (span[0], -span[1]))
    return None if policy.negator.search(clause, 0, start) else (start, end)
