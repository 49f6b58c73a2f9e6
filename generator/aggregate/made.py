"""What an operation makes of runs."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from generator.aggregate.groups import Setting
from generator.model.numbers import Interval, Verdict
from generator.model.publication import Thresholds
from generator.model.report import BatchReport
from generator.model.rows import RunRow
from generator.model.source import Source

if TYPE_CHECKING:
    from generator.aggregate.box import Box

Detail = dict[str, Any]
"""JSON; its shape is that of the operation."""


@dataclass(frozen=True)
class Ground:
    """The valid runs of each variant, in the order of their ids, what defines the operations, and the batches that were
    published before, oldest first. `box` holds the runs against the profile in force, where they are."""

    source: Source
    setting: Setting
    runs: Mapping[str, list[RunRow]]
    published: Sequence[BatchReport] = ()
    box: "Box | None" = None

    @property
    def features(self) -> list[str]:
        """Metrics of the fingerprint, in the order of the table."""
        return [metric.id for metric in self.source.metrics.metrics if metric.family == "fingerprint"]

    @property
    def pass_metric(self) -> str:
        return self.setting.experiment.pass_metric

    @property
    def levels(self) -> Thresholds:
        return self.source.publication.thresholds


@dataclass(frozen=True, slots=True)
class Made:
    """`counted` are the runs that the value rests on, out of the valid ones; `reason` says why there is no value.

    `hits` are those of a ratio of runs, with its interval and verdict; None where the value is none. `marks` are those
    that single runs give to a value, besides that of small groups.
    """

    value: Fraction | None
    counted: tuple[RunRow, ...]
    reason: str | None = None
    detail: Detail = field(default_factory=dict)
    hits: tuple[RunRow, ...] | None = None
    interval: Interval | None = None
    verdict: Verdict | None = None
    marks: tuple[str, ...] = ()
