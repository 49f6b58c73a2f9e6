"""YAML → JSON values with line numbers, without the traps of YAML.

Plain scalars follow the core schema of YAML 1.2: only `true` and `false` are booleans, `12:30` and `2026-11-30` are
text, `no` is text. Duplicate keys, anchors, aliases and tags are findings. Keys are text as written.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

import yaml

from generator.errors import Finding, Place
from generator.model.base import Json
from generator.model.rules import finding
from generator.read.yaml_syntax import forbidden_character, syntax_error

MAX_BYTES = 32 * 1024 * 1024
MAX_VALUES = 200_000
"""Keys, texts, numbers, lists and objects of one file: some seconds of reading. A bank of a thousand cases has a
third of it."""
MAX_DEPTH = 64
MAX_DIGITS = 400
"""A longer number stays text: Python refuses to print it."""
MAX_FINDINGS = 1000
"""Of one file."""

_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

Path = tuple[str | int, ...]
"""Where a value stands in its file: keys and list positions."""

_INT = re.compile(r"[-+]?[0-9]+")
_OCTAL = re.compile(r"0o[0-7]+")
_HEX = re.compile(r"0x[0-9a-fA-F]+")
_FLOAT = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?")
_NOT_JSON = re.compile(r"[-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN)")
_WORDS: dict[str, Json] = {
    **dict.fromkeys(("", "~", "null", "Null", "NULL"), None),
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
}
_MARKS = (
    (b"\xef\xbb\xbf", "a UTF-8 byte order mark"),
    (b"\xff\xfe", "UTF-16 or UTF-32 (little endian)"),
    (b"\xfe\xff", "UTF-16 (big endian)"),
    (b"\x00\x00\xfe\xff", "UTF-32 (big endian)"),
)
ENCODING_REMEDY = "save the file as UTF-8 without a byte order mark"


@dataclass
class Located:
    """A value with the line of each part of it. `file` is relative to the source."""

    file: str
    value: Json = None
    lines: dict[Path, int] = field(default_factory=dict)

    def place(self, path: Path = ()) -> Place:
        """The place of a part; a part that is not there is placed where it would stand."""
        near = path
        while near and near not in self.lines:
            near = near[:-1]
        return Place(self.file, self.lines.get(near), field=path_text(path) or None)


def path_text(path: Path) -> str:
    """`metrics[3].unit`."""
    text = ""
    for step in path:
        if isinstance(step, int):
            text += f"[{step}]"
        else:
            text += f".{step}" if text else step
    return text


def foreign_encoding(start: bytes) -> str | None:
    """What the first bytes of a file say against plain UTF-8, in words; None if nothing."""
    for mark, name in _MARKS:
        if start.startswith(mark):
            return name
    return "NUL bytes, as in UTF-16" if b"\x00" in start[:4] else None


def load_yaml(name: str, raw: bytes) -> tuple[Located | None, list[Finding]]:
    """Parse the bytes of one YAML document; None where no value could be made."""
    located = Located(name)
    if len(raw) > MAX_BYTES:
        expected, found = f"at most {MAX_BYTES} bytes", f"{len(raw)} bytes"
        return None, [finding("RC006", Place(name), expected, found, "split the file")]
    if (encoding := foreign_encoding(raw[:4])) is not None:
        return None, [finding("RC002", Place(name, 1), "UTF-8", encoding, ENCODING_REMEDY)]
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        return None, [finding("RC002", Place(name, line), "UTF-8", "a byte that is not UTF-8", ENCODING_REMEDY)]
    if (problem := forbidden_character(name, text)) is not None:
        return None, [problem]
    builder = _Builder(located)
    try:
        builder.build(yaml.parse(text, Loader=_LOADER))
    except yaml.MarkedYAMLError as error:
        return None, [*builder.findings, syntax_error(name, text, error)]
    except _BeyondLimit as error:
        return None, [*builder.findings, error.problem]
    return (None if builder.findings else located), builder.findings


class _BeyondLimit(Exception):
    """There is more of something than is read, with the finding that says so."""

    def __init__(self, code: str, place: Place, what: str, remedy: str) -> None:
        super().__init__(what)
        self.problem = finding(code, place, f"at most {what}", "more", remedy)


class _Builder:
    """Makes values out of the events of a parser."""

    def __init__(self, located: Located) -> None:
        self.located = located
        self.findings: list[Finding] = []
        self.values = 0

    def build(self, events: Iterator[yaml.Event]) -> None:
        documents = 0
        for event in events:
            if isinstance(event, yaml.DocumentStartEvent):
                documents += 1
                if documents > 1:
                    self._add("RC003", event, (), "one document", "another one after `---`", "keep one document")
                    return
            elif isinstance(event, yaml.NodeEvent):
                self.located.value = self._value(event, events, ())

    def _value(self, event: yaml.Event, events: Iterator[yaml.Event], path: Path) -> Json:
        self.located.lines.setdefault(path, _line(event))
        self.values += 1
        here = Place(self.located.file, _line(event))
        if self.values > MAX_VALUES:
            raise _BeyondLimit("RC006", here, f"{MAX_VALUES} values", "split the file")
        if len(path) > MAX_DEPTH:
            raise _BeyondLimit("RC006", here, f"{MAX_DEPTH} levels", "flatten it")
        self._check_plain(event, path)
        if isinstance(event, yaml.MappingStartEvent):
            return self._mapping(events, path)
        if isinstance(event, yaml.SequenceStartEvent):
            items: list[Json] = []
            while not isinstance(inner := next(events), yaml.SequenceEndEvent):
                items.append(self._value(inner, events, (*path, len(items))))
            return items
        return self._scalar(event, path) if isinstance(event, yaml.ScalarEvent) else None

    def _mapping(self, events: Iterator[yaml.Event], path: Path) -> dict[str, Json]:
        mapping: dict[str, Json] = {}
        while not isinstance(event := next(events), yaml.MappingEndEvent):
            key = event.value if isinstance(event, yaml.ScalarEvent) else None
            if key is None:
                self._add("RC007", event, path, "keys that are text", "another kind of key", "use a text as the key")
                self._value(event, events, (*path, "?"))
                self._value(next(events), events, (*path, "?"))
                continue
            inner = (*path, key)
            if key in mapping:
                first = self.located.lines[inner]
                self._add("RC004", event, inner, "each key once", f"again (first in line {first})", "remove one")
            self.located.lines[inner] = _line(event)
            self._check_plain(event, inner)
            mapping[key] = self._value(next(events), events, inner)
        return mapping

    def _scalar(self, event: yaml.ScalarEvent, path: Path) -> Json:
        text: str = event.value
        if event.style:
            return text
        if text in _WORDS:
            return _WORDS[text]
        if _NOT_JSON.fullmatch(text):
            self._add("RC007", event, path, "a finite number", f"`{text}`", "leave the key out, or quote the text")
            return None
        return _number(text)

    def _check_plain(self, event: yaml.Event, path: Path) -> None:
        if isinstance(event, yaml.AliasEvent) or getattr(event, "anchor", None) is not None:
            found = "an alias" if isinstance(event, yaml.AliasEvent) else "an anchor"
            self._add("RC005", event, path, "the value itself", found, "write the value where it is used")
        elif getattr(event, "tag", None) is not None:
            self._add("RC005", event, path, "an untagged value", "a tag", "remove the tag")

    def _add(self, code: str, event: yaml.Event, path: Path, expected: str, found: str, remedy: str) -> None:
        place = Place(self.located.file, _line(event), field=path_text(path) or None)
        self.findings.append(finding(code, place, expected, found, remedy))
        if len(self.findings) == MAX_FINDINGS:
            remedy = "correct these first: the rest was not looked at"
            raise _BeyondLimit("RC029", Place(self.located.file), f"{MAX_FINDINGS} findings here", remedy)


def _line(event: yaml.Event) -> int:
    return event.start_mark.line + 1 if event.start_mark else 1


def _number(text: str) -> Json:
    """The number that a plain scalar states, or the text itself."""
    if len(text) >= MAX_DIGITS:
        return text
    if _INT.fullmatch(text):
        return int(text)
    if _OCTAL.fullmatch(text) or _HEX.fullmatch(text):
        return int(text, 0)
    if _FLOAT.fullmatch(text):
        number = float(text)
        return number if abs(number) != float("inf") else text
    return text
