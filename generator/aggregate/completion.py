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
    times = list(run_times(runs, ground.source.time_caps))
    known = [(row, _is_within(time, threshold)) for row, time in zip(runs, times, strict=True)]
    timed = [(row, is_within) for row, is_within in known if is_within is not None]
    hits = tuple(row for row, is_within in timed if is_within)
    bounds = missingness_bounds(len(hits), len(timed), len(runs) - len(timed))
    groups = by_stratum(times)
    detail: Detail = {
        "threshold_ms": threshold,
        "pooled": _counts([time for of in groups.values() for time in of], threshold),
        "strata": {key: _counts(times, threshold) for key, times in groups.items()},
    }
    reason = None if timed else "no_record" if runs else "no_valid_runs"
    return Made(bounds.observed_only, tuple(row for row, _ in timed), reason, detail if runs else {}, hits=hits)


def _is_within(time: Time, threshold: int) -> bool | None:
    """None where it is not known: without a value, and where a value that was cut off below the threshold may be any
    larger one."""
    if time.value is None:
        return None
    if exact(time.value) > threshold:
        return False
    return None if time.is_cut else True


def _counts(times: list[Time], threshold: int) -> Detail:
    known = [is_within for time in times if (is_within := _is_within(time, threshold)) is not None]
    missing = sum(time.value is None for time in times)
    count = sum(known)
    bounds = missingness_bounds(count, len(known), len(times) - len(known))
    shares = {"observed": bounds.observed_only, "low": bounds.low, "high": bounds.high}
    counts: Detail = {
        "count": count,
        "high_count": count + len(times) - len(known),
        "n": len(known),
        "missing": missing,
        "cut": len(times) - len(known) - missing,
        "all": len(times),
    }
    return counts | {name: None if share is None else published_float(share) for name, share in shares.items()}
