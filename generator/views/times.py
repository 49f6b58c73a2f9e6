"""What the result page shows of recorded times: strata, shares within thresholds, and what must not be pooled."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from generator.model.addresses import slice_name, variant_name
from generator.model.experiments import Variant
from generator.model.metrics import Metric
from generator.model.numbers import Number
from generator.model.report import BatchReport
from generator.views.frame import shown_variants


@dataclass(frozen=True)
class Strata:
    """The strata of a variant. `pages`: addresses of the numbers that strata have of their own."""

    variant: Variant
    number: Number
    pages: Mapping[str, str]


@dataclass(frozen=True)
class Within:
    """A threshold in ms, and the number of each variant that has one."""

    threshold: int
    numbers: Sequence[tuple[Variant, Number]]


@dataclass(frozen=True)
class TimeView:
    """`differs`: in what strata of runs differ under some variant. `pooled` are the metrics whose values then are
    pooled over strata."""

    runs: Sequence[Strata]
    calls: Sequence[Strata]
    within: Sequence[Within]
    differs: Sequence[str]
    pooled: frozenset[str]


def time_view(batch: BatchReport, metrics: Sequence[Metric]) -> TimeView:
    by_operation = {metric.operation: metric for metric in metrics if metric.operation is not None}
    times, runs = _times(metrics), _run_strata(batch, metrics)
    found = {name for entry in runs for name in differs_in(entry.number)}
    differs = [name for name in ("authority", "event", "censoring") if name in found]
    return TimeView(
        runs=runs,
        calls=_strata(batch, by_operation.get("time_strata_calls"), None),
        within=_within(batch, by_operation.get("time_within")),
        differs=differs,
        pooled=frozenset(times) if differs else frozenset(),
    )


def strata_of(batch: BatchReport, variant: str, metrics: Mapping[str, Metric]) -> Strata | None:
    """The strata behind a value that is pooled over the runs of a variant; None where they do not differ."""
    for entry in _run_strata(batch, list(metrics.values())):
        if entry.variant.id == variant and differs_in(entry.number):
            return entry
    return None


def _run_strata(batch: BatchReport, metrics: Sequence[Metric]) -> list[Strata]:
    own = next((metric for metric in metrics if metric.operation == "time_strata_runs"), None)
    times = _times(metrics)
    return _strata(batch, own, times[0] if times else None)


def _times(metrics: Sequence[Metric]) -> list[str]:
    return [metric.id for metric in metrics if metric.aggregate == "quantile" and metric.unit == "ms"]


def differs_in(number: Number) -> list[str]:
    """In what the strata of a number differ."""
    detail: dict[str, Any] = number.detail or {}
    return list(detail.get("differs", ()))


def _strata(batch: BatchReport, metric: Metric | None, sliced: str | None) -> list[Strata]:
    found = []
    for variant in shown_variants(batch) if metric is not None else ():
        group = variant_name(variant.id)
        number = batch.number(group, metric.id) if metric is not None else None
        if number is None:
            continue
        pages = {}
        detail: dict[str, Any] = number.detail or {}
        for key in detail.get("strata", {}) if sliced else ():
            own = batch.number(group, sliced or "", slice_name("stratum", key))
            if own is not None:
                pages[key] = own.page
        found.append(Strata(variant, number, pages))
    return found


def _within(batch: BatchReport, metric: Metric | None) -> list[Within]:
    found: dict[int, list[tuple[Variant, Number]]] = {}
    for variant in shown_variants(batch) if metric is not None else ():
        for number in batch.numbers.values():
            if metric is not None and number.metric == metric.id and number.variant == variant.id:
                threshold = int((number.slice or "").rpartition("-")[2])
                found.setdefault(threshold, []).append((variant, number))
    return [Within(threshold, numbers) for threshold, numbers in sorted(found.items())]
