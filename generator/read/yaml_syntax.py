"""What is no YAML, in words for people: what the parser says is written for its authors."""

import re
from itertools import islice

import yaml

from generator.errors import Finding, Place
from generator.model.rules import finding, visible_id

_FORBIDDEN = re.compile("[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]")
_QUOTE = "quote texts that hold `: ` or `#`, or that begin with a sign"
_INDENT = "indent the lines of one list or object equally"
_SYNTAX = {
    "mapping values are not allowed": ("a second `: ` in one line, or a key below a value", _QUOTE),
    "cannot start any token": ("a value that begins with a sign of YAML", _QUOTE),
    "did not find expected key": ("a line that is neither a key nor part of a value", _INDENT),
    "block sequence entries are not allowed": (
        "a list that begins in the line of its key",
        "begin it in the next line",
    ),
    "could not find expected ':'": ("a line without `: `", "write `key: value`"),
    "did not find expected '-' indicator": ("a line of a list that does not begin with `- `", _INDENT),
    "did not find expected ',' or ']'": (
        "a list in brackets that is not closed, or a missing comma",
        "close it with `]`",
    ),
    "did not find expected ',' or '}'": (
        "an object in braces that is not closed, or a missing comma",
        "close it with `}`",
    ),
    "found unexpected end of stream": ("a quotation mark that is not closed", "close it"),
    "found unknown escape character": ("a backslash in double quotes", "use single quotes, or write two backslashes"),
    "did not find expected alphabetic or numeric": ("a value that begins with `*` or `&`", _QUOTE),
    "did not find expected node content": ("nothing where a value should be", "write the value"),
    "did not find expected <document start>": ("text after the end of the document", _INDENT),
}
"""What the parser says → what is there, and what to do."""


def forbidden_character(name: str, text: str) -> Finding | None:
    """RC003 for the first character that YAML does not have."""
    forbidden = _FORBIDDEN.search(text)
    if forbidden is None:
        return None
    place = Place(name, text.count("\n", 0, forbidden.start()) + 1)
    found = f"`{visible_id(forbidden[0])}`"
    return finding("RC003", place, "printable characters", found, "remove the character")


def syntax_error(name: str, text: str, error: yaml.MarkedYAMLError) -> Finding:
    """RC003 for a text that the parser refused."""
    mark, begun = error.problem_mark or error.context_mark, error.context_mark
    said = error.problem or "something else"
    found, remedy = next(
        (words for known, words in _SYNTAX.items() if known in said),
        (f"text that is not YAML ({said})", "check the indentation and the quotes"),
    )
    if mark is None:
        return finding("RC003", Place(name), "YAML", found, remedy)
    if _indents_with_tab(text, mark.line):
        found, remedy = "a tab that indents", "indent with spaces"
    where = f"column {mark.column + 1}"
    if begun is not None and begun.line != mark.line:
        where += f"; it belongs to what begins in line {begun.line + 1}"
    return finding("RC003", Place(name, mark.line + 1), "YAML", f"{found} ({where})", remedy)


def _indents_with_tab(text: str, number: int) -> bool:
    line = next(islice(text.splitlines(), number, None), "")
    return "\t" in line[: len(line) - len(line.lstrip())]
