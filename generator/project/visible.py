"""Characters that a reader cannot see, or that reorder what he sees, as visible marks.

Escaped, never stripped: what is stripped is hidden evidence. The bracket that opens a mark is escaped too, so every
mark in a shown text was set by this project.
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
    f"{_NON_CHARACTERS}{OPEN}"
)
# A variation selector 15 or 16 after a visible character picks the form of an emoji; any other can smuggle data.
_UNSEEN = re.compile(f"[{_ALWAYS}]|(?<![^\ufe0e\ufe0f])[\ufe0e\ufe0f]")
_MAYBE_UNSEEN = re.compile(f"[{_ALWAYS}\ufe0e\ufe0f]")

Edit = tuple[int, int, str]
"""Start, end (code points of the raw text), and what stands there instead."""


def mark(character: str) -> str:
    """`⟦U+202E⟧`."""
    return f"{OPEN}U+{ord(character):04X}{CLOSE}"


def unseen_edits(text: str) -> list[Edit]:
    """Where `text` needs marks; in order, none overlapping."""
    if (text.isascii() and text.isprintable()) or _MAYBE_UNSEEN.search(text) is None:
        return []
    return [(found.start(), found.end(), mark(found.group())) for found in _UNSEEN.finditer(text)]


def visible(text: str) -> str:
    """`text` with marks; itself where it needs none."""
    return _UNSEEN.sub(lambda found: mark(found.group()), text) if unseen_edits(text) else text
