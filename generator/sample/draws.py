"""Chance without a generator: every draw is the hash of what it decides, so one change does not shift the others."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

T = TypeVar("T")


def unit(*parts: str | int) -> float:
    """A number in [0, 1): the first 53 bits of the SHA-256 of the parts, joined by U+001F."""
    digest = hashlib.sha256("\x1f".join(map(str, parts)).encode()).digest()
    return (int.from_bytes(digest[:8], "big") >> 11) / 2**53


@dataclass(frozen=True)
class Draws:
    """The draws of one run.

    `independence` (0–1) is the share of decisions that a repeat takes anew; the others it shares with all repeats of
    its cell. That is what a low temperature does: the same mistake again, rather than no mistake. `seeded_as` is the
    variant whose decisions these are: runs that follow one another take the same, so that they differ in what was
    changed alone.
    """

    batch: str
    case: str
    variant: str
    repeat_index: int
    independence: float
    seeded_as: str | None = None

    def decision(self, purpose: str) -> float:
        """A draw of the agent's policy."""
        cell = (self.batch, self.case, self.seeded_as or self.variant)
        anew = unit(*cell, self.repeat_index, "anew", purpose) < self.independence
        return unit(*cell, self.repeat_index if anew else "all", purpose)

    def physical(self, purpose: str) -> float:
        """A draw of the world around the agent (latency, faults, people), new in every repeat."""
        return unit(self.batch, self.case, self.variant, self.repeat_index, "world", purpose)

    def shared(self, purpose: str) -> float:
        """A draw that all variants share: what the task looks like in this repeat."""
        return unit(self.batch, self.case, self.repeat_index, "task", purpose)

    def chance(self, purpose: str, probability: float) -> bool:
        return self.decision(purpose) < probability

    def pick(self, purpose: str, options: Sequence[T]) -> T:
        return options[int(self.decision(purpose) * len(options))]

    def whole(self, purpose: str, low: int, high: int) -> int:
        """A whole number, low ≤ n ≤ high."""
        return low + int(self.decision(purpose) * (high - low + 1))
