"""The texts of a file of the site: as they are published, and in the one form in which secrets are looked for."""

import html
import re
import unicodedata
from dataclasses import dataclass

MARKUP = (".html", ".htm", ".svg", ".xml")
JSON = (".json", ".jsonl")

_ESCAPE_ROUNDS = 4
_ESCAPE = re.compile(r"\\(?:u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|(.))", re.DOTALL)
_SHORT = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f"}
_INLINE = re.compile(r"</?(?:b|bdi|del|em|i|ins|mark|q|s|small|span|strong|sub|sup|u|wbr)\b[^<>]*>")
_TAG = re.compile(r"<[^<>]*>")
_SURROGATE = re.compile("[\ud800-\udfff]")
_MARK = re.compile("⟦u\\+[0-9a-f]{4,6}⟧")
_UNSEEN = re.compile("[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\ufe00-\ufe0f\U000e0100-\U000e01ef\ufffd⟦⟧]")
"""What is printable to Python and yet not seen, and the brackets of marks."""


@dataclass(frozen=True, slots=True)
class SiteText:
    """`normal`: all of a file in normal form. `fresh`: its texts as published, without those that the same reader has
    given before."""

    normal: str
    fresh: str


def normal(text: str) -> str:
    """The form in which two texts are the same secret: escapes of JSON undone, NFKC, without white space, without
    characters that cannot be seen or the marks that stand for them, case folded."""
    if "\\" in text:
        text = _without_escapes(text)
    if text.isascii():
        text = "".join(text.split()).lower()
        return text if text.isprintable() else "".join(filter(str.isprintable, text))
    text = "".join(unicodedata.normalize("NFKC", text).split()).casefold()
    if not text.isprintable():
        text = "".join(filter(str.isprintable, text))
    return _UNSEEN.sub("", _MARK.sub("", text))


def unescaped(text: str) -> str:
    """`text` with one layer of JSON escapes undone."""
    text = _ESCAPE.sub(_character, text)
    if _SURROGATE.search(text):
        text = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return text


def _with_unescaped(text: str) -> str:
    return f"{text}\n{unescaped(text)}" if "\\" in text else text


def _without_escapes(text: str) -> str:
    for _ in range(_ESCAPE_ROUNDS):
        text = unescaped(text)
        if "\\" not in text:
            break
    return text.replace("\\", "")


def _character(found: re.Match[str]) -> str:
    code = found[1] or found[2]
    return chr(int(code, 16)) if code else _SHORT.get(found[3], found[3])


def in_context(address: str, data: bytes) -> str:
    """All texts of a file as a reader sees them: what only the markup of a line has parted is one text."""
    text = data.decode("utf-8", "replace")
    if address.endswith(MARKUP):
        shown = _TAG.sub("\n", _INLINE.sub("", text))
        text = html.unescape("\n".join([shown, *_TAG.findall(text)]))
    return _with_unescaped(text)


class TextReader:
    """Reads file after file. What many files of a site have in common is worked out once and remembered, within limits:
    lines of pages, and pieces between two tags or two members of JSON."""

    def __init__(self) -> None:
        self._elements, self._members = _Elements(), _Members()
        self._lines = _Lines(self._elements)

    def read(self, address: str, data: bytes) -> SiteText:
        """The texts of one file; a byte that is no UTF-8 is no part of a text."""
        text = data.decode("utf-8", "replace")
        if address.endswith(MARKUP):
            return _read(self._lines, text.split("\n"), self._elements)
        if address.endswith(JSON):
            return _read(self._members, text.split(',"'), self._members)
        return SiteText(normal(text), _with_unescaped(text))

    def forget(self) -> None:
        """Give everything again, so that a secret is found in each file that holds it."""
        for pieces in (self._lines, self._elements, self._members):
            pieces.clear()


class _Pieces(dict[str, str]):
    """Piece of a file → the normal form of its text. `fresh` and `attributes` are what is new in the file at hand."""

    most = 100_000

    def __init__(self) -> None:
        super().__init__()
        self.fresh: list[str] = []
        self.attributes: list[str] = []

    def bounded(self) -> None:
        if len(self) > self.most:
            self.clear()


def _read(found: _Pieces, pieces: list[str], new: _Pieces) -> SiteText:
    found.bounded()
    new.bounded()
    new.fresh, new.attributes = [], []
    shown = "".join([found[piece] for piece in pieces])
    return SiteText("\0".join([shown, *new.attributes]), "\n".join(new.fresh))


class _Members(_Pieces):
    """JSON, parted before the keys of objects and the texts of lists: a key and its value stay together."""

    def __missing__(self, piece: str) -> str:
        self.fresh.append(_with_unescaped(piece))
        shown = self[piece] = normal(piece) + ","
        return shown


class _Elements(_Pieces):
    """Markup, parted before the tags. A tag and its attributes are given when first seen."""

    def __missing__(self, piece: str) -> str:
        tag, closed, text = piece.partition(">")
        if not closed:
            tag, text = "", piece
        if " " in tag:
            tag = html.unescape(tag)
            self.fresh.append(tag)
            self.attributes.append(normal(tag))
        shown = ""
        if text and not text.isspace():
            text = html.unescape(text)
            self.fresh.append(_with_unescaped(text))
            shown = normal(text)
        self[piece] = shown
        return shown


class _Lines(_Pieces):
    """Lines of markup."""

    most = 20_000

    def __init__(self, elements: _Elements) -> None:
        super().__init__()
        self._elements = elements

    def __missing__(self, line: str) -> str:
        elements = self._elements
        shown = self[line] = "".join([elements[piece] for piece in line.split("<")])
        return shown
