"""What the result page shows of the gate: the score over all cases, the gate, and what is waived, together."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from generator.model.addresses import file_name, variant_name
from generator.model.batches import Waiver
from generator.model.experiments import Variant
from generator.model.numbers import Number
from generator.model.report import BatchReport
from generator.views.frame import shown_variants


@dataclass(frozen=True)
class GateRow:
    """One variant. `score` is the pass rate, waived cases included."""

    variant: Variant
    score: Number
    failures: Number
    waived: Number


@dataclass(frozen=True)
class WaivedCase:
    """`name` is the place of the case in the detail of waived failures. `waives_nothing`: no run of it failed."""

    waiver: Waiver
    name: str
    waives_nothing: bool


@dataclass(frozen=True)
class GateView:
    rows: Sequence[GateRow]
    cases: Sequence[WaivedCase]


def gate_view(batch: BatchReport) -> GateView | None:
    """None for a batch without waivers, and where the metric table has no such counts."""
    rows = []
    for variant in shown_variants(batch):
        group = variant_name(variant.id)
        names = (batch.experiment.pass_metric, "gate_failures", "waived_failures")
        score, failures, waived = (batch.number(group, name) for name in names)
        if score is not None and failures is not None and waived is not None:
            rows.append(GateRow(variant, score, failures, waived))
    if not rows:
        return None
    cases = [_case(waiver, rows) for waiver in batch.batch.waivers]
    return GateView(rows, cases)


def _case(waiver: Waiver, rows: Sequence[GateRow]) -> WaivedCase:
    name = file_name(waiver.case)
    found = [of[name] for row in rows if (of := _cases(row.waived))]
    return WaivedCase(waiver, name, bool(found) and not any(entry["failures"] for entry in found))


def _cases(number: Number) -> Mapping[str, Any]:
    detail: dict[str, Any] = number.detail or {}
    cases: dict[str, Any] = detail.get("cases", {})
    return cases
