"""Foreign text made safe to show: escaped, and with every invisible character made visible."""

import re

from markupsafe import Markup, escape

# Controls (C0 but tab and newline, DEL, C1), soft hyphen, Arabic letter mark, Mongolian vowel separator, zero-width and
# bidirectional marks, line and paragraph separators, invisible operators and isolates, byte order mark, interlinear
# marks, variation selectors of the supplement, tags, lone surrogates, non-characters.
_HIDDEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e"
    "\u2060-\u206f\u3164\ufeff\uffa0\ufff0-\ufffb\ufffe\uffff\ud800-\udfff\U000e0000-\U000e0fff]"
)


def visible(text: str) -> str:
    """`text` with each character that a page would hide or obey written as its code point: `⟦U+202E⟧`.

    Nothing is removed: stripping hides evidence. Tab and newline stay. The result always encodes as UTF-8.
    """
    return text if text.isascii() and text.isprintable() else _HIDDEN.sub(_written, text)


def foreign(text: str) -> Markup:
    """Foreign text for an HTML page: visible, then escaped once, as a whole."""
    return escape(visible(text))


def marked(text: str, spans: list[tuple[int, int, str]]) -> Markup:
    """Foreign text with the stretches `[start, end)` set in a `mark` of the class that stands with them.

    Stretches that leave the text or overlap an earlier one are passed over: offsets are foreign too.
    """
    pieces: list[str] = []
    place = 0
    for start, end, kind in sorted(spans):
        if not place <= start < end <= len(text):
            continue
        pieces += [foreign(text[place:start]), f'<mark class="{kind}">', foreign(text[start:end]), "</mark>"]
        place = end
    pieces.append(foreign(text[place:]))
    return Markup("".join(pieces))


def _written(match: re.Match[str]) -> str:
    return f"⟦U+{ord(match[0]):04X}⟧"
