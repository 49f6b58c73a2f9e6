"""What the result page shows of accounting boundaries."""

from collections.abc import Sequence
from dataclasses import dataclass

from generator.model.addresses import difference_variant, variant_name
from generator.model.metrics import Metric
from generator.model.report import BatchReport
from generator.views.frame import Cell, shown_variants


@dataclass(frozen=True)
class BoundaryView:
    """`calls`: tokens of a model call, one a variant; `changes`: one a variant besides the baseline."""

    calls: Sequence[Cell]
    changes: Sequence[Cell]


def boundary_view(batch: BatchReport, metrics: Sequence[Metric]) -> BoundaryView:
    named = {metric.operation: metric.id for metric in metrics if metric.operation is not None}
    calls, changes = [], []
    for variant in shown_variants(batch):
        own = batch.number(variant_name(variant.id), named.get("tokens_per_call", ""))
        pair = difference_variant(variant.id, batch.experiment.baseline)
        change = batch.number(pair, named.get("boundary_change", ""))
        calls += [] if own is None else [Cell(variant, own)]
        changes += [] if change is None else [Cell(variant, change)]
    return BoundaryView(calls, changes)
