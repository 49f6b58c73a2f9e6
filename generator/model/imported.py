"""What an importer makes of another harness's files, before it belongs to a source."""

import datetime
from typing import Literal

import msgspec

from generator.model.batches import Batch
from generator.model.cases import CaseBank
from generator.model.experiments import Experiment
from generator.model.runs import Run

Duplicates = Literal["refuse", "first", "last"]


class ImportOptions(msgspec.Struct, frozen=True, kw_only=True):
    """What the person who imports decides.

    `variant` is a path in the effective configuration (dots between keys); null leaves the choice to the importer.
    `date` is the day of execution, needed where the harness records none. `duplicates` says which of two runs of the
    same case, variant and repeat is kept. `propose` takes a path where the files differ at several: the model, else the
    first.
    """

    experiment: str
    batch: str
    variant: str | None = None
    date: datetime.date | None = None
    duplicates: Duplicates = "refuse"
    propose: bool = False


class ImportedBatch(msgspec.Struct, frozen=True, kw_only=True):
    """A batch with all it needs to be understood.

    `experiment` and `bank` are proposals: a source that already has them keeps its own. In `batch`, the versions of
    metric table and case bank are 0 until the source that takes the batch sets them. `differs` lists the paths of the
    configuration that differ between variants besides the independent variable.
    """

    harness: str
    experiment: Experiment
    bank: CaseBank
    batch: Batch
    runs: list[Run]
    differs: list[str] = []
