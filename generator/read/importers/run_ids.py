"""Run ids of a source that takes an imported batch: evidence is found by them, so no two batches share one."""

from collections.abc import Iterator
from pathlib import Path

import msgspec

from generator.errors import Finding, Place
from generator.model.base import Json
from generator.model.imported import ImportedBatch
from generator.model.rules import few, finding, visible_id
from generator.model.source import RunsFile
from generator.read.files import Files
from generator.read.importers.values import as_list, as_object, as_text
from generator.read.runs import partitions
from generator.read.source import RUNS_NAMES
from generator.read.yaml_file import load_yaml

MAX_FINDINGS = 100
LINES_AT_ONCE = 1000


class _Identified(msgspec.Struct, frozen=True):
    """What is read of a line; the rest of it is passed over."""

    run_id: str


_DECODER = msgspec.json.Decoder(_Identified)


def taken_run_ids(root: Path, imported: ImportedBatch) -> list[Finding]:
    """RC312: runs to import whose ids another published batch of the source has, one finding for each such batch.

    A runs file that cannot be read to its end is a finding as well, because nobody knows what it holds. Whatever else
    is wrong in the source is for the build to say.
    """
    files = Files(root)
    return few(_taken(files, imported), MAX_FINDINGS, Place("publication.yaml", field="published"))


def _taken(files: Files, imported: ImportedBatch) -> Iterator[Finding]:
    new = {run.run_id for run in imported.runs}
    folders = set(files.entries("batches"))
    for batch in _published(files):
        if batch == imported.batch.id or batch not in folders:
            continue
        for runs_name in RUNS_NAMES:
            name = f"batches/{batch}/{runs_name}"
            if (files.root / name).exists():
                yield from _taken_in(files, batch, name, new)


def _published(files: Files) -> list[str]:
    """Ids of the published batches; none where publication.yaml cannot be read, of which its writer speaks."""
    raw = files.read("publication.yaml", "")
    located = None if raw is None else load_yaml("publication.yaml", raw)[0]
    entries: list[Json] = [] if located is None else as_list(as_object(located.value).get("published"))
    ids = (as_text(as_object(entry).get("batch")) for entry in entries)
    return list(dict.fromkeys(batch for batch in ids if batch is not None))


def _taken_in(files: Files, batch: str, name: str, new: set[str]) -> Iterator[Finding]:
    before = len(files.findings)
    digest = files.hash_file(name)
    if digest is None:
        yield from files.findings[before:]
        return
    first: tuple[int, str] | None = None
    taken: set[str] = set()
    for partition in partitions(RunsFile(path=files.root / name, name=name, sha256=digest), LINES_AT_ONCE):
        yield from partition.findings
        for line, content in enumerate(partition.lines, start=partition.first_line):
            run_id = _run_id(content)
            if run_id in new:
                first = first or (line, run_id)
                taken.add(run_id)
    if first is not None:
        yield _collision(batch, Place(name, first[0], visible_id(first[1]), "run_id"), len(taken), len(new))


def _run_id(line: bytes) -> str:
    """Empty where the line is no run, which no id is."""
    try:
        return _DECODER.decode(line).run_id
    except (msgspec.MsgspecError, RecursionError, ValueError):
        return ""


def _collision(batch: str, place: Place, taken: int, new: int) -> Finding:
    name = visible_id(batch)
    expected = "ids that no run to import has"
    found = f"{taken} of the {new} runs to import, in batch `{name}` already; this is the first"
    remedy = (
        f"a run is of one batch: leave the files out that `{name}` was made of, "
        "or take that batch out of publication.yaml"
    )
    return finding("RC312", place, expected, found, remedy)
