"""Notes the numbers of a published site in the ledger of its source, so that no later build changes them in silence."""

import datetime
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from generator.errors import Finding, Place, SiteError
from generator.model.addresses import file_name
from generator.model.ledger import LEDGER_FOLDER, EarlierFigures, Figures, Ledger, LedgerEntry
from generator.model.register import EVIDENCE_BATCH
from generator.model.rules import finding, visible_id
from generator.source.yaml_file import YamlFile, load, replace_file

INDEX = "api/v1/index.json"

PUBLICATION = "publication.yaml"

T = TypeVar("T")


@dataclass(frozen=True)
class Recorded:
    """What `record_site` noted of one batch: its file, how many numbers it holds now, how many of them are new and how
    many were restated since the last time."""

    file: str
    numbers: int
    new: int
    restated: int


class _Batch(msgspec.Struct, frozen=True):
    id: str
    numbers: str
    published_since: datetime.date | None


class _Index(msgspec.Struct, frozen=True):
    batches: list[_Batch]
    evidence_numbers: str | None = None

    def parts(self) -> list[_Batch]:
        """Batches, and what numbers on aggregate evidence have in the place of one."""
        if self.evidence_numbers is None:
            return self.batches
        return [*self.batches, _Batch(EVIDENCE_BATCH, self.evidence_numbers, None)]


class _Restated(msgspec.Struct, frozen=True):
    date: datetime.date
    old: int | float | None
    old_numerator: int | None
    old_denominator: int | None

    def earlier(self) -> EarlierFigures:
        figures = Figures(value=self.old, numerator=self.old_numerator, denominator=self.old_denominator)
        return EarlierFigures(restated=self.date, figures=figures)


class _Number(msgspec.Struct, frozen=True):
    id: str
    value: int | float | None
    numerator: int | None
    denominator: int | None
    metric_version: int
    runset: str | None
    restated: list[_Restated] = []
    compares: tuple[str, str] | None = None
    detail: dict[str, Any] | None = None


def record_site(site: Path, root: Path) -> tuple[list[Recorded], list[Finding]]:
    """Note every number of `site` below `published/` of the source `root`, one file a batch.

    What was recorded and is not in the site is kept. Recording a site twice changes nothing.

    Returns
    -------
    (recorded, findings) : with a finding (RC410: a recorded number has other figures, and no restatement says so;
    RC412: a damaged file; RC413: a site of another source) nothing was written.

    Raises
    ------
    SiteError
        The site cannot be read, or the ledger cannot be written.
    """
    published, findings = _published(root)
    ledgers: dict[str, tuple[Ledger, Recorded]] = {}
    for batch in _read(site / INDEX, _Index).parts():
        if published is not None and batch.id not in published | {EVIDENCE_BATCH}:
            findings.append(_foreign(batch.id))
            continue
        name = f"{LEDGER_FOLDER}/{file_name(batch.id)}.json"
        before, problem = _ledger(root, name)
        findings += problem
        numbers = {number.id: number for number in _read(site / batch.numbers, list[_Number])}
        entries = {number: _entry(found, batch, numbers) for number, found in numbers.items()}
        findings += _unexplained(before, entries, name)
        ledgers[name] = _merged(batch.id, name, before, entries)
    if not findings:
        for name, (ledger, _) in ledgers.items():
            _write(root, name, ledger)
    return [recorded for _, recorded in ledgers.values()], findings


def _published(root: Path) -> tuple[set[str] | None, list[Finding]]:
    """The batches that a source publishes; None where it does not say so in a form that can be read."""
    if not (root / PUBLICATION).is_file():
        remedy = "name the source of the site with --source"
        return None, [finding("RC001", Place(PUBLICATION), "the file", "nothing", remedy)]
    file = load(root, PUBLICATION)
    if not isinstance(file, YamlFile):
        return None, [file]
    entries = file.items("published")
    return {str(entry.get("batch")) for entry in entries if isinstance(entry, dict)}, []


def _foreign(batch: str) -> Finding:
    where = Place(PUBLICATION, field="published")
    remedy = "name the source that the site was built from with --source, or publish the batch and build again"
    return finding("RC413", where, "every batch of the site", f"no batch {visible_id(batch)}", remedy)


def _entry(number: _Number, batch: _Batch, numbers: Mapping[str, _Number]) -> LedgerEntry:
    made = number if number.compares is None else numbers.get(number.compares[0], number)
    profile = (made.detail or {}).get("profile")
    return LedgerEntry(
        since=batch.published_since,
        metric_version=number.metric_version,
        runset=number.runset,
        figures=Figures(value=number.value, numerator=number.numerator, denominator=number.denominator),
        earlier=[restated.earlier() for restated in number.restated],
        profile=profile if isinstance(profile, str) else None,
    )


def _unexplained(before: dict[str, LedgerEntry], entries: dict[str, LedgerEntry], name: str) -> list[Finding]:
    findings = []
    for number, recorded in before.items():
        entry = entries.get(number)
        if entry is None or _held(entry)[: len(_held(recorded))] == _held(recorded):
            continue
        place = Place(name, field=visible_id(number))
        found = f"{entry.figures} without a restatement"
        remedy = "record the site that was published, or restate the number in publication.yaml and build again"
        findings.append(finding("RC410", place, f"{recorded.figures}, as recorded", found, remedy))
    return findings


def _held(entry: LedgerEntry) -> list[Figures]:
    """All figures that a number had, oldest first."""
    return [earlier.figures for earlier in entry.earlier] + [entry.figures]


def _merged(
    batch: str, name: str, before: dict[str, LedgerEntry], entries: dict[str, LedgerEntry]
) -> tuple[Ledger, Recorded]:
    kept = {
        number: msgspec.structs.replace(entry, since=before[number].since) if number in before else entry
        for number, entry in entries.items()
    }
    numbers = dict(sorted((before | kept).items()))
    restated = sum(1 for number in kept if number in before and len(kept[number].earlier) > len(before[number].earlier))
    recorded = Recorded(name, numbers=len(numbers), new=len(kept.keys() - before.keys()), restated=restated)
    return Ledger(batch=batch, numbers=numbers), recorded


def _ledger(root: Path, name: str) -> tuple[dict[str, LedgerEntry], list[Finding]]:
    path = root / name
    if not path.exists():
        return {}, []
    try:
        return msgspec.json.decode(path.read_bytes(), type=Ledger).numbers, []
    except (OSError, msgspec.DecodeError, UnicodeDecodeError) as error:
        expected, remedy = "a ledger that `runcite record` wrote", "restore the file"
        return {}, [finding("RC412", Place(name), expected, str(error).lower(), remedy)]


def _read(path: Path, type_: type[T]) -> T:
    try:
        return msgspec.json.decode(path.read_bytes(), type=type_)
    except (OSError, msgspec.DecodeError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise SiteError(f"{path}: not a file of a built site ({reason})") from error


def _write(root: Path, name: str, ledger: Ledger) -> None:
    """One number a line, sorted by id, so that a change of the ledger reads like a change of numbers."""
    lines = (
        f"  {json.dumps(number)}: {json.dumps(_written(entry), ensure_ascii=False)}"
        for number, entry in ledger.numbers.items()
    )
    head = json.dumps(ledger.batch, ensure_ascii=False)
    text = f'{{\n "batch": {head},\n "numbers": {{\n' + ",\n".join(lines) + "\n }\n}\n"
    try:
        replace_file(root / name, text.encode("utf-8"))
    except OSError as error:
        raise SiteError(f"{root / name}: cannot be written ({error.strerror})") from error


def _written(entry: LedgerEntry) -> dict[str, Any]:
    """Without the profile that most numbers do not have."""
    written: dict[str, Any] = msgspec.to_builtins(entry)
    if entry.profile is None:
        del written["profile"]
    return written
