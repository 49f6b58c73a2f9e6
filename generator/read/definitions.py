"""Definition files → typed records, with all their errors at once."""

from typing import TypeVar

import msgspec

from generator.errors import Finding, Place
from generator.model.rules import few, finding
from generator.read.types import Kind, mismatches
from generator.read.yaml_file import MAX_FINDINGS, Located, load_yaml

T = TypeVar("T")

_CODES: dict[Kind, str] = {"type": "RC008", "option": "RC009", "unknown": "RC010", "missing": "RC011"}


def convert(located: Located, type_: type[T]) -> tuple[T | None, list[Finding]]:
    """The record that a value states; None, and every reason, where it does not."""
    wrongs = mismatches(located.value, type_, quote=True)
    findings = few(
        (finding(_CODES[it.kind], located.place(it.path), it.expected, it.found, it.remedy) for it in wrongs),
        MAX_FINDINGS,
        Place(located.file),
    )
    if findings:
        return None, findings
    return msgspec.convert(located.value, type_), []


def read_definition(name: str, raw: bytes, type_: type[T]) -> tuple[T | None, list[Finding]]:
    """Parse and type one file."""
    located, findings = load_yaml(name, raw)
    if located is None:
        return None, findings
    return convert(located, type_)


def check_stem(record_id: str, stem: str, name: str) -> list[Finding]:
    """A file of a folder of definitions is named by its id, so that two files cannot hold the same one."""
    if record_id == stem:
        return []
    remedy = f"rename the file to `{record_id}`, or correct the id"
    return [finding("RC012", Place(name, field="id"), f"`{stem}`", f"`{record_id}`", remedy)]
