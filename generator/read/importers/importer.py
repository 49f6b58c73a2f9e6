"""An importer: what one module of a harness declares, and the path that all of them share."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from generator.errors import Finding, Place
from generator.model.imported import ImportedBatch, ImportOptions
from generator.model.rules import finding
from generator.read.importers.assemble import assemble
from generator.read.importers.beginning import Beginning
from generator.read.importers.capabilities import Feature, Feed
from generator.read.importers.files import ForeignFile, load_json
from generator.read.importers.harness import Harness, HarnessFile

ReadResult = tuple[list[HarnessFile], list[Finding]]
ReadFiles = Callable[[list[ForeignFile], ImportOptions], ReadResult]
Progress = Callable[[str], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Importer:
    """One harness.

    Attributes
    ----------
    recognises :
        Whether a file is of this harness, by its beginning.
    read :
        Files → runs, with what is wrong in them.
    feeds :
        How far the harness records each feature; all of them are named.
    load :
        One file → its JSON values; another reader for archives, lines and XML.
    companions :
        Files that belong to a file that was named, such as those that a header speaks of.
    suffixes :
        Endings of the files that are taken out of a folder.
    default_variant :
        The independent variable where none is named; None where a person has to say it.
    dated :
        Whether the files hold the day of execution.
    passes :
        Keys of launch arguments whose values may pass into a configuration; every other is counted and left out.
    """

    harness: Harness
    recognises: Callable[[Beginning], bool]
    read: ReadFiles
    feeds: dict[Feature, Feed]
    load: Callable[[Path], ForeignFile | Finding] = load_json
    companions: Callable[[Path], list[Path]] = lambda path: []
    suffixes: tuple[str, ...] = (".json",)
    default_variant: str | None = None
    dated: bool = True
    passes: tuple[str, ...] = ()

    def __call__(
        self, paths: list[Path], options: ImportOptions, progress: Progress = lambda step: None
    ) -> tuple[ImportedBatch | None, list[Finding]]:
        """One batch of all files, or the findings; see `docs/importers.md`."""
        foreign: list[ForeignFile] = []
        findings: list[Finding] = []
        every = with_companions(paths, self.companions)
        for position, path in enumerate(every, start=1):
            progress(f"reading {position} of {len(every)}: {path.name}")
            loaded = self.load(path)
            if isinstance(loaded, Finding):
                findings.append(loaded)
            else:
                foreign.append(loaded)
        files, problems = self.read(foreign, options)
        findings += problems
        if not findings and not self.dated and options.date is None:
            findings.append(self._no_date(files))
        if findings:
            return None, findings
        return assemble(self.harness, files, options, self.default_variant)

    def _no_date(self, files: list[HarnessFile]) -> Finding:
        place = Place(files[0].source.name if files else self.harness.id)
        remedy = f"give --date YYYY-MM-DD: {self.harness.title} records no time"
        return finding("RC506", place, "a date", "none", remedy)


def each_file(
    read_one: Callable[[ForeignFile, ImportOptions], tuple[HarnessFile | None, list[Finding]]],
) -> ReadFiles:
    """For harnesses whose files stand on their own."""

    def read(foreign: list[ForeignFile], options: ImportOptions) -> ReadResult:
        files: list[HarnessFile] = []
        findings: list[Finding] = []
        for file in foreign:
            made, problems = read_one(file, options)
            findings += problems
            if made is not None:
                files.append(made)
        return files, findings

    return read


def with_companions(paths: list[Path], companions: Callable[[Path], list[Path]]) -> list[Path]:
    """All files that were named, each before those that belong to it; a companion that was named is not taken twice."""
    taken = {path.resolve() for path in paths}
    every: list[Path] = []
    for path in paths:
        every.append(path)
        for found in companions(path):
            if found.resolve() not in taken:
                taken.add(found.resolve())
                every.append(found)
    return every
