"""All numbers of the published batches, as pages and API read them."""

import msgspec

from generator.model.addresses import number_id
from generator.model.batches import Batch
from generator.model.box import BoxedRun
from generator.model.experiments import Experiment
from generator.model.measured import Measured
from generator.model.numbers import Number
from generator.model.rows import ConfigSeen, PublishedConfig, RunRow
from generator.model.source import Source


class Accounting(msgspec.Struct, frozen=True, kw_only=True):
    """Of one variant: planned = complete + failed + invalid + cancelled + skipped; valid = complete + failed."""

    planned: int
    complete: int
    failed: int
    valid: int
    invalid: dict[str, int]
    cancelled: dict[str, int]
    skipped: dict[str, int]


class BatchReport(msgspec.Struct, frozen=True, kw_only=True):
    """One batch. `rows` in executed order; `numbers` by id, in the order of the pages; `runsets` name → sorted run ids;
    `accounting` by variant, baseline first; `measurement` one a metric with a contract. `box` holds what the profile in
    force says of each valid run, by id; it is empty without a profile, and where the batch is no comparison."""

    batch: Batch
    experiment: Experiment
    rows: list[RunRow]
    numbers: dict[str, Number]
    runsets: dict[str, tuple[str, ...]]
    accounting: dict[str, Accounting]
    configs: list[ConfigSeen]
    box: dict[str, BoxedRun] = {}
    measurement: list[Measured] = []

    def number(self, group: str, metric: str, slice_: str | None = None) -> Number | None:
        """By group (`variant_name` or `difference_variant`), metric and slice."""
        return self.numbers.get(number_id(self.batch.id, group, metric, slice_))


class Report(msgspec.Struct, frozen=True, kw_only=True):
    """`batches` newest publication first. `evidence_numbers` rest on aggregate evidence, by id.

    `declared`: what may be said of the values that templates give their variants, by experiment and variant."""

    source: Source
    batches: list[BatchReport]
    declared: dict[str, dict[str, PublishedConfig]] = {}
    evidence_numbers: dict[str, Number] = {}

    @property
    def has_audit(self) -> bool:
        """Whether the site has the page of claims and evidence."""
        return self.source.register is not None or self.source.claims is not None

    def find_number(self, identifier: str) -> Number | None:
        """Of any batch, or of aggregate evidence."""
        if identifier in self.evidence_numbers:
            return self.evidence_numbers[identifier]
        return next((batch.numbers[identifier] for batch in self.batches if identifier in batch.numbers), None)
