"""Secrets and personal data inside kept text, replaced by a placeholder that says what stood there.

The whitelist decides what is published; this comes on top of it, for what people and models write into fields that
are rightly public.
"""

import re
from dataclasses import dataclass, field

from generator.model.patterns import compile_pattern
from generator.model.tools import Redaction, RedactionPattern
from generator.model.visible import CLOSE, OPEN, Edit

_SHORTEST = 6
_LONGEST_REMEMBERED = 64
_MOST_REMEMBERED = 50_000
_REPLACED = "\ue000"
_ANYTHING = "x" * 12
_GATE_DIGITS = 9
_LONG_DIGITS = b"0" * _GATE_DIGITS
_SEPARATORS = b" .()+-"
_DIGITS_ALIKE = bytes(ord("0") if chr(byte).isdigit() and byte < 128 else ord("x") for byte in range(256))
_CHECK_WEIGHTS = (7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2)
_CHECK_CHARACTERS = "10X98765432"


def luhn(text: str) -> bool:
    """Whether the digits of `text` pass the check of card numbers (ISO/IEC 7812-1, annex B)."""
    total = 0
    for place, digit in enumerate(int(character) for character in reversed(text) if character.isdigit()):
        doubled = digit * 2 if place % 2 else digit
        total += doubled - 9 if doubled > 9 else doubled
    return total % 10 == 0


def cn_identity(text: str) -> bool:
    """Whether 18 characters pass the check of Chinese identity numbers (GB 11643-1999, ISO 7064 MOD 11-2)."""
    total = sum(weight * int(digit) for weight, digit in zip(_CHECK_WEIGHTS, text[:17], strict=True))
    return _CHECK_CHARACTERS[total % 11] == text[17].upper()


_CHECKS = {"luhn": luhn, "cn_identity": cn_identity}
_FEWEST_CARD_DIGITS = 15
_WIDE = re.compile("[０-９Ａ-Ｚａ-ｚ＠]")
_NARROW = {
    wide: wide - 0xFEE0 for wide in (*range(ord("０"), ord("９") + 1), ord("＠"), ord("．"), ord("－"), ord("＋"))
}
_NARROW |= {wide: wide - 0xFEE0 for first, last in ("ＡＺ", "ａｚ") for wide in range(ord(first), ord(last) + 1)}


def narrow(text: str) -> str:
    """`text`, as long as before, with the full-width letters and digits of East Asian keyboards as plain ones."""
    return text.translate(_NARROW) if not text.isascii() and _WIDE.search(text) else text


@dataclass(frozen=True, slots=True)
class _Compiled:
    id: str
    name: str
    search: re.Pattern[str]
    has_value: bool
    check: str | None
    hints: tuple[bytes, ...]
    min_digits: int

    def may_match(self, encoded: bytes, long_digits: bool) -> bool:
        if self.min_digits >= _GATE_DIGITS and not long_digits:
            return False
        return not self.hints or any(hint in encoded for hint in self.hints)

    def spans(self, text: str) -> list[tuple[int, int]]:
        found = []
        for match in self.search.finditer(text):
            group = "value" if self.has_value and match.group("value") is not None else 0
            start, end = match.span(group)
            if self.check is not None:
                end = start + self._checked_length(match.group(group))
            if end > start:
                found.append((start, end))
        return found

    def _checked_length(self, matched: str) -> int:
        """How much of a match passes the check; a card number may be followed by another group of digits."""
        check = _CHECKS[self.check or ""]
        while not check(matched):
            matched = matched[: max(matched.rfind(" "), matched.rfind("-"), 0)]
            if sum(map(str.isdigit, matched)) < _FEWEST_CARD_DIGITS:
                return 0
        return len(matched)


class Redactor:
    """The patterns of a source, compiled once."""

    def __init__(self, redaction: Redaction) -> None:
        self.patterns = tuple(_compile(pattern) for pattern in redaction.patterns)
        self.all = tuple(range(len(self.patterns)))
        self._unchanged: set[str] = set()
        self._keys: dict[str, int | None] = {}

    def possible(self, text: str) -> tuple[int, ...]:
        """Indices of the patterns that `text`, or a part of it, may hold. Cheap: it is asked of all texts of a run."""
        return self._narrowed(narrow(text), self.all)

    def is_unchanged(self, text: str) -> bool:
        """Whether `text` is known to need no change."""
        return text in self._unchanged

    def first_left(self, text: str, among: tuple[int, ...]) -> int:
        """Where the first secret begins that shown text still holds; its length if it holds none."""
        left = (start for start, _, _ in self.find(text, among) if not text.startswith(OPEN, start))
        return next(left, len(text))

    def secret_of(self, key: str) -> int | None:
        """Index of the pattern that says that what stands under a key is a secret (`password`), None for other keys."""
        if key not in self._keys:
            before = f'"{key}": "'
            found = self.find(before + _ANYTHING, self.all)
            behind = [index for start, end, index in found if start == len(before) and end == start + len(_ANYTHING)]
            if len(self._keys) >= _MOST_REMEMBERED:
                self._keys.clear()
            self._keys[key] = behind[0] if behind else None
        return self._keys[key]

    def note_unchanged(self, text: str) -> None:
        """Remember a short text that needs no change: names, keys and dates come again in run after run."""
        if len(text) <= _LONGEST_REMEMBERED and len(self._unchanged) < _MOST_REMEMBERED:
            self._unchanged.add(text)

    def _narrowed(self, text: str, among: tuple[int, ...]) -> tuple[int, ...]:
        encoded = text.encode("utf-8", "surrogatepass")
        long_digits = _LONG_DIGITS in encoded.translate(_DIGITS_ALIKE, _SEPARATORS)
        return tuple(index for index in among if self.patterns[index].may_match(encoded, long_digits))

    def find(self, text: str, among: tuple[int, ...]) -> list[tuple[int, int, int]]:
        """Start, end and index of the pattern, in order, none overlapping.

        What several patterns match in part is replaced as one piece, so that no rest of a secret stays; the earlier
        pattern names it. What is replaced is a boundary for what stands beside it, so the rest is searched again.
        """
        if len(text) < _SHORTEST:
            return []
        text = narrow(text)
        found: list[tuple[int, int, int]] = []
        replaced = bytearray()
        while new := self._matches(text, among, replaced):
            found += new
            replaced = replaced or bytearray(len(text))
            text = _without(text, new, replaced)
        return _merged(sorted(found)) if len(found) > 1 else found

    def _matches(self, text: str, among: tuple[int, ...], replaced: bytearray) -> list[tuple[int, int, int]]:
        """Matches, but for those that begin with what was replaced before: `replaced` is 1 there, or empty."""
        return [
            (start, end, index)
            for index in self._narrowed(text, among)
            for start, end in self.patterns[index].spans(text)
            if not (replaced and replaced[start])
        ]


def _without(text: str, spans: list[tuple[int, int, int]], replaced: bytearray) -> str:
    """`text` with what cannot match in the place of each span; in one pass, because there may be very many."""
    pieces: list[str] = []
    place = 0
    for start, end, _ in sorted(spans):
        replaced[start:end] = b"\1" * (end - start)
        if end > place:
            pieces += [text[place : max(start, place)], _REPLACED * (end - max(start, place))]
            place = end
    return "".join([*pieces, text[place:]])


def _compile(pattern: RedactionPattern) -> _Compiled:
    search = compile_pattern(pattern.pattern)
    has_value = "value" in search.groupindex
    hints = tuple(hint.encode() for hint in pattern.hints)
    return _Compiled(pattern.id, pattern.name.zh, search, has_value, pattern.check, hints, pattern.min_digits)


def _merged(spans: list[tuple[int, int, int]]) -> list[tuple[int, int, int]]:
    merged = [spans[0]]
    for start, end, index in spans[1:]:
        last_start, last_end, last_index = merged[-1]
        if start < last_end:
            merged[-1] = (last_start, max(end, last_end), min(index, last_index))
        else:
            merged.append((start, end, index))
    return merged


@dataclass(slots=True)
class Placeholders:
    """What was replaced in one run: the same value has the same placeholder, distinct ones are numbered.

    `among` are the patterns that the texts of the run may hold; `clean` says that no text of the run needs a change.
    """

    redactor: Redactor
    among: tuple[int, ...]
    clean: bool = False
    counts: dict[str, int] = field(default_factory=dict)
    _given: dict[tuple[int, str], str] = field(default_factory=dict)
    _values: dict[int, int] = field(default_factory=dict)

    def edits(self, text: str, *, count: bool = True) -> list[Edit]:
        """The replacements that `text` needs. `count` is false for text that repeats a part of another."""
        return [
            (start, end, self._hide(index, text[start:end], count))
            for start, end, index in self.redactor.find(text, self.among)
        ]

    def named(self, key: str, value: str, *, count: bool = True) -> str | None:
        """The placeholder of a value whose key says that it is a secret."""
        index = self.redactor.secret_of(key) if self.among and value else None
        return None if index is None else self._hide(index, value, count)

    def hiding(self, piece: str) -> str | None:
        """The placeholder of a replaced value that `piece` is a part of."""
        for (_, value), placeholder in self._given.items():
            if piece in value:
                return placeholder
        return None

    def ordered_counts(self) -> dict[str, int]:
        """Replacements by pattern id, in the order of the patterns."""
        return {p.id: self.counts[p.id] for p in self.redactor.patterns if p.id in self.counts}

    def _hide(self, index: int, value: str, count: bool) -> str:
        if count:
            pattern = self.redactor.patterns[index].id
            self.counts[pattern] = self.counts.get(pattern, 0) + 1
        return self._placeholder(index, value)

    def _placeholder(self, index: int, value: str) -> str:
        key = (index, value)
        if key not in self._given:
            number = self._values[index] = self._values.get(index, 0) + 1
            suffix = "" if number == 1 else f" {number}"
            self._given[key] = f"{OPEN}已脱敏：{self.redactor.patterns[index].name}{suffix}{CLOSE}"
        return self._given[key]
