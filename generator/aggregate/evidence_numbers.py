"""Numbers that rest on aggregate evidence: they have no runs, and say what they were made of instead."""

from collections.abc import Iterator
from fractions import Fraction

import msgspec

from generator.aggregate.frequencies import TABLE_OPERATIONS, made_of_tables
from generator.aggregate.measures import make_interval
from generator.aggregate.published import NOT_IN_SOURCE, Published, made_of_figures, written
from generator.model.addresses import number_page
from generator.model.formatting import exact, published_float
from generator.model.metrics import Metric
from generator.model.numbers import Counted, Interval, Number
from generator.model.register import (
    EVIDENCE_BATCH,
    EvidenceEntry,
    EvidenceNumber,
    evidence_name,
    number_tail,
    slice_of,
)
from generator.model.source import Source
from generator.stats.proportions import INTERVALS


def evidence_numbers(source: Source) -> dict[str, Number]:
    """All numbers of the register by id, in the order of its entries and of their data.

    Raises
    ------
    KeyError, ValueError
        The data names what is not there; validation refuses such a source before.
    """
    entries = [] if source.register is None else source.register.evidence
    return {number.id: number for entry in entries for number in _numbers(source, entry)}


def evidence_number_id(entry: EvidenceEntry, metric: str, slice_: str | None) -> str:
    """`evidence/<entry>/<metric>`, with `--<slice>`."""
    return f"{EVIDENCE_BATCH}/{evidence_name(entry.id)}/{number_tail(metric, slice_)}"


def _numbers(source: Source, entry: EvidenceEntry) -> Iterator[Number]:
    if entry.data is None:
        return
    metrics = source.metrics.by_id()
    made: dict[str, Number] = {}
    wanted = [(number, metrics[number.metric]) for number in entry.data.numbers]
    for number, metric in wanted:
        if number.compares is None:
            make = made_of_tables if metric.operation in TABLE_OPERATIONS else made_of_figures
            found = _number(source, entry, number, metric, make(entry.data, number, metric))
            made[found.id] = found
    for number, metric in wanted:
        slice_ = slice_of(entry.data, number.group)
        identifier = evidence_number_id(entry, number.metric, slice_)
        yield made[identifier] if number.compares is None else _difference(source, entry, number, metric, made)


def _number(
    source: Source, entry: EvidenceEntry, wanted: EvidenceNumber, metric: Metric, published: Published
) -> Number:
    slice_ = slice_of(entry.data, wanted.group) if entry.data is not None else None
    identifier = evidence_number_id(entry, metric.id, slice_)
    return Number(
        id=identifier,
        batch=EVIDENCE_BATCH,
        experiment=EVIDENCE_BATCH,
        variant=entry.id,
        slice=slice_,
        metric=metric.id,
        metric_version=source.metrics.version,
        unit=metric.unit,
        value=written(published.value),
        numerator=published.numerator,
        denominator=published.denominator,
        runset=None,
        numerator_runset=None,
        excluded={},
        missing=None if published.missing is None else Counted(count=published.missing, runset=None),
        interval=_interval(source, wanted, published),
        reason=published.reason,
        page=number_page(identifier),
        marks=published.marks,
        evidence=entry.id,
        detail=published.detail,
        exact=published.value,
    )


def _interval(source: Source, wanted: EvidenceNumber, published: Published) -> Interval | None:
    """Arithmetic on the two counts, where it is asked for."""
    if not wanted.interval or published.numerator is None or published.denominator is None:
        return None
    thresholds = source.publication.thresholds
    level = published_float(1 - exact(thresholds.alpha))
    ends = INTERVALS[thresholds.interval](published.numerator, published.denominator, level)
    return None if ends is None else make_interval(thresholds.interval, level, ends)


def _product(rate: Fraction | None, weight: Fraction | None) -> Fraction | None:
    """Of an unknown part nothing is known."""
    return None if rate is None or weight is None else rate * weight


def _published(value: Fraction | None) -> float | None:
    return None if value is None else published_float(value)


def _difference(
    source: Source, entry: EvidenceEntry, wanted: EvidenceNumber, metric: Metric, made: dict[str, Number]
) -> Number:
    """One number minus another, subtracted before anything is rounded; with the parts that the first is made of."""

    def known(tail: str) -> Number:
        return made[f"{EVIDENCE_BATCH}/{evidence_name(entry.id)}/{tail}"]

    assert wanted.compares is not None
    own, other = map(known, wanted.compares)
    value = None if own.exact is None or other.exact is None else own.exact - other.exact
    parts = [(known(part.rate), known(part.weight)) for part in wanted.parts]
    products = [_product(rate.exact, weight.exact) for rate, weight in parts]
    total = None if None in products else sum((product or Fraction(0) for product in products), Fraction(0))
    detail = {
        "operation": "evidence_difference",
        "parts": [{"rate": rate.id, "weight": weight.id} for rate, weight in parts],
        "products": {
            **{str(place): _published(product) for place, product in enumerate(products)},
            **({"sum": _published(total)} if products else {}),
        },
    }
    published = Published(value, detail, reason=NOT_IN_SOURCE if value is None else None)
    return msgspec.structs.replace(
        _number(source, entry, wanted, metric, published), compares=(own.id, other.id), detail=detail
    )
