"""The numbers of one metric: for the whole group of each variant, and for the slices that somebody reads."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

import msgspec

from generator.aggregate.accounting import COUNTS, counted_runs
from generator.aggregate.measures import MARKS, Measure, applies, mean, pass_hat, proportion, quantile
from generator.aggregate.runsets import RunSets
from generator.aggregate.table import By, Group, Partition, Positions, RunTable
from generator.model.addresses import number_id, number_page, slice_name, variant_name
from generator.model.batches import Batch
from generator.model.experiments import Experiment
from generator.model.formatting import exact, published_float
from generator.model.metrics import Metric
from generator.model.numbers import Number
from generator.model.report import Accounting
from generator.model.rows import RunRow
from generator.stats.proportions import IntervalMethod
from generator.stats.summary import is_saturated


@dataclass(frozen=True, slots=True)
class Setting:
    """What the numbers of a batch have in common. `order` gives the ids of each slicing in the order of the pages;
    `threshold` is the number of runs below which a value is marked, `level` the coverage of intervals, and
    `interval_method` how those of proportions are made. `time_caps` are values, ms, at which a record of time ends."""

    batch: Batch
    experiment: Experiment
    table_version: int
    variants: Sequence[str]
    accounting: dict[str, Accounting]
    threshold: int
    level: float
    interval_method: IntervalMethod
    order: dict[By, list[str]]
    table: RunTable
    runsets: RunSets
    time_caps: tuple[float, ...] = ()


def whole_numbers(setting: Setting, metric: Metric) -> Iterator[Number]:
    """One number a variant."""
    if metric.aggregate == "count":
        yield from (_count(setting, metric, variant) for variant in setting.variants)
        return
    if metric.aggregate == "pass_hat":
        for variant in setting.variants:
            yield _number(setting, metric, variant, None, _pass_hat(setting, metric, variant))
        return
    measure = _measure(setting, metric)
    groups = setting.table.partitions(metric.id)
    for variant in setting.variants:
        yield _number(setting, metric, variant, None, measure(groups.get((variant, ""), {})))


def sliced_numbers(setting: Setting, metric: Metric) -> Iterator[Number]:
    """One number a slice and variant, for each slice in which some run of some variant counts for the metric."""
    measure = _measure(setting, metric) if metric.is_judged else None
    if measure is None:
        return
    for by in _slicings(setting, metric):
        groups = setting.table.partitions(metric.id, by)
        for identifier in _read_slices(setting, metric, by, groups):
            name = slice_name(_KINDS[by], identifier)
            for variant in setting.variants:
                yield _number(setting, metric, variant, name, measure(groups.get((variant, identifier), {})))


_KINDS: dict[By, str] = {"category": "category", "case": "case", "stratum": "stratum"}


def _slicings(setting: Setting, metric: Metric) -> Iterator[By]:
    """Categories for ratios, cases for the pass metric (the matrix), strata for times. What tries the runs themselves
    is not read by category: its many variants would each have a page of a handful of runs."""
    is_comparison = setting.experiment.kind == "comparison"
    if metric.aggregate == "proportion" and is_comparison:
        yield "category"
    if metric.id == setting.experiment.pass_metric:
        yield "case"
    if metric.aggregate == "quantile" and is_comparison:
        yield "stratum"


def _read_slices(setting: Setting, metric: Metric, by: By, groups: dict[Group, Partition]) -> list[str]:
    counting = {slice_ for (_, slice_), partition in groups.items() if slice_ and applies(metric, partition)}
    known = [identifier for identifier in setting.order[by] if identifier in counting]
    return known + sorted(counting.difference(known))


def _measure(setting: Setting, metric: Metric) -> Callable[[Partition], Measure]:
    """How the metric's row says a group is to be counted."""

    def values(positions: Positions) -> list[int | float]:
        return setting.table.values(metric.id, positions)

    if metric.aggregate == "proportion":
        return lambda partition: proportion(partition, setting.level, setting.interval_method)
    if metric.aggregate == "mean":
        return lambda partition: mean(partition, values)
    if metric.aggregate == "quantile" and metric.p is not None:
        p = metric.p
        return lambda partition: quantile(partition, values, p)
    raise ValueError(f"{metric.id}: no code makes a {metric.aggregate} of single runs")


def _pass_hat(setting: Setting, metric: Metric, variant: str) -> Measure:
    if metric.k is None:
        raise ValueError(f"{metric.id}: pass_hat needs k")
    groups = setting.table.partitions(setting.experiment.pass_metric, "case")
    return pass_hat((partition for (of, _), partition in groups.items() if of == variant), metric.k)


def _number(setting: Setting, metric: Metric, variant: str, slice_: str | None, measure: Measure) -> Number:
    made = measured_number(setting, metric, variant_name(variant), slice_, measure)
    return msgspec.structs.replace(made, variant=variant, marks=tuple(_marks(setting, metric, measure)))


def measured_number(setting: Setting, metric: Metric, group: str, slice_: str | None, measure: Measure) -> Number:
    """A measure as a number, without marks; `group` is a `variant_name` or a `difference_variant`."""
    runsets = setting.runsets
    identifier = number_id(setting.batch.id, group, metric.id, slice_)
    hits = measure.numerator
    return Number(
        id=identifier,
        batch=setting.batch.id,
        experiment=setting.experiment.id,
        variant=group,
        slice=slice_,
        metric=metric.id,
        metric_version=setting.table_version,
        unit=metric.unit,
        value=None if measure.value is None else published_float(measure.value),
        numerator=None if hits is None else len(hits),
        denominator=measure.denominator,
        runset=runsets.name(measure.sample),
        numerator_runset=None if hits is None else runsets.name(hits),
        excluded={key: runsets.counted(positions) for key, positions in measure.excluded.items()},
        missing=None if measure.missing is None else runsets.counted(measure.missing),
        interval=measure.interval,
        reason=measure.reason,
        page=number_page(identifier),
        exact=measure.value,
    )


def _marks(setting: Setting, metric: Metric, measure: Measure) -> Iterable[str]:
    """What a reader must know before using the value. A number without one bears no mark."""
    if measure.value is None:
        return []
    sample = [setting.table.rows[position] for position in measure.sample] if metric.unit in ("tokens", "ms") else []
    borne = {
        "small_n": len(measure.sample) < setting.threshold,
        "estimated": metric.unit == "tokens" and any(row.estimated_tokens for row in sample),
        "cached": any(row.cached for row in sample),
        "censored": metric.unit == "ms" and any(row.censored != "none" or _is_capped(setting, row) for row in sample),
    }
    return [mark for mark in MARKS if borne.get(mark)]


def _is_capped(setting: Setting, row: RunRow) -> bool:
    """Whether the duration of a run is where its record ends, though its harness may not say so."""
    return row.timed.duration_ms is not None and is_saturated(row.timed.duration_ms, setting.time_caps)


def _count(setting: Setting, metric: Metric, variant: str) -> Number:
    count = COUNTS.get(metric.id)
    if count is None:
        raise ValueError(f"{metric.id}: no code counts it; known are {', '.join(COUNTS)}")
    value = count.value(setting.accounting[variant])
    runs = counted_runs(count, variant, setting.table)
    identifier = number_id(setting.batch.id, variant_name(variant), metric.id)
    return Number(
        id=identifier,
        batch=setting.batch.id,
        experiment=setting.experiment.id,
        variant=variant,
        slice=None,
        metric=metric.id,
        metric_version=setting.table_version,
        unit=metric.unit,
        value=value,
        numerator=None,
        denominator=None,
        runset=None if runs is None else setting.runsets.name(runs),
        numerator_runset=None,
        excluded={},
        missing=None,
        interval=None,
        reason=None,
        page=number_page(identifier),
        exact=exact(value),
    )
