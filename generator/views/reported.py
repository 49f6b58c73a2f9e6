"""The headlines of a harness beside the recomputed numbers."""

from dataclasses import dataclass
from fractions import Fraction

from generator.model.addresses import variant_name
from generator.model.batches import PublishedAggregate
from generator.model.experiments import Variant
from generator.model.formatting import round_half_away
from generator.model.numbers import Number
from generator.model.report import BatchReport
from generator.views.frame import shown_variants


@dataclass(frozen=True)
class ReportedRow:
    """What a harness states of a variant, and the number of its runs. `agrees` at the decimals of the headline."""

    variant: Variant
    own: PublishedAggregate
    number: Number
    agrees: bool


def reported_rows(batch: BatchReport) -> list[ReportedRow]:
    """In the order of the variants. Aggregates without a name of a harness are compared by the checks alone."""
    rows = []
    for variant in shown_variants(batch):
        for own in batch.batch.published_aggregates:
            number = batch.number(variant_name(variant.id), own.metric, own.slice)
            if own.variant == variant.id and own.name is not None and number is not None:
                rows.append(ReportedRow(variant, own, number, _agrees(own.value, number)))
    return rows


def _agrees(value: str, number: Number) -> bool:
    if number.value is None:
        return False
    exact = number.exact if number.exact is not None else Fraction(str(number.value))
    return round_half_away(exact, len(value.partition(".")[2])) == Fraction(value)
