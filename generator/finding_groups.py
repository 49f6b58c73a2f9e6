"""Findings that say the same many times, told once: one wrong id may break a rule in every line of a file."""

import re
from collections import defaultdict
from collections.abc import Hashable, Sequence
from dataclasses import dataclass

from generator.errors import Finding, Place

EQUAL = 20
"""So many findings that differ in nothing but their line or run are printed one by one; more become one group."""
ALIKE = 100
"""So many findings of one rule in one file are printed; the rest is counted."""

_POSITION = re.compile(r"\[[0-9]+\]")


@dataclass(frozen=True, slots=True)
class Group:
    """A finding, and `places`: where the same holds, the finding's own place first. With `rest` the places are those
    of other findings of the rule in this file, which are not printed."""

    finding: Finding
    places: tuple[Place, ...]
    rest: bool = False

    def __str__(self) -> str:
        """The finding, and below it how often and in which lines."""
        if self.rest:
            return f"{self.finding.place.file}  {self.finding.code} {self.finding.rule}\n  {self.tail}"
        return str(self.finding) if len(self.places) == 1 else f"{self.finding}\n  {self.tail}"

    @property
    def tail(self) -> str:
        """`480 times, in lines 3, 4, 5 …`."""
        where = self._where()
        if self.rest:
            return f"{len(self.places)} more like these, {where}; --format json lists all"
        return f"{len(self.places)} times, {where}"

    def _where(self) -> str:
        noun, names = "line", dict.fromkeys(str(place.line) for place in self.places if place.line is not None)
        if not names:
            noun, names = "field", dict.fromkeys(place.field or "(none)" for place in self.places)
        shown = list(names)[:EQUAL]
        more = f" and {len(names) - len(shown)} more" if len(names) > len(shown) else ""
        return f"in {noun}{'s' if len(names) > 1 else ''} {', '.join(shown)}{more}"


def grouped(findings: Sequence[Finding]) -> list[Group]:
    """The findings in their order, equal ones together where there are many. A group stands where its first one did."""
    equal: dict[Hashable, list[Finding]] = defaultdict(list)
    for found in findings:
        equal[_message(found)].append(found)
    groups: list[Group] = []
    for found in findings:
        same = equal[_message(found)]
        if len(same) <= EQUAL:
            groups.append(Group(found, (found.place,)))
        elif found is same[0]:
            groups.append(Group(found, tuple(one.place for one in same)))
    return _without_the_rest(groups)


def _without_the_rest(groups: list[Group]) -> list[Group]:
    """At most `ALIKE` groups of one rule in one file, then one that counts the others."""
    kept: list[Group] = []
    shown: dict[tuple[str, str], int] = defaultdict(int)
    cut: dict[tuple[str, str], list[Group]] = defaultdict(list)
    for group in groups:
        kind = (group.finding.code, group.finding.place.file)
        shown[kind] += 1
        if shown[kind] <= ALIKE:
            kept.append(group)
        else:
            cut[kind].append(group)
    rest = [Group(all_[0].finding, tuple(place for one in all_ for place in one.places), True) for all_ in cut.values()]
    return kept + rest


def _message(found: Finding) -> Hashable:
    field = None if found.place.field is None else _POSITION.sub("[]", found.place.field)
    return found.code, found.place.file, field, found.expected, found.found, found.remedy
