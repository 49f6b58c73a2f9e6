"""Case banks of imported batches."""

from dataclasses import dataclass
from itertools import count
from pathlib import Path

import msgspec
from ruamel.yaml.comments import CommentedMap

from generator.errors import Finding
from generator.model.base import Json
from generator.model.cases import CaseBank
from generator.source.yaml_file import commented, dump, load, plain


@dataclass(frozen=True, slots=True)
class BankPlan:
    """Which bank the batch refers to; `content` is what is to be written, null where the bank is there."""

    id: str
    version: int
    content: bytes | None


def plan_bank(root: Path, bank: CaseBank) -> BankPlan | Finding:
    """The bank of that id if it has all the cases, whatever people have added to them; else a new one beside it.

    A bank is never extended: its version would grow, and the batches that were judged under it would be refused.
    """
    needed = {case.id for case in bank.cases}
    for number in count(1):
        bank_id = bank.id if number == 1 else f"{bank.id}-{number}"
        name = f"cases/{bank_id}.yaml"
        if not (root / name).exists():
            return BankPlan(bank_id, bank.version, _content(msgspec.structs.replace(bank, id=bank_id)))
        known = load(root, name)
        if isinstance(known, Finding):
            return known
        version = plain(known.content.get("version"))
        if isinstance(version, int) and needed <= _case_ids(plain(known.content.get("cases"))):
            return BankPlan(bank_id, version, None)
    raise AssertionError("count() does not end")


def _case_ids(cases: Json) -> set[str]:
    if not isinstance(cases, list):
        return set()
    return {str(case.get("id")) for case in cases if isinstance(case, dict)}


def _content(bank: CaseBank) -> bytes:
    mapping: CommentedMap = commented(msgspec.to_builtins(bank))
    mapping.yaml_set_start_comment(
        "Written by runcite import. Prompts are null: write those that may be public.\n"
        "Titles may be rewritten; gold may be added, if the version and the batches that use it follow.\n"
    )
    return dump(mapping).encode()
