"""What `runcite import` was given → the files of one harness."""

import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from generator.errors import refuse

if TYPE_CHECKING:
    from generator.model.imported import ImportedBatch
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


LONG_BYTES = 20 * 1024 * 1024


def is_long(chosen: "Chosen") -> bool:
    """Whether reading takes long enough to say how far it is."""
    return sum(path.stat().st_size for path in chosen.files if path.is_file()) > LONG_BYTES


def folder_and_files(words: list[str]) -> tuple[Path, list[str]]:
    """What `init --from` was given: a new folder and files, or files alone, which go to `report`."""
    first = Path(words[0])
    is_folder = len(words) > 1 and not first.is_file() and not set("*?[") & set(words[0])
    empty = not first.exists() or (first.is_dir() and not any(first.iterdir()))
    return (first, words[1:]) if is_folder and empty else (Path("report"), words)


def first_batch(directory: Path, chosen: "Chosen", date: datetime.date | None) -> "ImportedBatch":
    """A batch of the files, with an experiment named after the folder. Where the files differ at several places of the
    configuration, the model is what the experiment is about, else the first place.

    Raises
    ------
    Refused
        The files cannot be imported, or the folder is not empty.
    """
    from generator.model.imported import ImportOptions
    from generator.read.importers.variants import slug
    from generator.source import init_source, write_import

    name = slug(directory.resolve().name)
    options = ImportOptions(experiment=name, batch=f"{name}-1", date=date, propose=True)
    imported, findings = chosen.importer(chosen.files, options)
    refuse(findings)
    assert imported is not None
    refuse(init_source(directory))
    refuse(write_import(directory, imported))
    return imported


def report_text(directory: Path, imported: "ImportedBatch") -> str:
    """What was proposed, and what a person has to look at."""
    experiment = imported.experiment
    variants = ", ".join(variant.id for variant in experiment.variants)
    lines = [
        f"{directory}: {len(imported.runs)} runs; compared at {experiment.independent_variable}: {variants}",
        f"titles, purpose and names are drafts: see {directory / 'experiments.yaml'}",
    ]
    if imported.differs:
        differs = ", ".join(imported.differs)
        lines.append(f"the variants differ at {differs} as well: say there why, before the site builds")
    return "\n".join(lines)
