"""What differs between two published forms of one run: what was recorded, how it is shown, how it was judged."""

from collections.abc import Iterator
from typing import Any

import msgspec

from generator.compare.published import Batch, Run, Site

RECORDED = (
    *("variant", "case_id", "repeat_index", "sequence", "state", "reason", "mode", "config", "config_hash"),
    *("telemetry", "trace", "answer", "source_run_id"),
)
"""Parts of the evidence that come from the run itself."""
TREATED = frozenset(["text", "truncated", "length", "sha256"])
"""Keys of a text that was redacted and cut."""

Path = tuple[str | int, ...]
Json = Any


class RunDifference(msgspec.Struct, frozen=True, kw_only=True):
    """Of one run that both sites publish.

    `recorded` names the parts whose record differs, `shown` those that only look different. `judged` are the metrics
    whose assertion differs. `same_record` is true where both sites were made from the same line of the same runs file;
    elsewhere a part that is not published may differ too.
    """

    recorded: tuple[str, ...]
    shown: tuple[str, ...]
    judged: frozenset[str]
    category: bool
    projection_version: bool
    same_record: bool


class RunDifferences:
    """All runs of one batch, in two sites. `differences` holds the runs that differ, by id."""

    def __init__(self, old: tuple[Site, Batch], new: tuple[Site, Batch]) -> None:
        before, after = ({run.run_id: run for run in batch.head.runs} for _, batch in (old, new))
        self.added = after.keys() - before.keys()
        self.removed = before.keys() - after.keys()
        self._rules = Rules(old[0].whitelist, new[0].whitelist)
        self.differences: dict[str, RunDifference] = {}
        for run_id in sorted(before.keys() & after.keys()):
            found = self._compare((old[0], before[run_id]), (new[0], after[run_id]))
            if found is not None:
                self.differences[run_id] = found

    def _compare(self, old: tuple[Site, Run], new: tuple[Site, Run]) -> RunDifference | None:
        if old[1].sha256 == new[1].sha256:
            return None
        found = compare_evidence(old[0].evidence(old[1]), new[0].evidence(new[1]), self._rules)
        differs = found.recorded or found.shown or found.judged or found.category or found.projection_version
        return found if differs else None


class Rules:
    """The rules of two whitelists for a place of the evidence."""

    def __init__(self, old: list[dict[str, Json]], new: list[dict[str, Json]]) -> None:
        self._old, self._new = (
            [
                (_tokens(rule["field"]), {key: rule.get(key) for key in ("path", "type", "treatment", "limit")})
                for rule in rules
            ]
            for rules in (old, new)
        )

    def agree(self, place: Path) -> bool:
        """Whether both whitelists treat the place alike."""
        tokens = tuple("[]" if isinstance(part, int) else part for part in place)
        return _rule(self._old, tokens) == _rule(self._new, tokens)


def compare_evidence(old: dict[str, Json], new: dict[str, Json], rules: Rules) -> RunDifference:
    """See docs/diff.md for the rule."""
    same_record = all(old["source"].get(key) == new["source"].get(key) for key in ("file", "line", "sha256"))
    recorded: set[str] = set()
    shown: set[str] = set()
    for place in _differing(old, new):
        same = same_record or _same_record(place, _at(old, place), _at(new, place), rules)
        (shown if same else recorded).add(str(place[0]))
    judged = _judged(old["assertions"], new["assertions"], details=not shown)
    return RunDifference(
        recorded=tuple(part for part in RECORDED if part in recorded),
        shown=tuple(part for part in RECORDED if part in shown),
        judged=frozenset(judged),
        category=old["category"] != new["category"],
        projection_version=old["projection_version"] != new["projection_version"],
        same_record=same_record,
    )


def _differing(old: dict[str, Json], new: dict[str, Json]) -> list[Path]:
    """Places of the recorded parts at which the two differ. An empty object or list says nothing beside a full one:
    what is missing from it is a place of its own."""
    before, after = (
        {place: leaf for part in RECORDED for place, leaf in _leaves(found.get(part), (part,))} for found in (old, new)
    )
    places = [place for place in before | after if before.get(place, _ABSENT) != after.get(place, _ABSENT)]
    return [place for place in places if not (_holds(_at(old, place)) and _holds(_at(new, place)))]


def _holds(value: Json) -> bool:
    return isinstance(value, dict | list) and not is_treated(value)


_ABSENT = object()


def _leaves(value: Json, place: Path) -> Iterator[tuple[Path, Json]]:
    if isinstance(value, dict) and value and not is_treated(value):
        for key, item in value.items():
            yield from _leaves(item, (*place, key))
    elif isinstance(value, list) and value:
        for position, item in enumerate(value):
            yield from _leaves(item, (*place, position))
    else:
        yield place, value


def is_treated(value: Json) -> bool:
    return isinstance(value, dict) and value.keys() == TREATED


def _at(evidence: Json, place: Path) -> Json:
    """The value at a place; `_ABSENT` where there is none."""
    value = evidence
    for part in place:
        try:
            value = value[part]
        except (KeyError, IndexError, TypeError):
            return _ABSENT
    return value


def _same_record(place: Path, old: Json, new: Json, rules: Rules) -> bool:
    """Whether two forms that differ may show one record."""
    if is_treated(old) and is_treated(new):
        if old["sha256"] is not None and new["sha256"] is not None:
            return bool(old["sha256"] == new["sha256"])
        if old["length"] != new["length"]:
            return not rules.agree(place)
        if old["truncated"] or new["truncated"]:
            return True
        return not rules.agree(place) and None in (old["text"], new["text"])
    return not rules.agree(place)


def _judged(old: dict[str, Json], new: dict[str, Json], *, details: bool) -> Iterator[str]:
    """Metrics whose assertion differs. What a detail repeats of the run is shown like the run, so that it counts only
    where nothing else is shown differently."""
    keys = ("outcome", "value", "reason", "detail") if details else ("outcome", "value", "reason")
    for metric in sorted(old.keys() | new.keys()):
        before, after = old.get(metric), new.get(metric)
        if before is None or after is None or any(before.get(key) != after.get(key) for key in keys):
            yield metric


def _tokens(field: str) -> tuple[str, ...]:
    return tuple(part for part in field.replace("[]", ".[]").split(".") if part)


def _rule(rules: list[tuple[tuple[str, ...], dict[str, Json]]], place: tuple[str, ...]) -> dict[str, Json] | None:
    for field, rule in rules:
        if len(field) <= len(place) and all(name in ("*", part) for name, part in zip(field, place, strict=False)):
            return rule
    return None
