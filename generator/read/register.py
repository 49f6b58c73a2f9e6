"""`evidence.yaml` with its data files, and `claims.yaml`: both may be absent."""

import hashlib
from typing import NamedTuple, TypeVar

import msgspec

from generator.errors import Place
from generator.model.claims import CLAIMS_FILE, ClaimLedger
from generator.model.register import (
    DATA_FOLDER,
    REGISTER_FILE,
    EvidenceData,
    EvidenceEntry,
    HashAlgorithm,
    Register,
)
from generator.model.rules import finding
from generator.read.definitions import read_definition
from generator.read.files import Files, Unusable, inside

T = TypeVar("T")


class AuditFiles(NamedTuple):
    """None where a file is absent. `is_complete`: whether all that is there could be read."""

    register: Register | None
    claims: ClaimLedger | None
    is_complete: bool


def read_audit(files: Files) -> AuditFiles:
    """Read both files below the root of the source; findings go where `files` keeps them."""
    register, has_register = _optional(files, REGISTER_FILE, Register)
    claims, has_claims = _optional(files, CLAIMS_FILE, ClaimLedger)
    is_complete = has_register and has_claims
    if register is not None:
        entries: list[EvidenceEntry] = []
        for place, entry in enumerate(register.evidence):
            _check_own_file(files, entry, place)
            with_data = _with_data(files, entry, place)
            is_complete &= with_data is not None
            entries.append(with_data or entry)
        register = msgspec.structs.replace(register, evidence=entries)
    return AuditFiles(register, claims, is_complete)


def _optional(files: Files, name: str, type_: type[T]) -> tuple[T | None, bool]:
    """The record, and whether nothing went wrong."""
    path = files.root / name
    if not path.exists() and not path.is_symlink():
        return None, True
    record = _read(files, name, type_, "restore the file, or remove it with what refers to it")
    return record, record is not None


def _read(files: Files, name: str, type_: type[T], remedy: str) -> T | None:
    raw = files.read(name, remedy)
    if raw is None:
        return None
    record, findings = read_definition(name, raw, type_)
    files.findings += findings
    return record


def _check_own_file(files: Files, entry: EvidenceEntry, place: int) -> None:
    """RC161: where the evidence is a file of the source, its hash is recomputed."""
    try:
        path = inside(files.root, entry.where)
    except (OSError, Unusable, ValueError):
        return
    if entry.kind != "file" or not path.is_file():
        return
    for number, known in enumerate(entry.hashes):
        made = _digest(path.read_bytes(), known.algorithm)
        if known.of is None and known.value != made:
            where = Place(REGISTER_FILE, field=f"evidence[{place}].hashes[{number}].value")
            remedy = "the file has changed since: look at what it is now, and take its hash again"
            files.findings.append(finding("RC161", where, f"{made}, that of the file", "another hash", remedy))


def _digest(data: bytes, algorithm: HashAlgorithm) -> str:
    if algorithm == "git_blob":
        return hashlib.sha1(b"blob %d\0" % len(data) + data, usedforsecurity=False).hexdigest()
    return hashlib.new(algorithm, data, usedforsecurity=False).hexdigest()


def _with_data(files: Files, entry: EvidenceEntry, place: int) -> EvidenceEntry | None:
    """The entry with the data of the file that it names; None where that cannot be read."""
    if entry.file is None:
        return entry
    where = Place(REGISTER_FILE, field=f"evidence[{place}].file")
    if entry.data is not None:
        remedy = "keep the data in one place"
        files.findings.append(finding("RC162", where, "`file` or `data`", "both", remedy))
        return None
    if "/" in entry.file or "\\" in entry.file or not entry.file.endswith(".yaml"):
        expected, remedy = f"the name of a .yaml file in {DATA_FOLDER}/", "move the file there and name it"
        files.findings.append(finding("RC162", where, expected, "another path", remedy))
        return None
    data = _read(files, f"{DATA_FOLDER}/{entry.file}", EvidenceData, "add the file, or take `file` out of the entry")
    return None if data is None else msgspec.structs.replace(entry, data=data)
