"""What the statistics page shows of assumptions, plans and the last batch."""

from collections.abc import Sequence
from dataclasses import dataclass

from generator.model.addresses import difference_variant, variant_name
from generator.model.metrics import Metric
from generator.model.numbers import Number
from generator.model.report import BatchReport
from generator.views.frame import Cell, MetricRow, metric_row, shown_variants

_FIRST = ("doubtful", "holds", "unknown")
"""Which outcome of several checks counts."""

ASSUMPTIONS = ("order_drift", "identical_answers", "effective_runs", "judge_agreement")
"""Operations, in the order of the page."""


@dataclass(frozen=True)
class Reading:
    """What the checks of a variant come to: `doubtful` if one is (these operations), else `holds` if one is. `number`
    is the first check of that outcome."""

    number: Number
    doubtful: list[str]


@dataclass(frozen=True)
class Budget:
    """Cells of the tables of plans, one a variant, and `pairs` one a variant besides the baseline. `has_earlier`: some
    batch of the experiment was published before."""

    needed: list[Cell]
    warm: list[Cell]
    pairs: list[Cell]
    earlier: list[Cell]

    @property
    def has_earlier(self) -> bool:
        return any(cell.number.reason != "no_earlier_batch" for cell in self.earlier)


def assumption_rows(batch: BatchReport, table: Sequence[Metric]) -> list[MetricRow]:
    """Those that the metric table has."""
    by_operation = {metric.operation: metric for metric in table}
    return [metric_row(batch, by_operation[name]) for name in ASSUMPTIONS if name in by_operation]


def readings(rows: Sequence[MetricRow]) -> dict[str, Reading]:
    """By variant."""
    checks: dict[str, list[tuple[str, Number]]] = {}
    for row in rows:
        for cell in row.cells:
            checks.setdefault(cell.variant.id, []).append((row.metric.operation or "", cell.number))
    return {variant: _reading(found) for variant, found in checks.items()}


def budget(batch: BatchReport, table: Sequence[Metric]) -> Budget:
    cells = {metric.operation: _cells(batch, metric) for metric in table if metric.operation is not None}
    names = ("runs_needed", "warm_start_runs", "fidelity", "against_earlier")
    return Budget(*(cells.get(name, []) for name in names))


def _reading(checks: Sequence[tuple[str, Number]]) -> Reading:
    _, number = min(checks, key=lambda check: _FIRST.index(_outcome(check[1])))
    return Reading(number, [operation for operation, check in checks if _outcome(check) == "doubtful"])


def _outcome(check: Number) -> str:
    return str((check.detail or {}).get("outcome", "unknown"))


def _cells(batch: BatchReport, metric: Metric) -> list[Cell]:
    cells = []
    for variant in shown_variants(batch):
        baseline = batch.experiment.baseline
        is_pair = metric.operation == "fidelity"
        group = difference_variant(variant.id, baseline) if is_pair else variant_name(variant.id)
        number = None if is_pair and variant.id == baseline else batch.number(group, metric.id)
        if number is not None:
            cells.append(Cell(variant, number))
    return cells
