"""A source as read: every definition, and the heads of its batches."""

from pathlib import Path

import msgspec

from generator.model.batches import Batch
from generator.model.cases import CaseBank, Session
from generator.model.claims import ClaimLedger
from generator.model.contracts import Contract
from generator.model.experiments import Experiment
from generator.model.ledger import LedgerEntry
from generator.model.metrics import MetricTable
from generator.model.profiles import Profile
from generator.model.projection import Projection
from generator.model.publication import INT32_MAX, Publication
from generator.model.register import Register
from generator.model.tools import Catalog, FixtureSet, Policy, Redaction


class RunsFile(msgspec.Struct, frozen=True, kw_only=True):
    """The runs of a batch: `runs.jsonl`, `.jsonl.gz`, `.jsonl.zst` or `.parquet`. `name` is relative to the source."""

    path: Path
    name: str
    sha256: str


class BatchSource(msgspec.Struct, frozen=True, kw_only=True):
    batch: Batch
    head_name: str
    runs: RunsFile


class Source(msgspec.Struct, frozen=True, kw_only=True):
    """Keys of the dictionaries are ids. `batches` holds the published batches only, in the order of publication.

    `hash` is the SHA-256 (hex) of all files that were read, by name and content, without `published/`: the numbers of
    earlier publications, by id."""

    root: Path
    hash: str
    metrics: MetricTable
    experiments: dict[str, Experiment]
    case_banks: dict[str, CaseBank]
    projection: Projection
    publication: Publication
    redaction: Redaction
    catalogs: dict[str, Catalog]
    fixtures: dict[str, FixtureSet]
    policies: dict[str, Policy]
    sessions: dict[str, Session]
    batches: list[BatchSource]
    published: dict[str, LedgerEntry] = {}
    contracts: dict[str, Contract] = {}
    profiles: dict[str, Profile] = {}
    register: Register | None = None
    claims: ClaimLedger | None = None

    def tools_of(self, batch: Batch, variant: str) -> frozenset[str] | None:
        """The tools that a variant had, its meta tools among them; None where that is unknown."""
        own = batch.variant_catalogs.get(variant)
        catalog = self.catalog_of(batch)
        if own is None and catalog is None:
            return None
        names = own if own is not None else [tool.name for tool in catalog.tools] if catalog is not None else []
        return frozenset(names).union(batch.variant_meta_tools.get(variant, ()))

    def catalog_of(self, batch: Batch) -> Catalog | None:
        """The catalogue that the batch names, where the source has it."""
        return None if batch.catalog is None else self.catalogs.get(batch.catalog.id)

    @property
    def time_caps(self) -> tuple[float, ...]:
        """Where fields of time end, ms, ascending: that of 32-bit integers, and what publication and metric table
        name."""
        rows = (metric.saturates_at for metric in self.metrics.metrics if metric.unit == "ms")
        named = {cap for cap in rows if cap is not None}
        return tuple(sorted({INT32_MAX, *self.publication.time_caps_ms, *named}))

    def min_valid(self, experiment: Experiment) -> int:
        """The threshold of valid runs that each variant of the experiment must reach."""
        own = experiment.min_valid_per_group
        return self.publication.thresholds.min_valid_per_group if own is None else own

    def contract_of(self, experiment: Experiment) -> Contract | None:
        """What the runs of the experiment promise."""
        return None if experiment.contract is None else self.contracts.get(experiment.contract)

    @property
    def box_profile(self) -> Profile | None:
        """The profile in force."""
        name = self.publication.box_profile
        return None if name is None else self.profiles.get(name)
