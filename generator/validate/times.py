"""Rules of what times are held against."""

from collections.abc import Iterator, Sequence

from generator.errors import Finding, Place
from generator.model.rules import finding
from generator.model.source import Source

FILE = "publication.yaml"


def check_times(source: Source) -> Iterator[Finding]:
    """RC180, RC181: thresholds and caps are times, each once; only a time has a cap."""
    publication = source.publication
    for name in ("time_thresholds_ms", "time_caps_ms"):
        yield from _each_once(name, getattr(publication, name))
    for position, metric in enumerate(source.metrics.metrics):
        cap = metric.saturates_at
        if cap is None or (metric.unit == "ms" and cap > 0):
            continue
        place = Place("metrics.yaml", field=f"metrics[{position}].saturates_at")
        expected = "a number above 0, of a metric with the unit ms"
        found = f"{cap:g} with the unit {metric.unit}"
        yield finding("RC181", place, expected, found, "remove `saturates_at`, or name the value at which a time ends")


def _each_once(name: str, values: Sequence[int]) -> Iterator[Finding]:
    for position, value in enumerate(values):
        place = Place(FILE, field=f"{name}[{position}]")
        if value < 1:
            yield finding("RC180", place, "1 or more, in milliseconds", str(value), "correct the entry")
        elif value in values[:position]:
            yield finding("RC180", place, "each value once", f"{value} again", "remove one of the entries")
