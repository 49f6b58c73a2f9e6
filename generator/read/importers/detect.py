"""Files, folders and patterns → the files to import, and the harness that wrote them."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from generator.errors import Finding, Place
from generator.model.rules import finding
from generator.read.importers.beginning import Beginning, beginning_of
from generator.read.importers.files import unreadable, visible
from generator.read.importers.importer import Importer

_PATTERN = frozenset("*?[")
_WHAT = {
    "json": "JSON whose beginning is that of no known harness",
    "zip": "a zip archive without the entries of a known harness",
    "xml": "XML of another kind",
    "text": "a text that is no JSON",
}


@dataclass(frozen=True, slots=True)
class Chosen:
    """What is imported. `guessed`: nobody named the harness; it was told by the beginning of the files."""

    importer: Importer
    files: list[Path]
    guessed: bool


def choose_files(
    importers: Sequence[Importer], named: Importer | None, given: Iterable[Path]
) -> tuple[Chosen | None, list[Finding]]:
    """The files of one harness, in the given order, those of a folder or a pattern by name.

    Of a folder, all files with an ending of the harness are taken, those in its folders too, hidden ones aside. Without
    a named harness every file must be of the same one: RC513 for one that is of none, of several, or of another.
    """
    suffixes = {suffix for importer in ([named] if named is not None else importers) for suffix in importer.suffixes}
    files: list[Path] = []
    findings: list[Finding] = []
    for path in given:
        found = _expanded(path, suffixes)
        if isinstance(found, Finding):
            findings.append(found)
        else:
            files += found
    if findings:
        return None, findings
    if named is not None:
        return Chosen(named, files, guessed=False), []
    return _recognised(importers, files)


def _expanded(path: Path, suffixes: set[str]) -> list[Path] | Finding:
    if path.is_dir():
        inside = sorted(item for item in path.rglob("*") if item.is_file() and item.suffix.lower() in suffixes)
        visible_files = [item for item in inside if not any(part[0] == "." for part in item.relative_to(path).parts)]
        endings = ", ".join(sorted(suffixes))
        return visible_files or unreadable(path, f"a folder without a file that ends in {endings}", "check the path")
    if path.exists() or not _PATTERN & set(str(path)):
        return [path]
    root = Path(path.anchor)
    matches = sorted(root.glob(str(path.relative_to(root)) if path.anchor else str(path)))
    return [item for item in matches if item.is_file()] or unreadable(
        path, "a pattern that no file fits", "check the pattern"
    )


def _recognised(importers: Sequence[Importer], files: list[Path]) -> tuple[Chosen | None, list[Finding]]:
    findings: list[Finding] = []
    first: tuple[Importer, Path] | None = None
    for path in files:
        importer = _importer_of(importers, path)
        if isinstance(importer, Finding):
            findings.append(importer)
        elif first is None:
            first = importer, path
        elif importer is not first[0]:
            findings.append(_another(path, importer, *first))
    if findings or first is None:
        return None, findings
    return Chosen(first[0], files, guessed=True), []


def _importer_of(importers: Sequence[Importer], path: Path) -> Importer | Finding:
    try:
        beginning = beginning_of(path)
    except FileNotFoundError:
        return unreadable(path, "no such file", "check the path")
    except OSError as error:
        return unreadable(path, f"a file that cannot be read ({error.strerror})", "check the rights of the file")
    broken = _broken(beginning)
    if broken is not None:
        return broken
    able = [importer for importer in importers if importer.recognises(beginning)]
    if len(able) == 1:
        return able[0]
    known = ", ".join(importer.harness.id for importer in able or importers)
    if able:
        return _unclear(path, "a file of one known harness", f"one that could be of {known}")
    return _unclear(path, f"a result file of {known}", _WHAT.get(beginning.kind, "another file"))


def _broken(beginning: Beginning) -> Finding | None:
    if beginning.kind == "pointer":
        return unreadable(beginning.path, "a Git LFS pointer, not the file itself", "fetch it with `git lfs pull`")
    if beginning.kind == "empty":
        return unreadable(beginning.path, "an empty file", "export the results again")
    if beginning.kind == "zip" and not beginning.entries:
        return unreadable(beginning.path, "a zip archive that is cut off or damaged", "fetch the file again")
    return None


def _another(path: Path, importer: Importer, first: Importer, first_path: Path) -> Finding:
    expected = f"files of one harness ({first.harness.id}, as {visible(first_path.name)})"
    return _unclear(path, expected, f"a file of {importer.harness.id}")


def _unclear(path: Path, expected: str, found: str) -> Finding:
    remedy = "name the format (runcite import FORMAT FILE…), or leave the file out"
    return finding("RC513", Place(visible(path.name)), expected, found, remedy)
