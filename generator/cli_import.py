"""What `runcite import` was given → the files of one harness."""

from pathlib import Path
from typing import TYPE_CHECKING

from generator.errors import refuse

if TYPE_CHECKING:
    from generator.read.importers import Chosen


class UnknownFormat(Exception):
    """The first word names no harness and no file."""

    def __init__(self, name: str, options: list[str]) -> None:
        super().__init__(name)
        self.name = name
        self.options = options


def choose(words: list[str]) -> "Chosen":
    """The first word may name the format; all others are files, folders and patterns.

    Raises
    ------
    UnknownFormat
    Refused
        No file, or one of no known harness, or files of several.
    """
    from generator.read.importers import IMPORTERS, choose_files

    named = IMPORTERS.get(words[0]) if len(words) > 1 or not Path(words[0]).exists() else None
    if named is None and len(words) > 1 and _is_name(words[0]):
        raise UnknownFormat(words[0], sorted(IMPORTERS))
    given = words if named is None else words[1:]
    chosen, findings = choose_files(list(IMPORTERS.values()), named, [Path(word) for word in given])
    refuse(findings)
    assert chosen is not None
    return chosen


def guess_text(chosen: "Chosen") -> str:
    """One line that says what the files were taken for."""
    count = len(chosen.files)
    files = "1 file" if count == 1 else f"{count} files"
    return f"{files} read as {chosen.importer.harness.id}, by how {'it begins' if count == 1 else 'they begin'}"


def _is_name(word: str) -> bool:
    """Whether a word was meant as a format: it has the form of one, and nothing of that name is there."""
    return all(sign.isalnum() or sign in "-_" for sign in word) and not Path(word).exists()
