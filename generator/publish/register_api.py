"""The register, its aggregate evidence and the claim ledger in the API."""

import datetime
from collections.abc import Iterator

from generator.model.base import Text
from generator.model.claims import Claim, ClaimStatus, KeptDisagreement, bound_by
from generator.model.numbers import publish_number
from generator.model.register import (
    EvidenceData,
    EvidenceEntry,
    EvidenceKind,
    Hash,
    evidence_address,
)
from generator.model.report import Report
from generator.publish.api_records import ApiRecord, IndexedEvidence
from generator.publish.json_text import json_bytes, plain

EVIDENCE_NUMBERS = "api/v1/numbers/evidence.json"
CLAIMS = "api/v1/claims.json"


class PublishedEntry(ApiRecord, frozen=True, kw_only=True):
    """`api/v1/evidence/<id>.json`: an entry of the register, with its aggregate evidence where it has any. `numbers`
    are the ids of those that rest on it."""

    id: str
    title: Text
    kind: EvidenceKind
    where: str
    revision: str | None
    hashes: list[Hash]
    retrieved: datetime.date | None
    scope: Text
    cannot_show: Text
    no_runs: Text | None
    data: EvidenceData | None
    numbers: list[str]


class PublishedClaim(ApiRecord, frozen=True, kw_only=True):
    """`numbers` are all that the claim binds, those in its texts first."""

    id: str
    text: Text
    status: ClaimStatus
    does_not_show: Text
    evidence: list[str]
    numbers: list[str]
    improvement: str | None


class PublishedClaims(ApiRecord, frozen=True, kw_only=True):
    """`api/v1/claims.json`. In texts `num(<id>)` stands for a number, `ref(<setting>)` for a threshold of the index."""

    claims: list[PublishedClaim]
    disagreements: list[KeptDisagreement]


def register_files(report: Report) -> Iterator[tuple[str, bytes]]:
    """Address and bytes of every file; none for a source without a register and without claims."""
    source = report.source
    for entry in [] if source.register is None else source.register.evidence:
        yield evidence_address(entry.id), json_bytes(plain(_entry(entry, report)), depth=3)
    if source.register is not None:
        numbers = [publish_number(number) for number in report.evidence_numbers.values()]
        yield EVIDENCE_NUMBERS, json_bytes(numbers, depth=1)
    if source.claims is not None:
        published = PublishedClaims(
            claims=[_claim(claim) for claim in source.claims.claims], disagreements=source.claims.disagreements
        )
        yield CLAIMS, json_bytes(plain(published), depth=3)


def indexed_evidence(report: Report) -> list[IndexedEvidence]:
    """The register as the index lists it."""
    entries = [] if report.source.register is None else report.source.register.evidence
    return [IndexedEvidence(id=entry.id, title=entry.title, file=evidence_address(entry.id)) for entry in entries]


def _entry(entry: EvidenceEntry, report: Report) -> PublishedEntry:
    return PublishedEntry(
        id=entry.id,
        title=entry.title,
        kind=entry.kind,
        where=entry.where,
        revision=entry.revision,
        hashes=entry.hashes,
        retrieved=entry.retrieved,
        scope=entry.scope,
        cannot_show=entry.cannot_show,
        no_runs=entry.no_runs,
        data=entry.data,
        numbers=[number.id for number in report.evidence_numbers.values() if number.evidence == entry.id],
    )


def _claim(claim: Claim) -> PublishedClaim:
    return PublishedClaim(
        id=claim.id,
        text=claim.text,
        status=claim.status,
        does_not_show=claim.does_not_show,
        evidence=claim.evidence,
        numbers=bound_by(claim),
        improvement=claim.improvement,
    )
