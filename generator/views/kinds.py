"""Mutants and related pairs: what the statistics page and the number pages show of batches of these kinds."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from generator.model.addresses import slice_name, variant_name
from generator.model.experiments import Variant
from generator.model.kinds import COMPONENTS, RELATION_FAMILIES
from generator.model.numbers import Number
from generator.model.report import BatchReport
from generator.model.rows import Judged, RunRow
from generator.views.frame import shown_variants

OPERATION_METRICS = {"mutation": "mutation_score", "metamorphic": "violation_rate"}
FAMILIES = {"mutation": COMPONENTS, "metamorphic": RELATION_FAMILIES}
PAIRS_SHOWN = 100


@dataclass(frozen=True)
class Mutant:
    """`key` is its name in the detail of the score, `found` what stands there."""

    variant: Variant
    key: str
    found: dict[str, Any]


@dataclass(frozen=True)
class Related:
    """A relation, and the number of its pairs that violate it."""

    variant: Variant
    number: Number


@dataclass(frozen=True)
class Pair:
    """A run, the run that it follows, and what was judged of each for the metric of their relation."""

    metric: str
    source: RunRow
    follow_up: RunRow
    of_source: Judged
    of_follow_up: Judged
    is_violated: bool


@dataclass(frozen=True)
class KindView:
    """The number of all mutants or pairs, and those of the families by code."""

    whole: Number
    families: list[tuple[str, Number]]
    mutants: list[Mutant]
    relations: list[Related]


def kind_view(batch: BatchReport) -> KindView | None:
    """None for a comparison."""
    kind, base = batch.experiment.kind, variant_name(batch.experiment.baseline)
    metric = OPERATION_METRICS.get(kind)
    whole = None if metric is None else batch.number(base, metric)
    if metric is None or whole is None:
        return None
    families = ((family, batch.number(base, metric, slice_name("family", family))) for family in FAMILIES[kind])
    related = (
        (variant, batch.number(base, metric, slice_name("relation", variant.id))) for variant in shown_variants(batch)
    )
    return KindView(
        whole,
        [(family, number) for family, number in families if number is not None],
        mutants_of(batch, whole),
        [Related(variant, number) for variant, number in related if number is not None],
    )


def mutants_of(batch: BatchReport, number: Number) -> list[Mutant]:
    """The mutants that a score is made of, in the order of the template."""
    found: Any = (number.detail or {}).get("mutants") or {}
    keys = ((variant, variant_name(variant.id)) for variant in shown_variants(batch))
    return [Mutant(variant, key, found[key]) for variant, key in keys if key in found]


class Pairs:
    """The pairs behind the violation rates of a batch."""

    def __init__(self, batch: BatchReport) -> None:
        self._batch = batch

    def of(self, number: Number) -> list[Pair]:
        """Violated ones first, then by run."""
        runs = () if number.runset is None else self._batch.runsets[number.runset]
        violated = () if number.numerator_runset is None else self._batch.runsets[number.numerator_runset]
        broken = frozenset(violated)
        return [self._pair(run, run in broken) for run in sorted(runs, key=lambda run: (run not in broken, run))]

    @cached_property
    def _rows(self) -> dict[str, RunRow]:
        return {row.run_id: row for row in self._batch.rows}

    def _pair(self, run: str, is_violated: bool) -> Pair:
        row = self._rows[run]
        source = self._rows[row.source_run_id or ""]
        relation = self._batch.experiment.variant(row.variant).relation
        metric = (relation and relation.metric) or self._batch.experiment.pass_metric
        return Pair(metric, source, row, source.assertions[metric], row.assertions[metric], is_violated)
