"""The page of claims and evidence."""

from collections import Counter
from dataclasses import dataclass
from typing import Any

from generator.model.bound_text import numbers_of_text
from generator.model.claims import STATUSES, Claim, ClaimLedger, ClaimStatus, KeptDisagreement
from generator.model.metrics import Metric
from generator.model.numbers import Number
from generator.model.register import EvidenceEntry, EvidenceGroup
from generator.model.report import Report
from generator.views.frame import PageView

AUDIT_PAGE = "audit.html"


@dataclass(frozen=True)
class ClaimEntry:
    """A claim with the numbers that it binds besides those in its text, the one that says that something became better
    (None where the claim says no such thing), and the entries of the register it names."""

    claim: Claim
    numbers: list[tuple[Metric, Number]]
    improvement: Number | None
    evidence: list[EvidenceEntry]


@dataclass(frozen=True)
class KeptEntry:
    kept: KeptDisagreement
    evidence: list[EvidenceEntry]


@dataclass(frozen=True)
class EvidenceNumberRow:
    """A number on aggregate evidence, and what it is about (None: all of it)."""

    number: Number
    metric: Metric
    group: EvidenceGroup | None


@dataclass(frozen=True)
class EntryRow:
    entry: EvidenceEntry
    numbers: list[EvidenceNumberRow]


@dataclass(frozen=True)
class MixRow:
    """A part of a pooled ratio; `place` is that of its product in the detail."""

    place: int
    rate: Number
    weight: Number
    group: EvidenceGroup | None


@dataclass(frozen=True)
class Mix:
    """A pooled ratio beside one of its parts, and how it is made of all of them."""

    difference: Number
    pooled: Number
    part: Number
    rows: list[MixRow]


def audit_view(report: Report, title: str) -> PageView:
    register, ledger = report.source.register, report.source.claims
    entries = [] if register is None else register.evidence
    known = {entry.id: entry for entry in entries}
    claims = [] if ledger is None else [_claim(report, claim, known) for claim in ledger.claims]
    groups = [(status, [entry for entry in claims if entry.claim.status == status]) for status in STATUSES]
    kept = [] if ledger is None else ledger.disagreements
    context = {
        "groups": [(status, listed) for status, listed in groups if listed],
        "has_ledger": ledger is not None,
        "kept": [KeptEntry(entry, [known[name] for name in entry.evidence]) for entry in kept],
        "entries_of_register": [EntryRow(entry, number_rows(report, entry)) for entry in entries],
        "mixes": list(mixes(report)),
        "credit": None if register is None else register.credit,
    }
    banner = any(batch.batch.synthetic for batch in report.batches)
    return PageView(AUDIT_PAGE, "audit.md.j2", title, context, banner)


def claim_counts(ledger: ClaimLedger) -> list[tuple[ClaimStatus, int]]:
    """Claims of each status that occurs, in the order of the page."""
    counted = Counter(claim.status for claim in ledger.claims)
    return [(status, counted[status]) for status in STATUSES if counted[status]]


def number_rows(report: Report, entry: EvidenceEntry) -> list[EvidenceNumberRow]:
    """The numbers that rest on an entry, in the order of its data."""
    metrics = report.source.metrics.by_id()
    return [
        EvidenceNumberRow(number, metrics[number.metric], group_of(entry, number))
        for number in report.evidence_numbers.values()
        if number.evidence == entry.id
    ]


def group_of(entry: EvidenceEntry, number: Number) -> EvidenceGroup | None:
    """What a number of the entry is about."""
    groups = [] if entry.data is None else entry.data.groups
    return next((group for group in groups if f"{group.kind}-{group.id}" == number.slice), None)


def mixes(report: Report) -> list[Mix]:
    """Every difference of a pooled ratio and a part whose parts are given."""
    return [
        found
        for number in report.evidence_numbers.values()
        if number.compares is not None and (found := mix_of(report, number)) is not None
    ]


def mix_of(report: Report, number: Number) -> Mix | None:
    """How the pooled side of a difference is made of its parts; None where the evidence does not say."""
    parts: Any = None if number.detail is None else number.detail.get("parts")
    if number.compares is None or not parts or report.source.register is None:
        return None
    entry = report.source.register.entry(number.evidence or "")
    found = report.evidence_numbers
    rows = [
        MixRow(place, found[part["rate"]], found[part["weight"]], group_of(entry, found[part["rate"]]))
        for place, part in enumerate(parts)
    ]
    pooled, part = (found[name] for name in number.compares)
    return Mix(number, pooled, part, rows)


def _claim(report: Report, claim: Claim, known: dict[str, EvidenceEntry]) -> ClaimEntry:
    metrics = report.source.metrics.by_id()
    said = {*numbers_of_text(claim.text), *numbers_of_text(claim.does_not_show)}
    wanted = [*claim.numbers, *([] if claim.improvement is None else [claim.improvement])]
    numbers = [report.find_number(name) for name in dict.fromkeys(wanted) if name not in said]
    shown = [(metrics[number.metric], number) for number in numbers if number is not None]
    improvement = None if claim.improvement is None else report.find_number(claim.improvement)
    return ClaimEntry(claim, shown, improvement, [known[name] for name in claim.evidence])
