"""A folder → a source: every definition typed, the heads of the published batches, the hash over all files."""

import unicodedata
from pathlib import Path
from typing import Protocol, TypeVar

from generator.errors import Finding, Place
from generator.model.base import Definition
from generator.model.batches import Batch
from generator.model.cases import CaseBank, Session
from generator.model.contracts import Contract
from generator.model.experiments import Experiment
from generator.model.metrics import MetricTable
from generator.model.profiles import Profile
from generator.model.projection import Projection
from generator.model.publication import Publication, PublishedBatch
from generator.model.rules import finding, visible_id
from generator.model.source import BatchSource, RunsFile, Source
from generator.model.tools import Catalog, FixtureSet, Policy, Redaction
from generator.model.words import did_you_mean, in_words
from generator.read.definitions import check_stem, read_definition
from generator.read.files import Files
from generator.read.ledger import read_ledger
from generator.read.register import read_audit

RUNS_NAMES = ("runs.jsonl", "runs.jsonl.gz", "runs.jsonl.zst", "runs.parquet")
MAX_BATCH_ID = 200
"""Bytes; the id is the name of a folder."""

_REMEDY = "add the file; `runcite init DIR` writes a source to start from"


class _Identified(Protocol):
    @property
    def id(self) -> str: ...


T = TypeVar("T")
R = TypeVar("R", bound=_Identified)


class _Experiments(Definition, frozen=True, kw_only=True):
    """`experiments.yaml`."""

    experiments: list[Experiment]


def read_source(root: Path) -> tuple[Source | None, list[Finding]]:
    """Read the source in `root`.

    Returns
    -------
    (source, findings) : the source is None where a definition could not be made; what could be read has been read, so
    that the findings are those of all files.
    """
    if not root.is_dir():
        found = "a file" if root.exists() else "nothing"
        remedy = "name the folder of a source; `runcite init DIR` makes one"
        return None, [finding("RC001", Place(root.name or "."), "a folder", found, remedy)]
    reader = _Reader(Files(root))
    source = reader.source()
    return source, reader.files.findings


class _Reader:
    def __init__(self, files: Files) -> None:
        self.files = files
        self.complete = True

    def source(self) -> Source | None:
        metrics = self._one("metrics.yaml", MetricTable)
        experiments = self._one("experiments.yaml", _Experiments)
        projection = self._one("projection.yaml", Projection)
        publication = self._one("publication.yaml", Publication)
        redaction = self._one("redaction.yaml", Redaction)
        if experiments is not None:
            self._check_experiment_ids(experiments.experiments)
        case_banks = self._folder("cases", CaseBank)
        catalogs = self._folder("catalogs", Catalog)
        fixtures = self._folder("fixtures", FixtureSet)
        policies = self._folder("policies", Policy)
        sessions = self._folder("sessions", Session)
        contracts = self._folder("contracts", Contract)
        profiles = self._folder("profiles", Profile)
        batches = self._batches(publication.published if publication else [])
        audit = read_audit(self.files)
        self.complete &= audit.is_complete
        published, ledger_findings = read_ledger(self.files.root)
        self.files.findings += ledger_findings
        if not (metrics and experiments and projection and publication and redaction and self.complete):
            return None
        return Source(
            root=self.files.root,
            hash=self.files.source_hash(),
            metrics=metrics,
            experiments={experiment.id: experiment for experiment in experiments.experiments},
            case_banks=case_banks,
            projection=projection,
            publication=publication,
            redaction=redaction,
            catalogs=catalogs,
            fixtures=fixtures,
            policies=policies,
            sessions=sessions,
            batches=batches,
            published=published,
            contracts=contracts,
            profiles=profiles,
            register=audit.register,
            claims=audit.claims,
        )

    def _one(self, name: str, type_: type[T], remedy: str = _REMEDY) -> T | None:
        raw = self.files.read(name, remedy)
        if raw is None:
            self.complete = False
            return None
        record, findings = read_definition(name, raw, type_)
        self.files.findings += findings
        self.complete &= record is not None
        return record

    def _check_experiment_ids(self, experiments: list[Experiment]) -> None:
        first: dict[str, int] = {}
        for position, experiment in enumerate(experiments):
            earlier = first.setdefault(experiment.id, position)
            if earlier != position:
                place = Place("experiments.yaml", field=f"experiments[{position}].id")
                found = f"`{experiment.id}` again, as in experiments[{earlier}]"
                self.files.findings.append(finding("RC101", place, "each id once", found, "rename one of them"))

    def _folder(self, folder: str, type_: type[R]) -> dict[str, R]:
        records: dict[str, R] = {}
        for name in self.files.definitions(folder):
            record = self._one(name, type_)
            if record is not None:
                stem = name.removeprefix(f"{folder}/").removesuffix(".yaml")
                self.files.findings += check_stem(record.id, stem, name)
                records[record.id] = record
        return records

    def _batches(self, published: list[PublishedBatch]) -> list[BatchSource]:
        batches: list[BatchSource] = []
        for position, entry in enumerate(published):
            place = Place("publication.yaml", field=f"published[{position}].batch")
            problem = _folder_problem(entry.batch)
            if problem is not None:
                expected = f"a name of at most {MAX_BATCH_ID} bytes without separators or control characters"
                remedy = "give the batch an id that can name its folder"
                self.files.findings.append(finding("RC015", place, expected, problem, remedy))
            elif (batch := self._batch(entry.batch, place)) is not None:
                batches.append(batch)
                continue
            self.complete = False
        return batches

    def _batch(self, batch_id: str, place: Place) -> BatchSource | None:
        folder = f"batches/{batch_id}"
        if not (self.files.root / folder).is_dir():
            remedy = f"add `{folder}/`, or take the batch out of publication.yaml"
            remedy = did_you_mean(batch_id, self.files.entries("batches"), remedy)
            self.files.findings.append(finding("RC013", place, f"the folder `{folder}`", "nothing", remedy))
            return None
        head_name = f"{folder}/batch.yaml"
        head = self._one(head_name, Batch, "add the head of the batch, or take it out of publication.yaml")
        runs = self._runs_file(folder)
        if head is None or runs is None:
            return None
        self.files.findings += check_stem(head.id, batch_id, head_name)
        return BatchSource(batch=head, head_name=head_name, runs=runs)

    def _runs_file(self, folder: str) -> RunsFile | None:
        found = [name for name in RUNS_NAMES if (self.files.root / folder / name).exists()]
        if len(found) != 1:
            remedy = "keep the one that holds the batch" if found else "add the runs, or take the batch out"
            others = in_words(map(visible_id, self.files.entries(folder)))
            names = " and ".join(found) or f"none of them; the folder holds {others}"
            place = Place(f"{folder}/")
            self.files.findings.append(finding("RC014", place, "one of " + ", ".join(RUNS_NAMES), names, remedy))
            return None
        name = f"{folder}/{found[0]}"
        digest = self.files.hash_file(name)
        return None if digest is None else RunsFile(path=self.files.root / name, name=name, sha256=digest)


def _folder_problem(batch_id: str) -> str | None:
    """Why an id cannot name a folder, in words; None if it can."""
    if batch_id in ("", ".", ".."):
        return f"`{batch_id}`"
    if any(character in "/\\:" for character in batch_id):
        return "a separator (`/`, `\\` or `:`)"
    if any(unicodedata.category(character) in ("Cc", "Cs", "Zl", "Zp") for character in batch_id):
        return "a control character"
    length = len(batch_id.encode("utf-8"))
    return f"{length} bytes" if length > MAX_BATCH_ID else None
