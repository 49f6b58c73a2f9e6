"""The measurement contract of telemetry, beside what the batch records."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from generator.model.base import Text
from generator.model.measured import FieldSeen, Measured
from generator.model.metrics import Metric
from generator.model.report import BatchReport


@dataclass(frozen=True)
class ContractField:
    """`says` are the texts of the contracts, each once."""

    name: str
    says: Sequence[Text]
    seen: FieldSeen

    @property
    def status(self) -> str:
        """`recorded`, `partly` or `unresolved`: whether runs say what the field is."""
        if not self.seen.unresolved:
            return "recorded"
        return "partly" if self.seen.values else "unresolved"


@dataclass(frozen=True)
class ContractView:
    """Metrics of which the batch records the same."""

    metrics: Sequence[Metric]
    measured: Measured
    fields: Sequence[ContractField]


def contract_views(batch: BatchReport, metrics: Mapping[str, Metric]) -> list[ContractView]:
    """In the order of the metric table."""
    alike: list[list[Measured]] = []
    for entry in batch.measurement:
        same = next((group for group in alike if _counts(group[0]) == _counts(entry)), None)
        if same is None:
            alike.append([entry])
        else:
            same.append(entry)
    return [_view([metrics[entry.metric] for entry in group], group[0]) for group in alike]


def _view(metrics: Sequence[Metric], measured: Measured) -> ContractView:
    fields = []
    for name, seen in measured.fields.items():
        says = [getattr(metric.contract, name) for metric in metrics]
        fields.append(ContractField(name, [text for place, text in enumerate(says) if text not in says[:place]], seen))
    return ContractView(metrics, measured, fields)


def _counts(entry: Measured) -> tuple[int, int, dict[str, FieldSeen]]:
    return entry.valid, entry.recorded, entry.fields
