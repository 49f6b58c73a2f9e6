"""Files of a foreign harness → JSON values that every later step can encode."""

import codecs
import hashlib
import json
import math
import re
from dataclasses import dataclass
from pathlib import Path

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
)
"""How a file begins that is no text → what it is, and what to do."""
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


def read_files(paths: list[Path]) -> tuple[list[ForeignFile], list[Finding]]:
    """All files in the given order; one finding for each that cannot be read."""
    files: list[ForeignFile] = []
    findings: list[Finding] = []
    for path in paths:
        read = _read_file(path)
        if isinstance(read, Finding):
            findings.append(read)
        else:
            files.append(read)
    return files, findings


def _read_file(path: Path) -> ForeignFile | Finding:
    try:
        if path.is_dir():
            return _unreadable(path, "a folder", "name the result files themselves")
        if path.stat().st_size > MAX_BYTES:
            return _unreadable(path, f"more than {MAX_BYTES} bytes", "split the file by task, or import fewer runs")
        raw = path.read_bytes()
    except FileNotFoundError:
        return _unreadable(path, "no such file", "check the path")
    except OSError as error:
        return _unreadable(path, f"a file that cannot be read ({error.strerror})", "check the rights of the file")
    value = _parse(path, raw)
    if isinstance(value, Finding):
        return value
    digest = "sha256:" + hashlib.sha256(raw).hexdigest()
    return ForeignFile(path, value[0], SourceFile(name=visible(path.name), bytes=len(raw), sha256=digest))


def _parse(path: Path, raw: bytes) -> tuple[Json] | Finding:
    if not raw.strip():
        return _unreadable(path, "an empty file", "export the results again")
    try:
        return (parse_json(_decode(raw)),)
    except UnicodeDecodeError as error:
        return _unreadable(path, *_no_text(raw, error))
    except json.JSONDecodeError as error:
        found = f"text that is not JSON (line {error.lineno}, column {error.colno})"
        return _unreadable(path, found, "check that the harness wrote it; if it is cut off, fetch it again")
    except RecursionError:
        return _unreadable(path, f"values nested deeper than {MAX_DEPTH} levels", "check what made this file")


def parse_json(text: str) -> Json:
    """A JSON value that can be written again.

    Raises
    ------
    ValueError
        The text is no JSON.
    RecursionError
        It is nested deeper than `MAX_DEPTH`.
    """
    return _writable(json.loads(text, parse_float=_finite, parse_int=_exact, parse_constant=str), 0)


def _decode(raw: bytes) -> str:
    for bom, encoding in _BOMS:
        if raw.startswith(bom):
            return raw.decode(encoding)
    return raw.decode("utf-8")


def _no_text(raw: bytes, error: UnicodeDecodeError) -> tuple[str, str]:
    for start, kind, remedy in _BINARY:
        if raw.startswith(start):
            return kind, remedy
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


def _unreadable(path: Path, found: str, remedy: str) -> Finding:
    place = Place(visible(path.name) or str(path))
    return finding("RC501", place, "a JSON file of the harness", found, remedy)
