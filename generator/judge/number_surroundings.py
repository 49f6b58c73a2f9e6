"""What stands around a number and decides how it is read: words of approximation and decrease, lists, headings."""

import re

from generator.judge import number_words as words
from generator.judge.number_patterns import SCALE, any_of

_DECREASE_WORD = rf"(?:{any_of(words.DECREASES)}|(?:{any_of(words.DECREASES_ENGLISH)})[a-z]*)"
_APPROXIMATE_WORD = rf"(?:{words.APPROXIMATIONS})"
_STRUCTURE_CHARACTER = "|".join(f"(?<![{other}]){word}" for word, other in words.STRUCTURE_CHARACTERS.items())
_STRUCTURE_WORD = (
    rf"(?:第|{any_of(words.STRUCTURE_WORDS)}|{_STRUCTURE_CHARACTER}"
    rf"|(?<![A-Za-z])(?i:{any_of(words.STRUCTURE_ENGLISH)}))"
)
_LISTING_WORD = rf"(?:{any_of(words.LISTING_WORDS)}|(?i:following))"

# Whether a text has such a word at all: mostly not, and then no number needs a second look.
_ANY_DECREASE = re.compile(_DECREASE_WORD, re.IGNORECASE)
_ANY_APPROXIMATE = re.compile(_APPROXIMATE_WORD)
_ANY_STRUCTURE = re.compile(
    any_of([form for word in words.STRUCTURE_ENGLISH for form in (word, word.title(), word.upper())])
    + f"|{any_of(words.STRUCTURE_WORDS)}|[第{''.join(words.STRUCTURE_CHARACTERS)}]"
)
_ANY_LISTING = re.compile(_LISTING_WORD)

# Up to the number.
_DECREASE = re.compile(_DECREASE_WORD + r"[^,，、。;；!?！？\n]{0,6}$", re.IGNORECASE)
_APPROXIMATE = re.compile(_APPROXIMATE_WORD + rf"\s?(?:有|为|是)?\s?[{words.CURRENCY_SIGNS}]?$")
_RANGE = re.compile(rf"[0-9](?:\s?{SCALE})?\s?(?:{any_of(words.UNITS)}|%|‰)?$")
_AFTERNOON = re.compile(r"(?:下午|晚上|傍晚|晚间)\s?$")
_ENUMERATION = r"(?:[0-9零〇一二两三四五六七八九十百]+(?:[-.][0-9]+)*\s?[-–~至到、和与]\s?)*(?:[0-9]+[-.])*"
_STRUCTURE = re.compile(rf"{_STRUCTURE_WORD}\s?{_ENUMERATION}$")
_LISTING = re.compile(_LISTING_WORD + r"的?\s?$")
_ORDINAL = re.compile(r"[ \t>　]*(?:[-*+•·]\s+)?\**[(（\[]?")
_HEADING = re.compile(r"[ \t]*#{1,6}\s+\**")

# The number itself, where it opens a line: a list goes to hundreds at most, a section may be 2.1.
_PLAIN = re.compile(r"[0-9]{1,3}(?:\.[0-9]{1,2})?|[零一二三四五六七八九十百]{2,4}")

# From the number on.
_LISTED = re.compile(rf"\s?(?:{any_of(words.LISTED_UNITS)})|\s(?:points|steps|items|options|reasons|parts)")
_ORDINAL_END = re.compile(r"[.、)）\]](?![0-9])")
_HEADING_END = re.compile(r"[.、)）]?(?:\s|$)(?!\s?(?:[千万亿%]|百万))")

# No pattern above looks further back.
_REACH = 24
_LINE_REACH = 12


class Surroundings:
    """The text around its numbers."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._decreases = _ANY_DECREASE.search(text) is not None
        self._approximations = _ANY_APPROXIMATE.search(text) is not None
        self._structures = _ANY_STRUCTURE.search(text) is not None
        self._listings = _ANY_LISTING.search(text) is not None

    def follows(self, word: str, end: int) -> bool:
        return self._text.startswith(word, end)

    def is_decreasing(self, start: int) -> bool:
        """A word of decrease stands within six characters before, in the same clause."""
        return self._decreases and self._ends_before(_DECREASE, start)

    def is_approximate(self, start: int) -> bool:
        return self._approximations and self._ends_before(_APPROXIMATE, start)

    def is_range(self, start: int) -> bool:
        """A hyphen here would join a number (with its unit) to the next one."""
        return self._ends_before(_RANGE, start)

    def is_afternoon(self, start: int) -> bool:
        return self._ends_before(_AFTERNOON, start)

    def is_structure(self, start: int, end: int) -> bool:
        """Whether a number only orders the text: 第2步, 表3, 以下3点, a list's or a heading's own number."""
        if self._structures and self._ends_before(_STRUCTURE, start):
            return True
        if self._listings and _LISTED.match(self._text, end) and self._ends_before(_LISTING, start):
            return True
        if not _PLAIN.fullmatch(self._text, start, end):
            return False
        near = max(0, start - _LINE_REACH - 1)
        line = self._text.rfind("\n", near, start) + 1
        if line == 0 and near > 0:
            return False
        return self._opens(_ORDINAL, _ORDINAL_END, line, start, end) or self._opens(
            _HEADING, _HEADING_END, line, start, end
        )

    def _ends_before(self, pattern: re.Pattern[str], start: int) -> bool:
        return pattern.search(self._text, max(0, start - _REACH), start) is not None

    def _opens(self, before: re.Pattern[str], after: re.Pattern[str], line: int, start: int, end: int) -> bool:
        """The line begins with the number, between `before` and `after`."""
        return after.match(self._text, end) is not None and before.fullmatch(self._text, line, start) is not None
