"""A chart and the table of the same numbers."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from generator.model.addresses import file_name
from generator.model.base import Lang
from generator.model.experiments import Variant
from generator.model.metrics import Metric
from generator.model.report import BatchReport
from generator.model.source import Source

if TYPE_CHECKING:
    from generator.charts.svg import Drawing


@dataclass(frozen=True)
class ChartCell:
    """A text, or the id of the number that stands there, or a count without a number: of what stands at `anchor`."""

    text: str | None = None
    number: str | None = None
    anchor: str | None = None


@dataclass(frozen=True)
class Chart:
    """`rows` hold one cell for each of `columns`; the first names the row. `page` is
    the page of the batch on which it stands."""

    name: str
    title: str
    description: str
    drawing: "Drawing"
    columns: list[str]
    rows: list[list[ChartCell]]
    page: Literal["result", "statistics"] = "result"

    @property
    def svg(self) -> str:
        """Of the drawing; goes into a page as it is."""
        return self.drawing.svg


@dataclass(frozen=True)
class Setting:
    """What the charts of one batch and language have in common. `variants` baseline first."""

    batch: BatchReport
    source: Source
    lang: Lang
    texts: dict[str, str]

    @property
    def variants(self) -> list[Variant]:
        return [variant for variant in self.batch.experiment.ordered_variants if variant.id in self.batch.accounting]

    @property
    def variant_names(self) -> list[str]:
        return [variant.name.in_language(self.lang) for variant in self.variants]

    def text(self, key: str, **values: str) -> str:
        return self.texts[f"charts.{key}"].format(**values)

    def name(self, metric: Metric) -> str:
        return metric.name.in_language(self.lang)

    def identifier(self, name: str) -> str:
        """What the ids of a drawing begin with."""
        return f"rc-{file_name(self.batch.batch.id)}-{name}"
