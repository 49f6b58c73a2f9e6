"""Why a number changed. docs/diff.md states the rule."""

from collections.abc import Iterator
from typing import Any, Literal

import msgspec

from generator.compare.numbers import Aspect, Ground, is_of_box
from generator.compare.published import Head, Number, Profile
from generator.compare.runs import RunDifference, RunDifferences

CauseKind = Literal["runs", "definition", "profile", "judge", "projection", "evidence", "code"]
NAMED = 5
"""So many runs are named in a detail; the rest is counted."""
PLAN = ("runs_planned", "runs_skipped")
"""Counts of cells, which rest on the plan."""
OF_TIMES = ("time_strata_runs", "time_strata_calls", "time_within", "boundary_change")
GATED = ("gate_failures", "waived_failures")
"""Operations that rest on the waivers of the batch."""


class Cause(msgspec.Struct, frozen=True):
    """`details` say what differs; they name runs, fields and versions, and quote no content."""

    cause: CauseKind
    details: list[str]


class Compared(msgspec.Struct, frozen=True, kw_only=True):
    """One number of a batch that both sites publish. Where one site lacks the number, `old` or `new` is None.

    `heads`, `rows` (of the metric, None where the table lacks it), `versions` (of the generator), `settings` (of
    derived numbers and of verdicts), `time_settings` (of numbers on times), `profiles` (of the box): old and new.
    """

    old: Number | None
    new: Number | None
    metric: str
    aspects: list[Aspect]
    ground: Ground
    heads: tuple[Head, Head]
    rows: tuple[dict[str, object] | None, dict[str, object] | None]
    versions: tuple[str, str]
    settings: tuple[dict[str, Any], dict[str, Any]]
    time_settings: tuple[dict[str, Any], dict[str, Any]]
    profiles: tuple[Profile | None, Profile | None]
    runs: RunDifferences

    @property
    def is_derived(self) -> bool:
        return any(row is not None and row.get("aggregate") == "derived" for row in self.rows)

    @property
    def is_decided(self) -> bool:
        """Whether thresholds decide something of it."""
        return self.is_derived or "verdict" in self.aspects

    @property
    def is_of_times(self) -> bool:
        """Whether what a recorder cuts off decides something of it: of a time, of strata, of the box with a time."""
        return self.is_boxed or any(
            row is not None and (row.get("unit") == "ms" or str(row.get("operation")) in OF_TIMES) for row in self.rows
        )

    @property
    def is_waived(self) -> bool:
        return any(row is not None and row.get("operation") in GATED for row in self.rows)

    @property
    def is_boxed(self) -> bool:
        return any(is_of_box(row) for row in self.rows)


def find_causes(compared: Compared) -> list[Cause]:
    """At least one cause, in the order of `CauseKind`."""
    touched = compared.ground.runs & compared.runs.differences.keys()
    differing = {run: compared.runs.differences[run] for run in sorted(touched)}
    found: dict[CauseKind, list[str]] = {
        "runs": list(_runs(compared, differing)),
        "definition": list(_definition(compared, differing)),
        "profile": list(_profile(compared)),
        "judge": list(_judge(compared, differing)),
        "projection": list(_projection(differing)),
        "evidence": [],
        "code": [],
    }
    if compared.versions[0] != compared.versions[1]:
        found["code"].append(f"generator {_arrow(*compared.versions)}")
    explaining: list[CauseKind] = ["runs", "definition", "profile", "judge", "code"]
    if compared.is_derived:
        explaining.append("projection")  # they are made of what the whitelist lets through
    if compared.aspects != ["evidence"] and not any(found[kind] for kind in explaining):
        found["code"].append("nothing that the sites publish explains it: the program counts differently")
    return [Cause(kind, details) for kind, details in found.items() if details]


def _runs(compared: Compared, differing: dict[str, RunDifference]) -> Iterator[str]:
    for word, runs in (("added", compared.runs.added), ("removed", compared.runs.removed)):
        named = sorted(compared.ground.runs & runs)
        if named:
            yield f"{_count(named)} {word}: {_names(named)}"
    recorded = [run for run, difference in differing.items() if difference.recorded]
    if recorded:
        parts = sorted({part for run in recorded for part in differing[run].recorded})
        yield f"the record of {_count(recorded)} differs ({', '.join(parts)}): {_names(recorded)}"
    hidden = [run for run in _judged_otherwise(compared, differing) if not differing[run].same_record]
    if hidden:
        yield f"the runs file differs, so what is not published of {_count(hidden)} may differ: {_names(hidden)}"
    if compared.metric in PLAN:
        old, new = compared.heads
        if old.grid != new.grid:
            yield "the planned grid differs"
        if old.skipped != new.skipped:
            yield "the skipped cells differ"


def _definition(compared: Compared, differing: dict[str, RunDifference]) -> Iterator[str]:
    before, after = compared.rows
    if before is None or after is None:
        yield f"metric {compared.metric} is not in the {'old' if before is None else 'new'} table"
    elif before != after:
        keys = sorted(key for key in before.keys() | after.keys() if before.get(key) != after.get(key))
        yield f"row of the metric: {', '.join(keys)}"
    old, new = compared.old, compared.new
    if old is not None and new is not None and old.metric_version != new.metric_version:
        yield f"metric table version {_arrow(old.metric_version, new.metric_version)}"
    first, second = compared.heads
    for name in ("case_bank", "catalog", "fixtures"):
        versions = [_versioned(getattr(head, name)) for head in (first, second)]
        if versions[0] != versions[1]:
            yield f"{name.replace('_', ' ')} {_arrow(*versions)}"
    if first.alpha != second.alpha and any(number and number.interval for number in (old, new)):
        yield f"alpha {_arrow(first.alpha, second.alpha)}"
    elif compared.is_decided:
        yield from _settings(compared.settings)
    if compared.is_of_times:
        yield from _settings(compared.time_settings)
    if compared.is_waived and first.waivers != second.waivers:
        yield f"waivers: {_waivers(first)} → {_waivers(second)}"
    if first.threshold != second.threshold and "marks" in compared.aspects:
        yield f"threshold of valid runs {_arrow(first.threshold, second.threshold)}"
    if first.pass_metric != second.pass_metric:
        yield f"pass metric {_arrow(first.pass_metric, second.pass_metric)}"
    if first.baseline != second.baseline:
        yield f"baseline {_arrow(first.baseline, second.baseline)}"
    moved = [run for run, difference in differing.items() if difference.category]
    if moved:
        yield f"the category of {_count(moved)} differs: {_names(moved)}"


def _settings(settings: tuple[dict[str, Any], dict[str, Any]]) -> Iterator[str]:
    for name in sorted(settings[0].keys() | settings[1].keys()):
        before_and_after = [of_site.get(name) for of_site in settings]
        if before_and_after[0] != before_and_after[1]:
            yield f"{name} {_arrow(*before_and_after)}"


def _waivers(head: Head) -> str:
    return ", ".join(str(waiver.get("case")) for waiver in head.waivers) or "none"


def _profile(compared: Compared) -> Iterator[str]:
    """What differs of the box profiles, value by value."""
    if not compared.is_boxed:
        return
    before, after = ({} if profile is None else profile.values for profile in compared.profiles)
    for name in dict.fromkeys([*before, *after]):
        if before.get(name) != after.get(name):
            yield f"{name} {_arrow(before.get(name), after.get(name))}"


def _judge(compared: Compared, differing: dict[str, RunDifference]) -> Iterator[str]:
    otherwise = _judged_otherwise(compared, differing)
    if otherwise:
        yield f"{_count(otherwise)} with the same published record judged otherwise: {_names(otherwise)}"
    if any(difference.judged & compared.ground.metrics for difference in differing.values()):
        old, new = (head.judges for head in compared.heads)
        for judge in sorted(old.keys() | new.keys()):
            if old.get(judge) != new.get(judge):
                yield f"judge {judge}: version {_arrow(old.get(judge), new.get(judge))}"


def _judged_otherwise(compared: Compared, differing: dict[str, RunDifference]) -> list[str]:
    metrics = compared.ground.metrics
    return [run for run, found in differing.items() if found.judged & metrics and not found.recorded]


def _projection(differing: dict[str, RunDifference]) -> Iterator[str]:
    shown = [run for run, difference in differing.items() if difference.shown]
    if shown:
        parts = sorted({part for run in shown for part in differing[run].shown})
        yield f"{_count(shown)} shown differently ({', '.join(parts)}): {_names(shown)}"
    versioned = [run for run, difference in differing.items() if difference.projection_version]
    if versioned:
        yield f"{_count(versioned)} projected under another version of the whitelist"


def _versioned(used: dict[str, object] | None) -> str:
    return "none" if used is None else f"{used.get('id')} version {used.get('version')}"


def _arrow(old: object, new: object) -> str:
    return f"{'none' if old is None else old} → {'none' if new is None else new}"


def _count(runs: list[str]) -> str:
    return "1 run" if len(runs) == 1 else f"{len(runs)} runs"


def _names(runs: list[str]) -> str:
    rest = len(runs) - NAMED
    return ", ".join(runs[:NAMED]) + (f" and {rest} more" if rest > 0 else "")
