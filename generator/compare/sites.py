"""The comparison of two sites, batch by batch."""

from collections.abc import Iterator
from pathlib import Path

import msgspec

from generator.compare.causes import Cause, Compared, find_causes
from generator.compare.difference import Difference
from generator.compare.evidence import evidence_differences
from generator.compare.numbers import Aspect, Ground, changed_figures, ground
from generator.compare.published import Batch, Index, Number, Site
from generator.compare.runs import RunDifferences


class Comparison(msgspec.Struct, frozen=True, kw_only=True):
    """`changed` holds the numbers with other figures, `evidence` those with the same figures over other evidence; all
    in the order of the new site, removed ones in that of the old."""

    old: Index
    new: Index
    added: list[Difference]
    removed: list[Difference]
    changed: list[Difference]
    evidence: list[Difference]

    @property
    def same(self) -> bool:
        """Whether every number is the same, with the same evidence behind it."""
        return not (self.added or self.removed or self.changed or self.evidence)


def compare_sites(old: Path, new: Path) -> Comparison:
    """Compare two built sites by what their APIs say.

    Raises
    ------
    SiteError
        One of them cannot be read.
    """
    sites = Site(old), Site(new)
    names = list(dict.fromkeys([*sites[1].listed, *sites[0].listed]))
    found = [difference for name in names for difference in _batch(name, sites)]
    found += evidence_differences(sites)
    return Comparison(
        old=sites[0].index,
        new=sites[1].index,
        added=[difference for difference in found if difference.old is None],
        removed=[difference for difference in found if difference.new is None],
        changed=[entry for entry in found if entry.old and entry.new and entry.aspects != ["evidence"]],
        evidence=[entry for entry in found if entry.aspects == ["evidence"]],
    )


def _batch(name: str, sites: tuple[Site, Site]) -> Iterator[Difference]:
    old, new = (site.batch(name) for site in sites)
    if old is not None and new is not None:
        yield from _both(sites, (old, new))
        return
    place = "old" if new is None else "new"
    cause = Cause("runs", [f"batch {name} is published in the {place} site alone"])
    for batch in (old, new):
        for number in batch.numbers.values() if batch is not None else ():
            sides = (number, None) if batch is old else (None, number)
            yield Difference(
                id=number.id, batch=name, old=sides[0], new=sides[1], aspects=[], causes=[cause], with_batch=True
            )


def _both(sites: tuple[Site, Site], batches: tuple[Batch, Batch]) -> Iterator[Difference]:
    runs = RunDifferences((sites[0], batches[0]), (sites[1], batches[1]))
    for name in dict.fromkeys([*batches[1].numbers, *batches[0].numbers]):
        old, new = (batch.numbers.get(name) for batch in batches)
        grounds = [_ground(number, site, batch) for number, site, batch in zip((old, new), sites, batches, strict=True)]
        both = Ground(grounds[0].runs | grounds[1].runs, grounds[0].metrics | grounds[1].metrics)
        aspects = _aspects(old, new, both, runs)
        if old is not None and new is not None and not aspects:
            continue
        metrics = [number.metric for number in (old, new) if number is not None]
        compared = Compared(
            old=old,
            new=new,
            metric=metrics[-1],
            aspects=aspects,
            ground=both,
            heads=(batches[0].head, batches[1].head),
            rows=(sites[0].metrics.get(metrics[-1]), sites[1].metrics.get(metrics[-1])),
            versions=(sites[0].index.generator_version, sites[1].index.generator_version),
            settings=(sites[0].index.settings, sites[1].index.settings),
            time_settings=(sites[0].index.time_settings, sites[1].index.time_settings),
            profiles=(sites[0].profile, sites[1].profile),
            runs=runs,
        )
        causes = find_causes(compared)
        yield Difference(id=name, batch=batches[0].head.id, old=old, new=new, aspects=aspects, causes=causes)


def _ground(number: Number | None, site: Site, batch: Batch) -> Ground:
    if number is None:
        return Ground(frozenset(), frozenset())
    return ground(number, batch, site.metrics, frozenset() if site.profile is None else site.profile.columns)


def _aspects(old: Number | None, new: Number | None, found: Ground, runs: RunDifferences) -> list[Aspect]:
    """What changed of a number that both sites have."""
    if old is None or new is None:
        return []
    other: list[Aspect] = ["evidence"] if _other_evidence(found, runs) else []
    return [*changed_figures(old, new), *other]


def _other_evidence(found: Ground, runs: RunDifferences) -> bool:
    """Whether a run of the group has another record, is shown differently, or is judged otherwise for this number."""
    return any(
        difference.recorded or difference.shown or difference.projection_version or difference.judged & found.metrics
        for difference in (runs.differences[run] for run in found.runs & runs.differences.keys())
    )
