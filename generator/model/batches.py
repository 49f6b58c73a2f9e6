"""The head of a batch: `batches/<id>/batch.yaml`."""

import datetime
from typing import Literal

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


DifferenceReason = Literal[
    "other_runs",
    "errors_counted",
    "errors_dropped",
    "unscored_dropped",
    "reduced_first",
    "partial_credit",
    "one_of_several_files",
    "duplicates",
]
"""Why a harness's own headline may differ: it counts runs that the file does not hold; it counts crashed runs as not
passed; it leaves out runs that ended with an error or a limit, or that have no score; it puts the repeats of a case
together first; it counts parts of a reward; it is of one of the files of the variant; runs were recorded twice."""


class PublishedAggregate(Definition, frozen=True, kw_only=True):
    """A value that came with the batch, to be compared with the recomputed one.

    `value` is a decimal text on the metric's own scale; they agree when the recomputed value, rounded half away from
    zero to as many decimals as the text has, equals it.

    A harness's own headline has the `name` that the harness gives it, `stated` where it is written on another
    scale, with its counts and the file it stood in. Where it may rightly differ, `reasons` says why; then it is shown
    beside the recomputed number and not held against it.
    """

    metric: str
    variant: str
    value: str
    slice: str | None = None
    name: str | None = None
    stated: str | None = None
    numerator: int | None = None
    denominator: int | None = None
    file: str | None = None
    reasons: list[DifferenceReason] = []


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
