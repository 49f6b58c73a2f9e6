"""Files of a foreign harness → JSON values that every later step can encode."""

import codecs
import hashlib
import json
import math
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import msgspec
import numpy as np

from generator.errors import Finding, Place
from generator.model.base import Json
from generator.model.batches import SourceFile
from generator.model.rules import finding

MAX_BYTES = 512 * 1024 * 1024
MAX_DEPTH = 200
_BOMS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_BINARY = (
    (b"\x1f\x8b", "a gzip file", "unpack it with gunzip, and name what comes out"),
    (b"\x28\xb5\x2f\xfd", "a Zstandard file", "unpack it with unzstd, and name what comes out"),
    (b"PK\x03\x04", "a zip archive", "unpack it, and name the JSON files in it"),
    (b"PAR1", "a Parquet file", "export the results as JSON"),
    (b"version https://git-lfs", "a Git LFS pointer, not the file itself", "fetch the file with `git lfs pull`"),
)
"""How a file begins that is no text → what it is, and what to do."""
_STRING = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"', re.DOTALL)
_LONG_NUMBER = re.compile(r"(?<![\d.])\d{19}")
_SURROGATE = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class ForeignFile:
    """A file that was read.

    Numbers that not every reader holds (NaN, Infinity, integers beyond 64 bits) are kept as texts, lone surrogates are
    made visible, so that whatever is taken from `value` can be written again.
    """

    path: Path
    value: Json
    source: SourceFile

    @property
    def name(self) -> str:
        return self.source.name


def load_json(path: Path) -> ForeignFile | Finding:
    """A file of one JSON value, or RC501."""
    return _load(path, parse_json)


def load_lines(path: Path) -> ForeignFile | Finding:
    """A file of JSON Lines as the list of its values, or RC501. Only a line feed ends a line."""
    return _load(path, parse_lines)


def load_json_or_lines(path: Path) -> ForeignFile | Finding:
    """One JSON value as it is; several, one a line, as their list."""
    return _load(path, _json_or_lines)


def read_bytes(path: Path) -> bytes | Finding:
    """The content of a file that is neither missing, nor empty, nor beyond the limit."""
    try:
        if path.is_dir():
            return unreadable(path, "a folder", "name the result files themselves")
        if path.stat().st_size > MAX_BYTES:
            return unreadable(path, f"more than {MAX_BYTES} bytes", "split the file by task, or import fewer runs")
        raw = path.read_bytes()
    except FileNotFoundError:
        return unreadable(path, "no such file", "check the path")
    except OSError as error:
        return unreadable(path, f"a file that cannot be read ({error.strerror})", "check the rights of the file")
    if not raw.strip():
        return unreadable(path, "an empty file", "export the results again")
    return raw


def source_file(path: Path, raw: bytes) -> SourceFile:
    """What a batch says of a file that it was made from."""
    return SourceFile(name=visible(path.name), bytes=len(raw), sha256="sha256:" + hashlib.sha256(raw).hexdigest())


def _load(path: Path, parse: Callable[[str], Json]) -> ForeignFile | Finding:
    raw = read_bytes(path)
    if isinstance(raw, Finding):
        return raw
    if (kind := _kind(raw)) is not None:
        return unreadable(path, *kind)
    try:
        value = parse(_decode(raw))
    except UnicodeDecodeError as error:
        return unreadable(path, *_no_text(raw, error))
    except json.JSONDecodeError as error:
        found = f"text that is not JSON (line {error.lineno}, column {error.colno})"
        return unreadable(path, found, "check that the harness wrote it; if it is cut off, fetch it again")
    except RecursionError:
        return unreadable(path, f"values nested deeper than {MAX_DEPTH} levels", "check what made this file")
    return ForeignFile(path, value, source_file(path, raw))


def parse_lines(text: str) -> list[Json]:
    """The values of JSON Lines, empty lines aside.

    Raises
    ------
    json.JSONDecodeError, RecursionError
        As `parse_json`, with the number of the line.
    """
    values: list[Json] = []
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        try:
            values.append(parse_json(line))
        except json.JSONDecodeError as error:
            located = json.JSONDecodeError(error.msg, line, error.pos)
            located.lineno = number
            raise located from None
    return values


def _json_or_lines(text: str) -> Json:
    try:
        return parse_json(text)
    except json.JSONDecodeError as error:
        if error.msg != "Extra data" or not text.lstrip().startswith("{"):
            raise
    return parse_lines(text)


def parse_json(text: str) -> Json:
    """A JSON value that can be written again.

    Most files hold nothing odd, and are read by a faster reader.

    Raises
    ------
    ValueError
        The text is no JSON.
    RecursionError
        It is nested deeper than `MAX_DEPTH`.
    """
    plain = _plain_json(text)
    if plain is not None:
        return plain[0]
    return _writable(json.loads(text, parse_float=_finite, parse_int=_exact, parse_constant=str), 0)


def _plain_json(text: str) -> tuple[Json] | None:
    """The value of a text without numbers that not every reader holds, lone surrogates and deep nesting; None where
    there may be any of these."""
    frame = _STRING.sub("", text)
    if _LONG_NUMBER.search(frame) is not None or _depth(frame) > MAX_DEPTH:
        return None
    try:
        return (msgspec.json.decode(text),)
    except (msgspec.DecodeError, UnicodeEncodeError, RecursionError):
        return None


def _depth(frame: str) -> int:
    """How deep values are nested in a JSON text whose strings were taken out."""
    signs = np.frombuffer(frame.encode("ascii", "replace"), dtype=np.uint8)
    opened = (signs == ord("{")) | (signs == ord("["))
    closed = (signs == ord("}")) | (signs == ord("]"))
    return int(np.cumsum(opened.astype(np.int32) - closed.astype(np.int32)).max(initial=0))


def _decode(raw: bytes) -> str:
    return raw.decode(_encoding(raw))


def decode_beginning(raw: bytes) -> str:
    """The text at the beginning of a file; what is no text is passed over."""
    return raw.decode(_encoding(raw), errors="ignore")


def _encoding(raw: bytes) -> str:
    return next((encoding for bom, encoding in _BOMS if raw.startswith(bom)), "utf-8")


def _kind(raw: bytes) -> tuple[str, str] | None:
    """What a file is that begins like no text, and what to do."""
    return next(((kind, remedy) for start, kind, remedy in _BINARY if raw.startswith(start)), None)


def _no_text(raw: bytes, error: UnicodeDecodeError) -> tuple[str, str]:
    if b"\x00" in raw[:1024]:
        return "a binary file", "name the JSON file that the harness wrote"
    return f"text that is not UTF-8 (byte {error.start + 1})", "save the file as UTF-8"


def _finite(digits: str) -> Json:
    value = float(digits)
    return value if math.isfinite(value) else digits


def _exact(digits: str) -> Json:
    """Integers beyond 64 bits stay the text of their digits: not every reader holds them."""
    return int(digits) if len(digits) < 19 else digits


def _writable(value: Json, depth: int) -> Json:
    if depth > MAX_DEPTH:
        raise RecursionError
    if isinstance(value, str):
        return visible(value)
    if isinstance(value, list):
        return [_writable(item, depth + 1) for item in value]
    if isinstance(value, dict):
        return {visible(key): _writable(item, depth + 1) for key, item in value.items()}
    return value


def visible(text: str) -> str:
    """`text` with each lone surrogate as `⟦U+D800⟧`: it has no UTF-8."""
    return _SURROGATE.sub(lambda match: f"⟦U+{ord(match.group()):04X}⟧", text)


def unreadable(path: Path, found: str, remedy: str) -> Finding:
    """RC501: the file cannot be read, with what it is and what to do."""
    place = Place(visible(path.name) or str(path))
    return finding("RC501", place, "a JSON file of the harness", found, remedy)
