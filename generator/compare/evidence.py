"""Numbers that rest on aggregate evidence, in two sites."""

from collections.abc import Iterator
from typing import Any

from generator.compare.causes import Cause
from generator.compare.difference import Difference
from generator.compare.numbers import Aspect, changed_figures
from generator.compare.published import Number, Site

BATCH = "evidence"


def evidence_differences(sites: tuple[Site, Site]) -> Iterator[Difference]:
    """Every number of either register that differs, or whose evidence does."""
    numbers = [site.evidence_numbers() for site in sites]
    entries = [site.evidence_entries() for site in sites]
    for name in dict.fromkeys([*numbers[1], *numbers[0]]):
        old, new = (found.get(name) for found in numbers)
        known = [number.evidence or "" for number in (old, new) if number is not None]
        data = [found.get(known[-1], {}).get("data") for found in entries]
        aspects: list[Aspect] = [] if old is None or new is None else changed_figures(old, new)
        if old is not None and new is not None and data[0] != data[1]:
            aspects.append("evidence")
        if aspects or old is None or new is None:
            causes = list(_causes(known[-1], data, sites, (old or new, new or old)))
            yield Difference(id=name, batch=BATCH, old=old, new=new, aspects=aspects, causes=causes)


def _causes(
    entry: str, data: list[Any], sites: tuple[Site, Site], numbers: tuple[Number | None, Number | None]
) -> Iterator[Cause]:
    """At least one."""
    found = []
    if data[0] != data[1]:
        found.append(Cause("evidence", [f"the aggregate evidence of {entry} differs"]))
    metrics = [number.metric for number in numbers if number is not None]
    rows = [site.metrics.get(metrics[-1]) for site in sites]
    if rows[0] != rows[1]:
        found.append(Cause("definition", [f"the row {metrics[-1]} of the metric table differs"]))
    settings = [site.index.settings for site in sites]
    if not found and settings[0] != settings[1]:
        found.append(Cause("definition", ["thresholds differ"]))
    versions = [site.index.generator_version for site in sites]
    yield from found or [Cause("code", [f"generator {versions[0]} and {versions[1]}"])]
