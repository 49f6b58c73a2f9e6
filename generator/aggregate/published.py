"""What operations make of the published figures of a piece of evidence."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from generator.model.formatting import exact, published_float
from generator.model.metrics import Metric
from generator.model.register import EvidenceData, EvidenceNumber, signed_figure
from generator.stats.ratios import ratio

NOT_IN_SOURCE, NO_RECORD, NO_DENOMINATOR = "not_in_source", "no_record", "no_denominator"

Detail = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Published:
    """As of a number. `detail` is what the value was made of."""

    value: Fraction | None
    detail: Detail
    numerator: int | None = None
    denominator: int | None = None
    missing: int | None = None
    reason: str | None = None
    marks: tuple[str, ...] = ()


@dataclass(frozen=True)
class Ground:
    """The evidence, a number that is to be made of it, and the row of its metric."""

    data: EvidenceData
    wanted: EvidenceNumber
    metric: Metric
    values: dict[str, Fraction | None] = field(default_factory=dict)

    def sum(self, terms: Iterable[str]) -> Fraction | None:
        """Of signed figures; None where one of them is not given."""
        total = Fraction(0)
        for sign, name in map(signed_figure, terms):
            value = self.values[name]
            if value is None:
                return None
            total += sign * value
        return total

    def shown(self, *lists: Sequence[str]) -> dict[str, int | float | None]:
        """The figures that lists of terms name, as they are published."""
        names = dict.fromkeys(name for terms in lists for _, name in map(signed_figure, terms))
        return {name: written(self.values[name]) for name in names}

    def unit(self, terms: Sequence[str]) -> str:
        """What the figures count; they all count the same."""
        units = {figure.id: figure.unit for figure in self.data.figures}
        return units[signed_figure(terms[0])[1]]


def made_of_figures(data: EvidenceData, wanted: EvidenceNumber, metric: Metric) -> Published:
    """What the operation of the metric makes of figures. ValueError for one that has no code."""
    operation = OPERATIONS.get(metric.operation or "")
    if operation is None:
        raise ValueError(f"{metric.id}: no code for the operation {metric.operation}")
    values = {figure.id: None if figure.value is None else exact(figure.value) for figure in data.figures}
    return operation(Ground(data, wanted, metric, values))


def _value(ground: Ground) -> Published:
    """One figure as the evidence gives it, with the size of its sample where that is given."""
    wanted = ground.wanted
    figure = next(figure for figure in ground.data.figures if figure.id == wanted.figure)
    names = [name for name in (wanted.sample, wanted.missing) if name is not None]
    counts = figure.unit if wanted.sample is None else ground.unit([wanted.sample])
    detail: Detail = {"operation": "published_value", "counts": counts, "figure": figure.id}
    detail["figures"] = ground.shown([figure.id, *names])
    sample, missing = (
        _whole(None if name is None else ground.values[name]) for name in (wanted.sample, wanted.missing)
    )
    return Published(
        value=ground.values[figure.id],
        detail=detail,
        denominator=sample,
        missing=missing,
        reason=NOT_IN_SOURCE if figure.value is None else None,
        marks=("quoted",) if figure.quoted and figure.value is not None else (),
    )


def _sum(ground: Ground) -> Published:
    terms = ground.wanted.terms
    detail = {"operation": "published_sum", "counts": ground.unit(terms), "terms": terms}
    value = ground.sum(terms)
    return Published(value, detail | {"figures": ground.shown(terms)}, reason=_missing_figure(value))


def _ratio(ground: Ground) -> Published:
    """A share of what is counted; its counts are those of the number."""
    hits, whole = (_whole(ground.sum(terms)) for terms in (ground.wanted.numerator, ground.wanted.denominator))
    value = None if hits is None or whole is None else ratio(hits, whole)
    reason = _missing_figure(whole if hits is not None else None) or (None if value is not None else NO_DENOMINATOR)
    return Published(value, _of_two(ground, "numerator", "denominator"), hits, whole, reason=reason)


def _quotient(ground: Ground) -> Published:
    """A value in another unit: nothing is counted by it."""
    return _divided(ground, "numerator", "denominator", lambda above, below: above / below)


def _reduction(ground: Ground) -> Published:
    return _divided(ground, "before", "after", lambda before, after: 1 - after / before, below="before")


def _change(ground: Ground) -> Published:
    return _divided(ground, "before", "after", lambda before, after: after / before - 1, below="before")


def _divided(
    ground: Ground, first: str, last: str, made: Callable[[Fraction, Fraction], Fraction], below: str = "denominator"
) -> Published:
    sums = {name: ground.sum(getattr(ground.wanted, name)) for name in (first, last)}
    detail = _of_two(ground, first, last)
    one, other = sums[first], sums[last]
    detail["figures"] |= {f"sum_of_{name}": written(total) for name, total in sums.items()}
    if one is None or other is None:
        return Published(None, detail, reason=NOT_IN_SOURCE)
    if not sums[below]:
        return Published(None, detail, reason=NO_DENOMINATOR)
    return Published(made(one, other), detail)


def _of_two(ground: Ground, first: str, last: str) -> Detail:
    lists: list[list[str]] = [getattr(ground.wanted, name) for name in (first, last)]
    return {
        "operation": ground.metric.operation,
        "counts": ground.unit(lists[1]),
        first: lists[0],
        last: lists[1],
        "figures": ground.shown(*lists),
    }


OPERATIONS: dict[str, Callable[[Ground], Published]] = {
    "published_value": _value,
    "published_sum": _sum,
    "published_ratio": _ratio,
    "published_quotient": _quotient,
    "relative_reduction": _reduction,
    "relative_change": _change,
}


def _whole(value: Fraction | None) -> int | None:
    return None if value is None else int(value)


def _missing_figure(value: object) -> str | None:
    return NOT_IN_SOURCE if value is None else None


def written(value: Fraction | None) -> int | float | None:
    """As it is published."""
    if value is None:
        return None
    return int(value) if value.denominator == 1 else published_float(value)
