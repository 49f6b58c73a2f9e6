"""What separates a variant from the baseline."""

from dataclasses import dataclass

from generator.aggregate.measures import MARKS, make_interval
from generator.model.addresses import difference_variant, number_id, number_page
from generator.model.box import INSIDE
from generator.model.formatting import published_float
from generator.model.metrics import Metric
from generator.model.numbers import Interval, Number
from generator.stats.changes import change_word
from generator.stats.proportions import newcombe_interval


@dataclass(frozen=True, slots=True)
class Pair:
    """The numbers of one metric for a variant and for the baseline, both of the whole group. `same_cases`: where they
    are means over cases, over the same ones. `drawn` is the interval of their difference where it is drawn."""

    metric: Metric
    number: Number
    baseline: Number
    same_cases: bool = True
    drawn: Interval | None = None


def difference(pair: Pair, level: float) -> Number | None:
    """The variant's value minus the baseline's; None when neither has one.

    With one of them absent the number says so (`incomparable`) and has no value. The two are subtracted exactly, before
    any rounding.
    """
    own, base = pair.number, pair.baseline
    if own.exact is None and base.exact is None:
        return None
    value = None if own.exact is None or base.exact is None else own.exact - base.exact
    group = difference_variant(own.variant, base.variant)
    number = number_id(own.batch, group, pair.metric.id)
    return Number(
        id=number,
        batch=own.batch,
        experiment=own.experiment,
        variant=group,
        slice=None,
        metric=own.metric,
        metric_version=own.metric_version,
        unit=own.unit,
        value=None if value is None else published_float(value),
        numerator=None,
        denominator=None,
        runset=None,
        numerator_runset=None,
        excluded={},
        missing=None,
        interval=_interval(pair, level),
        reason="incomparable" if value is None else None,
        page=number_page(number),
        compares=(own.id, base.id),
        change=change_word(base.exact, own.exact, pair.metric.direction),
        marks=_marks(pair, value is not None),
        exact=value,
    )


def _marks(pair: Pair, has_value: bool) -> tuple[str, ...]:
    borne = {*pair.number.marks, *pair.baseline.marks}
    if has_value and not pair.same_cases:
        borne.add("other_cases")
    return tuple(mark for mark in MARKS if mark in borne)


def _interval(pair: Pair, level: float) -> Interval | None:
    if pair.metric.aggregate != "proportion" and pair.metric.operation != INSIDE:
        return pair.drawn
    own, base = pair.number, pair.baseline
    ends = newcombe_interval(
        own.numerator or 0, own.denominator or 0, base.numerator or 0, base.denominator or 0, level
    )
    return None if ends is None else make_interval("newcombe", level, ends)
