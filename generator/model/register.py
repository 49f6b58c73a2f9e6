"""The evidence register and its aggregate evidence: `evidence.yaml`, and data files in `evidence/`.

Aggregate evidence is what a source has published of runs that nobody can read one by one: frequency tables, counts,
summaries. Numbers may rest on it, and then say that they do. Decimals are texts, so that none is rounded on the way.
"""

import datetime
from typing import Literal

from generator.model.base import Definition, Text
from generator.model.metrics import Unit

REGISTER_FILE = "evidence.yaml"
DATA_FOLDER = "evidence"
EVIDENCE_BATCH = "evidence"
"""Stands for the batch in the ids of numbers that rest on aggregate evidence; no batch may have this id."""

EvidenceKind = Literal["file", "query", "document", "frequency_table", "published_counts"]
WITH_DATA: tuple[EvidenceKind, ...] = ("frequency_table", "published_counts")
HashAlgorithm = Literal["sha256", "md5", "git_blob"]
GroupKind = Literal["category", "stratum"]
Decimal = int | str
"""An integer, or a text such as `"38118.31"`."""


class Hash(Definition, frozen=True, kw_only=True):
    """Hex digits; `of` says of what, where that is not the file at `where`. A Git blob is the SHA-1 that Git names it
    by."""

    algorithm: HashAlgorithm
    value: str
    of: str | None = None


class Figure(Definition, frozen=True, kw_only=True):
    """A value as the evidence states it; `unit` is what it counts or measures.

    `quoted`: a summary of records that are not in the evidence, which therefore nobody can make again. `value` null:
    the evidence does not give it, and `why` says so.
    """

    id: str
    name: Text
    value: Decimal | None
    unit: Unit
    quoted: bool = False
    why: Text | None = None


class Frequencies(Definition, frozen=True, kw_only=True):
    """A frequency table: rows of [value, count], in any order; the value null is the bin of records without one.

    `cap` is the largest value that can be stored: a record that has it may have been larger.
    """

    id: str
    name: Text
    counts: Unit
    unit: Unit
    rows: list[tuple[Decimal | None, int]]
    cap: Decimal | None = None


class EvidenceGroup(Definition, frozen=True, kw_only=True):
    """What a number of the evidence is about: a category of what is counted, or a stratum of times with who reported
    them, what they time, and how it ended."""

    id: str
    kind: GroupKind
    name: Text
    authority: str | None = None
    event: str | None = None
    state: str | None = None


class MixPart(Definition, frozen=True, kw_only=True):
    """A part of a pooled ratio: the numbers of its rate and its weight, each as `<metric>` or `<metric>--<slice>`."""

    rate: str
    weight: str


class EvidenceNumber(Definition, frozen=True, kw_only=True):
    """A number to be made of the evidence. Which fields it has is decided by the operation of its metric.

    Lists name figures; a `-` in front subtracts. `sample` and `missing` are figures: how many records a quoted summary
    is of, and how many are missing from it. `compares` names two numbers of the same evidence. `said` is the value as
    the evidence prints it: percent of a ratio, points of a difference.
    """

    metric: str
    group: str | None = None
    figure: str | None = None
    terms: list[str] = []
    numerator: list[str] = []
    denominator: list[str] = []
    before: list[str] = []
    after: list[str] = []
    tables: list[str] = []
    at_most: Decimal | None = None
    compares: tuple[str, str] | None = None
    parts: list[MixPart] = []
    sample: str | None = None
    missing: str | None = None
    interval: bool = False
    said: str | None = None
    note: Text | None = None


class EvidenceData(Definition, frozen=True, kw_only=True):
    """`evidence/<name>.yaml`, or `data` of an entry."""

    figures: list[Figure] = []
    tables: list[Frequencies] = []
    groups: list[EvidenceGroup] = []
    numbers: list[EvidenceNumber] = []


class EvidenceEntry(Definition, frozen=True, kw_only=True):
    """An entry of the register. `where` names a file, a query or a document; `scope` says which claims it may carry.

    `no_runs` says why single runs are not available; entries with data have it. `data` holds the aggregate evidence,
    `file` names the file below `evidence/` that does.
    """

    id: str
    title: Text
    kind: EvidenceKind
    where: str
    scope: Text
    cannot_show: Text
    revision: str | None = None
    hashes: list[Hash] = []
    retrieved: datetime.date | None = None
    no_runs: Text | None = None
    file: str | None = None
    data: EvidenceData | None = None


class Credit(Definition, frozen=True, kw_only=True):
    """The work that the evidence is taken from."""

    title: str
    authors: str
    address: str
    licence: str
    changes: Text


class Register(Definition, frozen=True, kw_only=True):
    """`evidence.yaml`; when read, every entry that names a file has its data."""

    evidence: list[EvidenceEntry]
    credit: Credit | None = None

    def entry(self, identifier: str) -> EvidenceEntry:
        """The entry of that id; KeyError if there is none."""
        for entry in self.evidence:
            if entry.id == identifier:
                return entry
        raise KeyError(identifier)


def evidence_name(identifier: str) -> str:
    """The id of an entry in addresses. Ids have a form in which this is enough."""
    return identifier.lower()


def evidence_address(identifier: str) -> str:
    return f"api/v1/evidence/{evidence_name(identifier)}.json"


def slice_of(data: EvidenceData, group: str | None) -> str | None:
    """`category-<id>` or `stratum-<id>`; KeyError for a group that is not there."""
    if group is None:
        return None
    for known in data.groups:
        if known.id == group:
            return f"{known.kind}-{known.id}"
    raise KeyError(group)


def number_tail(metric: str, slice_: str | None) -> str:
    """What stands behind the evidence in the id of a number."""
    return metric if slice_ is None else f"{metric}--{slice_}"


def signed_figure(term: str) -> tuple[int, str]:
    """1 or -1, and the id of a figure, of an entry of a list such as `["passed", "-legacy_passed"]`."""
    return (-1, term[1:]) if term.startswith("-") else (1, term)
