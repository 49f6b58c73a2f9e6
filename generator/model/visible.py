"""Characters that a reader cannot see, or that reorder what he sees, as visible marks.

Escaped, never stripped: what is stripped is hidden evidence. The bracket that opens a mark is escaped too, so every
mark in a shown text was set by this project. What is made visible a second time, because it stands on a page, keeps
the marks that it has: `visible_again`.
"""

import re

OPEN = "\N{MATHEMATICAL LEFT WHITE SQUARE BRACKET}"
CLOSE = "\N{MATHEMATICAL RIGHT WHITE SQUARE BRACKET}"

_NON_CHARACTERS = "".join(chr(plane * 0x10000 + last) for plane in range(1, 17) for last in (0xFFFE, 0xFFFF))
_ALWAYS = (
    "\x00-\x08\x0b-\x1f\x7f-\x9f\xad"  # control, soft hyphen; tab and newline stay
    "\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f"  # joiners, fillers, Mongolian selectors
    "\u200b-\u200f\u2028-\u202e\u2060-\u206f"  # zero-width, separators, bidirectional
    "\u3164\ufe00-\ufe0d\ufeff\uffa0\ufff0-\ufffb\ufdd0-\ufdef\ufffe\uffff"  # fillers, selectors, non-characters
    "\ud800-\udfff"  # lone surrogates
    "\U0001bca0-\U0001bca3\U0001d173-\U0001d17a"  # shorthand and music controls
    "\U000e0000-\U000e0fff"  # tags, further variation selectors
    f"{_NON_CHARACTERS}"
)
# A variation selector 15 or 16 after a visible character picks the form of an emoji; any other can smuggle data.
_STRAY_SELECTOR = "(?<![^\ufe0e\ufe0f])[\ufe0e\ufe0f]"
_UNSEEN = re.compile(f"[{_ALWAYS}{OPEN}]|{_STRAY_SELECTOR}")
_UNSEEN_BUT_MARKS = re.compile(f"[{_ALWAYS}]|{_STRAY_SELECTOR}")
_MAYBE_UNSEEN = re.compile(f"[{_ALWAYS}{OPEN}\ufe0e\ufe0f]")

# `str.isprintable` is a hundred times faster than the search but lets some of these through: how their UTF-8 begins.
_PRINTABLE_LEADS = (
    b"\xcd\x8f",
    b"\xe1\x85\x9f",
    b"\xe1\x85\xa0",
    b"\xe1\x9e\xb4",
    b"\xe1\x9e\xb5",
    b"\xe1\xa0\x8b",
    b"\xe1\xa0\x8c",
    b"\xe1\xa0\x8d",
    b"\xe1\xa0\x8f",
    b"\xe2\x9f\xa6",
    b"\xe3\x85\xa4",
    b"\xef\xb8\x80",
    b"\xef\xb8\x81",
    b"\xef\xb8\x82",
    b"\xef\xb8\x83",
    b"\xef\xb8\x84",
    b"\xef\xb8\x85",
    b"\xef\xb8\x86",
    b"\xef\xb8\x87",
    b"\xef\xb8\x88",
    b"\xef\xb8\x89",
    b"\xef\xb8\x8a",
    b"\xef\xb8\x8b",
    b"\xef\xb8\x8c",
    b"\xef\xb8\x8d",
    b"\xef\xb8\x8e",
    b"\xef\xb8\x8f",
    b"\xef\xbe\xa0",
    b"\xf3\xa0\x84",
    b"\xf3\xa0\x85",
    b"\xf3\xa0\x86",
    b"\xf3\xa0\x87",
)

_SHORT = 256
"""Characters. Up to so many, one look at each takes less time than a search for each lead."""

Edit = tuple[int, int, str]
"""Start, end (code points of the raw text), and what stands there instead."""


def mark(character: str) -> str:
    """`⟦U+202E⟧`."""
    return f"{OPEN}U+{ord(character):04X}{CLOSE}"


def all_seen(text: str) -> bool:
    """Whether `text` certainly needs no mark. False may be wrong; it is the cheap question before the search."""
    if text.isascii() and text.isprintable():
        return True
    plain = text.replace("\n", " ").replace("\t", " ").replace("\u3000", " ")
    if not plain.isprintable():
        return _MAYBE_UNSEEN.search(text) is None
    if plain.isascii():
        return True
    if len(plain) < _SHORT:
        return _MAYBE_UNSEEN.search(plain) is None
    encoded = plain.encode()
    return not any(lead in encoded for lead in _PRINTABLE_LEADS)


def unseen_edits(text: str) -> list[Edit]:
    """Where `text` needs marks; in order, none overlapping."""
    if all_seen(text):
        return []
    return [(found.start(), found.end(), mark(found.group())) for found in _UNSEEN.finditer(text)]


def visible(text: str) -> str:
    """`text` with marks; itself where it needs none."""
    return _UNSEEN.sub(lambda found: mark(found.group()), text) if unseen_edits(text) else text


def visible_again(text: str) -> str:
    """`text` with marks besides those that it has: for pages, where the texts of runs were made visible when they were
    projected, and ids and definitions were not. The result always encodes as UTF-8."""
    return text if all_seen(text) else _UNSEEN_BUT_MARKS.sub(lambda found: mark(found.group()), text)
