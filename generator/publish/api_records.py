"""The published JSON of `api/v1/`: one record a file, and the records inside. Every field is always written."""

import datetime

import msgspec

from generator.model.base import Text
from generator.model.batches import PlannedGrid, Provenance, PublishedAggregate, SkippedRun, Versioned, Waiver
from generator.model.contracts import Contract
from generator.model.kinds import Kind, Mutation, Relation
from generator.model.measured import Measured
from generator.model.numbers import Number
from generator.model.projection import ProjectedField
from generator.model.publication import CoverageSettings, Thresholds
from generator.model.register import Credit
from generator.model.report import Accounting
from generator.model.runs import State, Validity


class ApiRecord(msgspec.Struct, frozen=True, kw_only=True):
    """Base of what is published. Addresses are relative to the root of the site."""


class IndexedBatch(ApiRecord, frozen=True, kw_only=True):
    """A published batch, and where its files are. `file` is its batch file, `page` its result page (Chinese)."""

    id: str
    experiment: str
    title: Text
    executed_on: datetime.date
    published_since: datetime.date | None
    synthetic: bool
    variants: list[str]
    planned: int
    runs: int
    page: str
    file: str
    numbers: str
    runsets: list[str]


class Addresses(ApiRecord, frozen=True, kw_only=True):
    """Where the files are that do not belong to one batch. `schemas`: name → address."""

    index: str
    metrics: str
    projection: str
    manifest: str
    schemas: dict[str, str]


class IndexedExperiment(ApiRecord, frozen=True, kw_only=True):
    """A template, with or without a published batch."""

    id: str
    title: Text
    page: str


class IndexedEvidence(ApiRecord, frozen=True, kw_only=True):
    """An entry of the evidence register, and its file."""

    id: str
    title: Text
    file: str


class WithdrawnNumber(ApiRecord, frozen=True, kw_only=True):
    """A number that was published and is gone, as it was before a note of `date` changed it or took it away."""

    number: str
    date: datetime.date
    old: int | float | None
    old_numerator: int | None
    old_denominator: int | None
    reason: Text


class IndexedProfile(ApiRecord, frozen=True, kw_only=True):
    """The box profile in force, and where it is."""

    id: str
    version: int
    file: str


class TimeSettings(ApiRecord, frozen=True, kw_only=True):
    """What times are held against, ms. `thresholds_configured`: the publication names the thresholds."""

    thresholds_ms: list[int]
    thresholds_configured: bool
    caps_ms: list[float]


class Index(ApiRecord, frozen=True, kw_only=True):
    """`api/v1/index.json`: start here. `source_hash` is the SHA-256 (hex) of the source's files; `batches` newest
    publication first. `evidence` is the register in its order; `evidence_numbers` and `claims` are addresses, null
    where the source has no register, and no ledger; `credit` names the work that the evidence is taken from."""

    generator_version: str
    source_hash: str
    metric_table_version: int
    projection_version: int
    title: Text
    address: str | None
    thresholds: Thresholds
    coverage: CoverageSettings
    box_profile: IndexedProfile | None
    times: TimeSettings
    experiments: list[IndexedExperiment]
    batches: list[IndexedBatch]
    withdrawn: list[WithdrawnNumber]
    evidence: list[IndexedEvidence]
    evidence_numbers: str | None
    claims: str | None
    credit: Credit | None
    addresses: Addresses


class PublishedProjection(ApiRecord, frozen=True, kw_only=True):
    """`api/v1/projection.json`: the whitelist in force. `details`: metric → address of the schema of the `detail` that
    its assertions carry in the evidence."""

    version: int
    fields: list[ProjectedField]
    details: dict[str, str]


class PublishedVariant(ApiRecord, frozen=True, kw_only=True):
    """`file_name` stands for the variant in addresses. `config_hashes` are those of the effective configurations that
    occur under it, in the order in which they were first seen. `mutation` and `relation` are those of the template."""

    id: str
    file_name: str
    name: Text
    config_hashes: list[str]
    mutation: Mutation | None
    relation: Relation | None


class PublishedCategory(ApiRecord, frozen=True, kw_only=True):
    id: str
    name: Text


class PublishedCase(ApiRecord, frozen=True, kw_only=True):
    """A planned case. `prompt` is the public prompt; null where the bank may not publish it."""

    id: str
    category: str
    title: Text
    prompt: str | None


class PublishedRun(ApiRecord, frozen=True, kw_only=True):
    """A run that was started. `sha256` (hex) is that of the evidence file."""

    run_id: str
    variant: str
    case_id: str
    repeat_index: int
    sequence: int
    state: State
    validity: Validity
    reason: str | None
    page: str
    evidence: str
    sha256: str


class PublishedBatchFile(ApiRecord, frozen=True, kw_only=True):
    """`api/v1/batches/<batch>.json`. `variants` baseline first; `runs` in executed order; `numbers` ids in the order of
    the pages. `alpha` gives the level of the intervals (1 − alpha); `threshold` is the least number of valid runs of a
    variant. `cases` that the case bank does not have are missing from `cases` and stand in `grid`."""

    id: str
    experiment: str
    kind: Kind
    title: Text
    executed_on: datetime.date
    published_since: datetime.date | None
    synthetic: bool
    page: str
    independent_variable: str
    baseline: str
    pass_metric: str
    threshold: int
    contract: Contract | None
    alpha: float
    metric_table_version: int
    projection_version: int
    case_bank: Versioned
    catalog: Versioned | None
    fixtures: Versioned | None
    judges: dict[str, int]
    model: str | None
    provenance: Provenance
    notes: list[Text]
    waivers: list[Waiver]
    published_aggregates: list[PublishedAggregate]
    variants: list[PublishedVariant]
    categories: list[PublishedCategory]
    cases: list[PublishedCase]
    grid: PlannedGrid
    skipped: list[SkippedRun]
    accounting: dict[str, Accounting]
    measurement: list[Measured]
    numbers: list[str]
    runs: list[PublishedRun]


class ManifestFile(ApiRecord, frozen=True, kw_only=True):
    path: str
    bytes: int
    sha256: str


class PublishedManifest(ApiRecord, frozen=True, kw_only=True):
    """`manifest.json`: every file of the site but itself. `digest` is the SHA-256 (hex) of the lines `sha256 path`,
    each ended by a newline, sorted by path."""

    files: list[ManifestFile]
    digest: str


PublishedNumbers = list[Number]
"""`api/v1/numbers/<batch>.json`."""

PublishedRunSets = dict[str, list[str]]
"""`api/v1/runsets/<batch>/<x>.json`: run set name → sorted run ids; x is the first hex digit of the name."""

PublishedTexts = dict[str, dict[str, str]]
"""`api/v1/texts.json`: language (`zh`, `en`) → key → text."""
