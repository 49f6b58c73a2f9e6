"""What a metric makes of the partition of a group: value, counts, interval; one function an aggregate."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from generator.aggregate.table import NONE, Partition, Positions
from generator.model.formatting import exact, published_float
from generator.model.metrics import Metric
from generator.model.numbers import Interval
from generator.stats.means import exact_mean
from generator.stats.pass_hat import mean_pass_hat
from generator.stats.proportions import INTERVALS, IntervalMethod
from generator.stats.quantiles import percentile_cont

FEW_RUNS = "fewer_than_k_valid_runs"
MARKS = ("small_n", "estimated", "cached", "censored", "other_cases")
"""All marks, in the order in which a number bears them."""

_EXCLUSIONS = ("not_applicable", "invalid", "cancelled")

Values = Callable[[Positions], list[int | float]]


@dataclass(frozen=True, slots=True)
class Measure:
    """`sample` is the denominator's or the sample's runs; `sample`, `missing` and `excluded` partition the group."""

    value: Fraction | None
    sample: Positions
    denominator: int
    excluded: dict[str, Positions]
    numerator: Positions | None = None
    missing: Positions | None = None
    interval: Interval | None = None
    reason: str | None = None


def proportion(partition: Partition, level: float, method: IntervalMethod) -> Measure:
    """Hits ÷ (hits + misses), with its interval."""
    hits = partition.get("hit", NONE)
    judged = _together([hits, partition.get("miss", NONE)])
    n = len(judged)
    ends = INTERVALS[method](len(hits), n, level)
    return Measure(
        value=Fraction(len(hits), n) if n else None,
        sample=judged,
        denominator=n,
        excluded=_excluded(partition),
        numerator=hits,
        interval=None if ends is None else make_interval(method, level, ends),
        reason=None if n else _why_nothing(partition),
    )


def mean(partition: Partition, values: Values) -> Measure:
    """The exact mean of the records."""
    return _of_records(partition, lambda sample: exact_mean(values(sample)))


def quantile(partition: Partition, values: Values, p: float) -> Measure:
    """percentile_cont of the records."""
    return _of_records(partition, lambda sample: percentile_cont(values(sample), exact(p)))


def pass_hat(cases: Iterable[Partition], k: int) -> Measure:
    """Mean over the cases of a group; `cases` are their partitions for the pass metric.

    The denominator counts cases. Judged runs of cases with fewer than k of them are excluded.
    """
    enough: list[Positions] = []
    few: list[Positions] = []
    counts: list[tuple[int, int]] = []
    others: dict[str, list[Positions]] = {}
    for partition in cases:
        hits = partition.get("hit", NONE)
        judged = _together([hits, partition.get("miss", NONE)])
        counts.append((len(hits), len(judged)))
        (enough if len(judged) >= k else few).append(judged)
        for key, positions in _excluded(partition).items():
            others.setdefault(key, []).append(positions)
    value, counted = mean_pass_hat(counts, k)
    left_out = _together(few)
    others.setdefault(f"not_applicable:{FEW_RUNS}", []).append(left_out)
    excluded = _ordered({key: _together(parts) for key, parts in others.items()})
    return Measure(
        value=value,
        sample=_together(enough),
        denominator=counted,
        excluded=excluded,
        reason=None if counted else FEW_RUNS if len(left_out) else _why_nothing(excluded),
    )


def make_interval(method: str, level: float, ends: tuple[float, float]) -> Interval:
    """The interval as it is published."""
    return Interval(method=method, level=level, low=published_float(ends[0]), high=published_float(ends[1]))


def applies(metric: Metric, partition: Partition) -> bool:
    """Whether some run of the group counts for the metric."""
    counting = ("hit", "miss") if metric.aggregate == "proportion" else ("value",)
    return any(part in partition for part in counting)


def _of_records(partition: Partition, value: Callable[[Positions], Fraction | None]) -> Measure:
    sample = partition.get("value", NONE)
    return Measure(
        value=value(sample),
        sample=sample,
        denominator=len(sample),
        excluded=_excluded(partition),
        missing=partition.get("missing", NONE),
        reason=None if len(sample) else _why_nothing(partition),
    )


def _excluded(partition: Partition) -> dict[str, Positions]:
    return _ordered({key: positions for key, positions in partition.items() if ":" in key})


def _ordered(excluded: dict[str, Positions]) -> dict[str, Positions]:
    """Without empty sets; what does not apply first, then invalid, then cancelled; reasons by code point."""

    def place(key: str) -> tuple[int, str]:
        return _EXCLUSIONS.index(key.partition(":")[0]), key

    return {key: excluded[key] for key in sorted(excluded, key=place) if len(excluded[key])}


def _why_nothing(partition: Partition) -> str:
    """Why a group without a value has none."""
    if "missing" in partition:
        return "no_record"
    if any(key.startswith("not_applicable:") for key in partition):
        return "not_applicable_to_any_run"
    return "no_valid_runs"


def _together(parts: list[Positions]) -> Positions:
    return np.sort(np.concatenate(parts)) if parts else NONE
