"""A JUnit XML file → its test cases as JSON values.

A document type is refused before anything of it is read: entities could expand without end, or name files of this
machine. No other part of XML reaches beyond its file.
"""

from pathlib import Path
from typing import Any
from xml.parsers import expat

from generator.errors import Finding, Place
from generator.model.base import Json
from generator.model.rules import finding
from generator.read.importers.files import ForeignFile, read_bytes, source_file, visible

MAX_DEPTH = 50
_OUTCOMES = ("failure", "error", "skipped")
_SUITE_FIELDS = ("name", "timestamp")
_CASE_FIELDS = ("classname", "name", "time")


class _Refused(Exception):
    """Why a document is not read."""


class _Reader:
    """Takes the elements as they come. Texts of the document are passed over, but for attributes that are named."""

    def __init__(self) -> None:
        self.root: str | None = None
        self.suites: list[dict[str, Any]] = []
        self._open: list[dict[str, Any]] = []
        self._case: dict[str, Any] | None = None
        self._depth = 0

    def start(self, name: str, attributes: dict[str, str]) -> None:
        self.root = self.root or name
        self._depth += 1
        if self._depth > MAX_DEPTH:
            raise _Refused(f"elements nested deeper than {MAX_DEPTH} levels")
        if name == "testsuite":
            suite = {key: visible(attributes[key]) for key in _SUITE_FIELDS if key in attributes}
            self._open.append(suite | {"cases": []})
            self.suites.append(self._open[-1])
        elif name == "testcase" and self._open:
            self._case = {key: visible(attributes[key]) for key in _CASE_FIELDS if key in attributes}
            self._case |= {"outcomes": [], "properties": {}}
            self._open[-1]["cases"].append(self._case)
        elif self._case is not None and name in _OUTCOMES:
            kept = {key: visible(attributes[key]) for key in ("type", "message") if key in attributes}
            self._case["outcomes"].append(kept | {"kind": name})
        elif self._case is not None and name == "property" and "name" in attributes:
            self._case["properties"][visible(attributes["name"])] = visible(attributes.get("value", ""))

    def end(self, name: str) -> None:
        self._depth -= 1
        if name == "testcase":
            self._case = None
        elif name == "testsuite" and self._open:
            self._open.pop()


def load_junit(path: Path) -> ForeignFile | Finding:
    """`{suites: [{name, timestamp, cases: [{classname, name, time, properties, outcomes}]}]}`, or RC501 or RC502."""
    raw = read_bytes(path)
    if isinstance(raw, Finding):
        return raw
    reader = _Reader()
    parser = expat.ParserCreate()
    parser.StartElementHandler = reader.start
    parser.EndElementHandler = reader.end
    parser.StartDoctypeDeclHandler = _refuse_doctype
    try:
        parser.Parse(raw, True)
    except _Refused as refused:
        return _unreadable(path, str(refused), "remove it: no test report needs one")
    except expat.ExpatError as error:
        where = f"line {error.lineno}, column {error.offset + 1}"
        return _unreadable(path, f"text that is not XML ({where})", "check that it is whole, and fetch it again")
    if reader.root not in ("testsuites", "testsuite"):
        place, remedy = Place(visible(path.name)), "name the report of the test runner"
        return finding("RC502", place, "testsuites or testsuite as the first element", f"`{reader.root}`", remedy)
    suites: Json = reader.suites  # type: ignore[assignment]
    return ForeignFile(path, {"suites": suites}, source_file(path, raw))


def _refuse_doctype(*_: object) -> None:
    raise _Refused("a document type, which could expand without end or name files of this machine")


def _unreadable(path: Path, found: str, remedy: str) -> Finding:
    return finding("RC501", Place(visible(path.name)), "a JUnit XML file", found, remedy)
