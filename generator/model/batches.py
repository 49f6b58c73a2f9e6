"""The head of a batch: `batches/<id>/batch.yaml`."""

import datetime

from generator.model.base import Definition, Text
from generator.model.runs import Authorization

MAX_CELLS = 2_000_000
"""Of a planned grid; a larger one is a typing error, and is never made."""


class Versioned(Definition, frozen=True, kw_only=True):
    """Which version of a definition file a batch used."""

    id: str
    version: int


class PlannedGrid(Definition, frozen=True, kw_only=True):
    """Every case × variant × repeat_index (0 … repeats−1)."""

    cases: list[str]
    variants: list[str]
    repeats: int


class SkippedRun(Definition, frozen=True, kw_only=True):
    """A planned run that never became one."""

    case: str
    variant: str
    repeat_index: int
    reason: str


class SourceFile(Definition, frozen=True, kw_only=True):
    """A file that the batch was made from: base name, bytes, `sha256:<hex>`."""

    name: str
    bytes: int
    sha256: str


class Provenance(Definition, frozen=True, kw_only=True):
    harness: str
    harness_version: str | None = None
    revision: str | None = None
    files: list[SourceFile] = []


class PublishedAggregate(Definition, frozen=True, kw_only=True):
    """A value that came with the batch, to be compared with the recomputed one.

    `value` is a decimal text on the metric's own scale; they agree when the recomputed value, rounded half away from
    zero to as many decimals as the text has, equals it.
    """

    metric: str
    variant: str
    value: str
    slice: str | None = None


class Waiver(Definition, frozen=True, kw_only=True):
    """A known gap: failures of this case do not stop a release. It was declared on the day `since`, before the runs
    were executed, and takes nothing out of any rate."""

    case: str
    since: datetime.date
    reason: Text


class Batch(Definition, frozen=True, kw_only=True):
    """One execution of one experiment. Immutable once published."""

    id: str
    experiment: str
    executed_on: datetime.date
    metric_table_version: int
    case_bank: Versioned
    planned: PlannedGrid
    provenance: Provenance
    title: Text | None = None
    catalog: Versioned | None = None
    fixtures: Versioned | None = None
    judges: dict[str, int] = {}
    model: str | None = None
    variant_catalogs: dict[str, list[str]] = {}
    variant_meta_tools: dict[str, list[str]] = {}
    authorization: Authorization | None = None
    skipped: list[SkippedRun] = []
    published_aggregates: list[PublishedAggregate] = []
    synthetic: bool = False
    notes: list[Text] = []
    waivers: list[Waiver] = []
