"""What is known of times within a threshold where some are missing: the observed share, and two bounds."""

from collections.abc import Iterator

from generator.aggregate.made import Detail, Ground, Made
from generator.aggregate.strata import Time, by_stratum, run_times
from generator.model.addresses import slice_name
from generator.model.formatting import exact, published_float
from generator.stats.missingness import missingness_bounds

Sliced = tuple[str, str | None, Made]
"""Variant, slice, what is made of it."""


def within(ground: Ground) -> Iterator[Sliced]:
    """One a threshold and variant of a comparison, where thresholds are configured or some valid run has no duration.

    Runs that try cases or relations have no such numbers, as they have no slices by stratum.
    """
    publication, setting = ground.source.publication, ground.setting
    is_missing = any(row.timed.duration_ms is None for runs in ground.runs.values() for row in runs)
    if setting.experiment.kind != "comparison" or not (publication.time_thresholds_ms or is_missing):
        return
    for threshold in publication.thresholds_ms:
        for variant in setting.variants:
            yield variant, slice_name("within", str(threshold)), _bounded(ground, variant, threshold)


def _bounded(ground: Ground, variant: str, threshold: int) -> Made:
    runs = ground.runs[variant]
    timed = [(row, row.timed.duration_ms) for row in runs if row.timed.duration_ms is not None]
    hits = tuple(row for row, duration in timed if exact(duration) <= threshold)
    bounds = missingness_bounds(len(hits), len(timed), len(runs) - len(timed))
    groups = by_stratum(list(run_times(runs, ())))
    detail: Detail = {
        "threshold_ms": threshold,
        "pooled": _counts([time for of in groups.values() for time in of], threshold),
        "strata": {key: _counts(times, threshold) for key, times in groups.items()},
    }
    reason = None if timed else "no_record" if runs else "no_valid_runs"
    return Made(bounds.observed_only, tuple(row for row, _ in timed), reason, detail if runs else {}, hits=hits)


def _counts(times: list[Time], threshold: int) -> Detail:
    values = [exact(time.value) for time in times if time.value is not None]
    count = sum(value <= threshold for value in values)
    bounds = missingness_bounds(count, len(values), len(times) - len(values))
    shares = {"observed": bounds.observed_only, "low": bounds.low, "high": bounds.high}
    counts: Detail = {
        "count": count,
        "high_count": count + len(times) - len(values),
        "n": len(values),
        "missing": len(times) - len(values),
        "all": len(times),
    }
    return counts | {name: None if share is None else published_float(share) for name, share in shares.items()}
