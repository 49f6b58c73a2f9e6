"""A random source that anyone can repeat: SHA-256 of a seed and a counter.

Block i (i = 0, 1, 2 …) is SHA-256 of the UTF-8 text `<seed>:<i>`, i in decimal digits. Its 32 bytes are four words of
64 bits, most significant byte first. A draw below m takes the next word w; it is w mod m if w < 2⁶⁴ − (2⁶⁴ mod m), else
the word is thrown away and the next one is taken, so that every result is equally likely. Nothing else is mixed in.

First words of the seed `runcite`: 0xcb404ad426c0d8e9, 0x363cfe2248daafb7, 0x36e7822dc3426e7a, 0x7eff0fcaad441246.
"""

import hashlib
import struct
from collections.abc import Iterator
from itertools import count, islice

_WORDS = 2**64


class CounterDraws:
    """Draws from the stream of one seed, in order."""

    def __init__(self, seed: str) -> None:
        self._words = _stream(seed)

    def word(self) -> int:
        """The next 64 bits, as a number in [0, 2⁶⁴)."""
        return next(self._words)

    def below(self, m: int) -> int:
        """A whole number in [0, m), each equally likely; ValueError unless 1 ≤ m ≤ 2⁶⁴."""
        return self.many_below(m, 1)[0]

    def many_below(self, m: int, draws: int) -> list[int]:
        """So many numbers below m, the same as by `below` one after the other."""
        if not 1 <= m <= _WORDS:
            raise ValueError(f"m must lie in [1, 2^64], got {m}")
        limit = _WORDS - _WORDS % m
        fair = (word % m for word in self._words if word < limit)
        return list(islice(fair, draws))


def _stream(seed: str) -> Iterator[int]:
    start = hashlib.sha256(f"{seed}:".encode())
    unpack = struct.Struct(">4Q").unpack
    for block in count():
        digest = start.copy()
        digest.update(b"%d" % block)
        yield from unpack(digest.digest())
