"""One line of a runs file → a run, or every reason why it is none. Content of runs is never quoted."""

import itertools
import json
import math
import re
from collections.abc import Iterator

import msgspec

from generator.errors import Finding, Place
from generator.model.base import Json
from generator.model.rules import few, finding, visible_id
from generator.model.runs import Run
from generator.model.words import kind_of
from generator.read.types import Kind, known_path, mismatches, without_unknown_keys
from generator.read.unique_keys import has_unique_keys, repeated_keys
from generator.read.yaml_file import ENCODING_REMEDY, path_text

MAX_DEPTH = 100
"""Levels of nesting: deeper values would make every later step depend on the size of the stack."""
MAX_FINDINGS = 100
"""Of one line."""

_CODES: dict[Kind, str] = {"type": "RC024", "option": "RC024", "unknown": "RC024", "missing": "RC025"}
_DECODER = msgspec.json.Decoder(Run)
_NO_BRACKETS = re.compile(rb'"(?:[^"\\]|\\.)*+"|[^\[\]{}"]++')
_REPLACE = "write the line again; a run that is lost is INVALID with the reason artifact_write_failed"


_ESCAPE = "write the text with a JSON library, which escapes it"
_SYNTAX = {
    "Extra data": ("more after the object", "write each run in a line of its own"),
    "Expecting value": ("something that is no JSON value", "write texts in double quotes, and null where nothing is"),
    "Expecting property name enclosed in double quotes": ("a key without double quotes", "write keys in double quotes"),
    "Expecting ',' delimiter": (
        "a value without a comma after it",
        f"write the comma; if it is a quotation mark, {_ESCAPE}",
    ),
    "Expecting ':' delimiter": ("a key without a colon after it", "write the colon"),
    "Invalid control character": ("a control character inside of a text", _ESCAPE),
    "Invalid \\escape": ("a backslash that begins no escape", _ESCAPE),
}
"""What the parser says → what is there, and what to do."""


class _NotFinite:
    """Stands for a number that JSON does not have."""


def decode_line(line: bytes, place: Place) -> tuple[Run | None, list[Finding]]:
    """`place` holds file and line."""
    if _depth_exceeds(line, MAX_DEPTH):
        found, remedy = f"more than {MAX_DEPTH}", "store the deep value as text"
        return None, [finding("RC023", place, f"at most {MAX_DEPTH} levels of nesting", found, remedy)]
    try:
        run = _DECODER.decode(line)
        if has_unique_keys(line.decode("utf-8")):
            return run, []
    except (msgspec.MsgspecError, RecursionError, ValueError):
        pass
    return _explain(line, place)


def _explain(line: bytes, place: Place) -> tuple[Run | None, list[Finding]]:
    """The slow way: all findings of a line that is not plainly a run, or the run if it only holds a lone surrogate."""
    try:
        text = line.decode("utf-8")
    except UnicodeDecodeError as error:
        found = f"byte {error.start + 1} of the line is not UTF-8"
        return None, [finding("RC002", place, "UTF-8", found, ENCODING_REMEDY)]
    try:
        value = json.loads(text, parse_constant=_constant, parse_float=_float)
    except json.JSONDecodeError as error:
        return None, [finding("RC020", place, "one JSON object", *_reason(text, error))]
    except (ValueError, RecursionError):
        remedy = "write the number as text"
        return None, [finding("RC022", place, "numbers of a sane length", "a number of thousands of digits", remedy)]
    if not isinstance(value, dict):
        return None, [finding("RC021", place, "a JSON object", kind_of(value), "write one run a line")]
    run_id = value.get("run_id")
    here = Place(place.file, place.line, visible_id(run_id) if isinstance(run_id, str) else None)
    findings = few(itertools.chain(_repeated(text, here), _wrong(value, here)), MAX_FINDINGS, here)
    return (None, findings) if findings else (msgspec.convert(without_unknown_keys(value, Run), Run), [])


def _repeated(text: str, here: Place) -> Iterator[Finding]:
    """RC004. A key of a record is named; any other is content."""
    for path in repeated_keys(text):
        known = known_path(path, Run)
        where = Place(here.file, here.line, here.run, path_text(known) or None)
        found = f"`{path[-1]}` again" if known == path else "a key again, inside of what no schema names"
        yield finding("RC004", where, "each key once", found, "write the line with each key once")


def _wrong(value: dict[str, Json], here: Place) -> Iterator[Finding]:
    for path in sorted({known_path(path, Run) for path in _not_finite(value, ())}, key=path_text):
        where = Place(here.file, here.line, here.run, path_text(path))
        remedy = "leave the field out, or write null, where nothing was measured"
        yield finding("RC022", where, "a finite number", "NaN, Infinity or a number out of range", remedy)
    for wrong in mismatches(_without_not_finite(value), Run, quote=False):
        where = Place(here.file, here.line, here.run, path_text(wrong.path))
        yield finding(_CODES[wrong.kind], where, wrong.expected, wrong.found, wrong.remedy)


def _depth_exceeds(line: bytes, limit: int) -> bool:
    if line.count(b"{") + line.count(b"[") <= limit:
        return False
    depth = 0
    for bracket in _NO_BRACKETS.sub(b"", line):
        if bracket in b"[{":
            depth += 1
            if depth > limit:
                return True
        elif bracket in b"]}":
            depth -= 1
    return False


def _constant(_: str) -> _NotFinite:
    return _NotFinite()


def _float(text: str) -> float | _NotFinite:
    number = float(text)
    return number if math.isfinite(number) else _NotFinite()


def _not_finite(value: object, path: tuple[str | int, ...]) -> list[tuple[str | int, ...]]:
    if isinstance(value, _NotFinite):
        return [path]
    if isinstance(value, dict):
        return [found for key, item in value.items() for found in _not_finite(item, (*path, key))]
    if isinstance(value, list):
        return [found for position, item in enumerate(value) for found in _not_finite(item, (*path, position))]
    return []


def _without_not_finite(value: Json) -> Json:
    """The value with 0 for each number that JSON does not have: its own finding says enough."""
    if isinstance(value, _NotFinite):
        return 0
    if isinstance(value, dict):
        return {key: _without_not_finite(item) for key, item in value.items()}
    return [_without_not_finite(item) for item in value] if isinstance(value, list) else value


def _reason(text: str, error: json.JSONDecodeError) -> tuple[str, str]:
    """What is there instead of a run, without any content, and what to do."""
    if text.strip() in ("[", "{"):
        return "the beginning of a document of many lines", "write each run in one line, without commas between them"
    if error.pos >= len(text.rstrip()) or error.msg.startswith("Unterminated string"):
        return "a line that is cut off", _REPLACE
    known = (words for said, words in _SYNTAX.items() if error.msg.startswith(said))
    found, remedy = next(known, ("text that is not JSON", _REPLACE))
    return f"{found} (column {error.colno})", remedy
