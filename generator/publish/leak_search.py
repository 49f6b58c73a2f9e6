"""Looks for many secrets in a text at once, by the hashes of its windows.

A text is cut into all its windows of `minimum` characters. Of each secret some windows are anchors: the first one of a
short secret, and of a long one so many that every passage of `passage` characters holds one. An anchor that occurs in
the text is compared character by character, so nothing is found that is not there.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

import numpy as np
import numpy.typing as npt

Hashes = npt.NDArray[np.uint64]
Anchors = Sequence[tuple[int, int]]
"""(place, hash) of windows of a secret."""

_NO_HASHES: Hashes = np.empty(0, dtype=np.uint64)
_BASE = 0x9E3779B97F4A7C15
_WORD = 2**64
_LEAST_BITS, _MOST_BITS = 12, 24
_ROOM = 6
"""Bits of room in the first table: one window of 2**6 is looked at twice for nothing, at most."""


@dataclass(frozen=True, slots=True)
class Lengths:
    """In characters of the normal form: secrets below `minimum` are not looked for; of longer ones a passage of
    `passage` is a leak, of those between the whole."""

    minimum: int
    passage: int


class Needle(Protocol):
    """Something to look for; `normal` is its normal form."""

    @property
    def normal(self) -> str: ...


N = TypeVar("N", bound=Needle)


def windows(text: str, width: int) -> Hashes:
    """The hash of every window of `width` code points: a polynomial, made by doubling."""
    block = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype="<u4").astype(np.uint64)
    if block.size < width:
        return _NO_HASHES
    size, power = 1, _BASE
    done, result = 0, _NO_HASHES
    while True:
        if width & size:
            ahead = block[done:]
            result = ahead if done == 0 else result[: ahead.size] * np.uint64(power) + ahead
            done += size
        if done == width:
            return result
        block = block[:-size] * np.uint64(power) + block[size:]
        size, power = size * 2, power * power % _WORD


def anchors(text: str, lengths: Lengths) -> list[int]:
    """Where the anchors of a secret begin; none for one that is too short to be looked for."""
    if len(text) < lengths.minimum:
        return []
    if len(text) < lengths.passage:
        return [0]
    return list(range(0, len(text) - lengths.minimum + 1, lengths.passage - lengths.minimum + 1))


class HashSet:
    """Hashes, and which windows of a text are among them."""

    def __init__(self, hashes: Hashes) -> None:
        self.hashes = np.unique(hashes)
        bits = min(max(int(self.hashes.size).bit_length() + _ROOM, _LEAST_BITS), _MOST_BITS)
        self._shift = np.uint64(64 - bits)
        self._table = np.zeros(2**bits, dtype=np.bool_)
        self._table[self._slots(self.hashes)] = True

    def places(self, text_windows: Hashes) -> npt.NDArray[np.intp]:
        """Where windows stand that are among the hashes."""
        if not self.hashes.size:
            return np.empty(0, dtype=np.intp)
        maybe = self._table.take(self._slots(text_windows)).nonzero()[0]
        if not maybe.size:
            return maybe
        near = np.searchsorted(self.hashes, text_windows[maybe])
        found: npt.NDArray[np.intp] = maybe[self.hashes[np.minimum(near, self.hashes.size - 1)] == text_windows[maybe]]
        return found

    def _slots(self, hashes: Hashes) -> npt.NDArray[np.int64]:
        """The first bits, as numbers that can be indices without a copy."""
        return (hashes >> self._shift).view(np.int64)


class Needles(Generic[N]):
    """Secrets to look for, each with its anchors (`anchor_hashes`)."""

    def __init__(self, needles: Iterable[tuple[N, Anchors]], lengths: Lengths) -> None:
        self._lengths = lengths
        self._anchors: dict[int, list[tuple[N, int]]] = defaultdict(list)
        for needle, anchors in needles:
            for start, hash_ in anchors:
                self._anchors[hash_].append((needle, start))
        self._set = HashSet(np.fromiter(self._anchors, dtype=np.uint64, count=len(self._anchors)))

    def find(self, text: str, text_windows: Hashes) -> list[N]:
        """The needles that `text` holds, whole or a passage of them, each once. `text` is in normal form."""
        found: dict[int, N] = {}
        for place in self._set.places(text_windows).tolist():
            for needle, start in self._anchors[int(text_windows[place])]:
                if id(needle) not in found and self._is_there(needle.normal, start, text, place):
                    found[id(needle)] = needle
        return list(found.values())

    def _is_there(self, secret: str, start: int, text: str, place: int) -> bool:
        """Whether as much of the secret as counts stands around its anchor."""
        needed = min(len(secret), self._lengths.passage)
        before = min(start, place, needed)
        left = _common(secret[start - before : start][::-1], text[place - before : place][::-1])
        right = _common(secret[start : start + needed], text[place : place + needed])
        return left + right >= needed


class PublicText:
    """What is published on purpose: definitions, and the words of the interface. It can be no secret."""

    def __init__(self, text: str, lengths: Lengths) -> None:
        self.text = text
        self.set = HashSet(windows(text, lengths.minimum))


def anchor_hashes(secret: str, lengths: Lengths, public: PublicText | None = None) -> Anchors:
    """The anchors of a secret. A short one that is a part of what is public has none; of a long one, those that are not
    public."""
    starts = anchors(secret, lengths)
    if not starts or (public is not None and len(secret) < lengths.passage and secret in public.text):
        return []
    hashes = windows(secret, lengths.minimum)[starts]
    known = set() if public is None or starts == [0] else set(public.set.places(hashes).tolist())
    return [(start, int(hashes[place])) for place, start in enumerate(starts) if place not in known]


def _common(first: str, second: str) -> int:
    """How many characters two texts have in common at their beginning."""
    length = min(len(first), len(second))
    if first[:length] == second[:length]:
        return length
    return next(place for place in range(length) if first[place] != second[place])
