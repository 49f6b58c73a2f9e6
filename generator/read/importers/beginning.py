"""What the beginning of a file shows of its format, so that a large one is not read twice."""

import re
import zipfile
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Literal

from generator.read.importers.files import decode_beginning

HEAD_BYTES = 256 * 1024
MAX_DEPTH = 4
Kind = Literal["json", "zip", "xml", "text", "pointer", "empty"]

_TOKEN = re.compile(r'"((?:[^"\\]|\\.)*)"(\s*:)?|[{}\[\]]', re.DOTALL)
_ROOT = re.compile(r"<([A-Za-z][\w.-]*)")
_POINTER = "version https://git-lfs.github.com/spec/"


@dataclass(frozen=True, slots=True)
class Beginning:
    """The first bytes of a file.

    `paths` are the keys seen there, four levels deep, with dots between keys and `[]` for the items of a list:
    `info.num_trials`, `[].task_id`. In JSON Lines they are those of its lines, without a sign for the list, and `lines`
    is true. `entries` are the names in a zip archive, `root` the first element of XML.
    """

    path: Path
    kind: Kind
    paths: frozenset[str] = frozenset()
    lines: bool = False
    entries: tuple[str, ...] = ()
    root: str | None = None

    def has(self, *paths: str) -> bool:
        """Whether all of them were seen."""
        return self.paths.issuperset(paths)


@lru_cache(maxsize=4096)
def beginning_of(path: Path) -> Beginning:
    """Looks at the first 256 KiB, or at the list of a zip archive.

    Raises
    ------
    OSError
        The file cannot be read.
    """
    with path.open("rb") as stream:
        raw = stream.read(HEAD_BYTES)
    if raw.startswith(b"PK\x03\x04"):
        return Beginning(path, "zip", entries=_entries(path))
    text = decode_beginning(raw).lstrip("\ufeff \t\r\n")
    if not text:
        return Beginning(path, "empty")
    if text.startswith(_POINTER):
        return Beginning(path, "pointer")
    if text.startswith("<"):
        root = next((name for name in _ROOT.findall(text)), None)
        return Beginning(path, "xml", root=root)
    if text[0] not in "{[":
        return Beginning(path, "text")
    paths, lines = _paths(text)
    return Beginning(path, "json", paths=paths, lines=lines)


def _entries(path: Path) -> tuple[str, ...]:
    """None for an archive without its list, as one that is cut off is."""
    try:
        with zipfile.ZipFile(path) as archive:
            return tuple(archive.namelist())
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError):
        return ()


def _paths(text: str) -> tuple[frozenset[str], bool]:
    """Keys by their place; whether a second value follows the first."""
    found: set[str] = set()
    stack: list[str] = []
    closed = lines = False
    key = ""
    for token in _TOKEN.finditer(text):
        sign = token.group()
        if sign in "{[":
            if not stack:
                lines, closed = lines or closed, False
            inside = _joined(stack[-1] if stack else "", key)
            stack.append(inside + "[]" if sign == "[" else inside)
            key = ""
        elif sign in "}]":
            if not stack:
                break
            stack.pop()
            closed, key = not stack, ""
        elif token.group(2) is not None and stack:
            key = token.group(1)
            if len(stack) <= MAX_DEPTH:
                found.add(_joined(stack[-1], key))
        else:
            key = ""
    return frozenset(found), lines


def _joined(outer: str, key: str) -> str:
    return f"{outer}.{key}" if outer and key else outer or key
