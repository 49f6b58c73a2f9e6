"""The guard of the independent variable: what else differs between variants makes the comparison worthless.

Values of a configuration are quoted only where the whitelist lets them through; elsewhere variants of equal value are
grouped, which shows who differs from whom and nothing else.
"""

import json
from collections.abc import Iterator
from itertools import combinations
from typing import NamedTuple

from generator.errors import Finding, Place
from generator.model.base import Json
from generator.model.experiments import Experiment, declared_value
from generator.model.projection import Projection
from generator.model.rows import ConfigSeen
from generator.model.rules import finding, visible_id
from generator.model.source import BatchSource
from generator.validate.common import canonical, in_words

QUOTED = 60
"""Characters of a value that may be quoted."""
_PLAIN = ("text", "number", "boolean")


class _Absent:
    """Stands for a path that a configuration does not have."""


ABSENT = _Absent()
Leaf = Json | _Absent


def check_guard(
    batch: BatchSource, experiment: Experiment, configs: list[ConfigSeen], projection: Projection
) -> list[Finding]:
    """RC314 … RC317. `configs` holds each effective configuration of each variant once."""
    named = [variant.id for variant in experiment.ordered_variants]
    seen = [config for config in configs if config.variant in named]
    seen.sort(key=lambda config: (named.index(config.variant), config.first_line))
    comparison = _Comparison(batch, experiment, seen, _Whitelist(projection))
    return [
        *comparison.check_between_variants(),
        *comparison.check_within_variants(),
        *comparison.check_values(),
        *comparison.check_difference(),
    ]


class _Whitelist:
    """Which paths of the effective configuration are shown as they are."""

    def __init__(self, projection: Projection) -> None:
        self._paths = {
            field.path.removeprefix(prefix)
            for field in projection.fields
            for prefix in ("config.effective.", "config.*.")
            if field.path.startswith(prefix) and field.type in _PLAIN and field.treatment == "keep"
        }

    def shows(self, path: str) -> bool:
        return path in self._paths or f"{path}[]" in self._paths


class Difference(NamedTuple):
    """A path and the variants of each of its values."""

    path: str
    groups: list[tuple[Leaf, list[str]]]


class _Comparison:
    def __init__(
        self, batch: BatchSource, experiment: Experiment, configs: list[ConfigSeen], whitelist: _Whitelist
    ) -> None:
        self.batch = batch
        self.variable = experiment.independent_variable
        self.accepted = [accepted.path for accepted in experiment.accepted_differences]
        self.values = {variant.id: variant.value for variant in experiment.variants}
        self.configs = configs
        self.whitelist = whitelist
        self.leaves = [leaf_values(config.effective) for config in configs]

    def check_between_variants(self) -> Iterator[Finding]:
        """RC314: one finding that names every path."""
        differences = [
            difference
            for difference in self._differences(range(len(self.configs)))
            if not _below(difference.path, [self.variable]) and self._between(difference)
        ]
        if not differences:
            return
        allowed = [f"`{self.variable}`", *(f"`{path}` (accepted)" for path in self.accepted)]
        first = next(config for config in self.configs if config.variant != self.configs[0].variant)
        place = self._place(first, "config.effective")
        found = "; ".join(self._in_words(difference) for difference in differences)
        remedy = "hold these fixed, or declare them as accepted_differences with a reason that stands on the page"
        yield finding("RC314", place, f"differences at {in_words(allowed)} only", found, remedy)

    def check_within_variants(self) -> Iterator[Finding]:
        """RC315: what differs between runs of one variant, the independent variable included."""
        for variant in dict.fromkeys(config.variant for config in self.configs):
            own = [number for number, config in enumerate(self.configs) if config.variant == variant]
            paths = [difference.path for difference in self._differences(own)]
            if paths:
                place = self._place(self.configs[own[1]], "config.effective")
                found = f"{len(own)} configurations of `{visible_id(variant)}` that differ at {', '.join(paths)}"
                remedy = "split the batch, or declare the paths as accepted_differences"
                yield finding("RC315", place, "one configuration a variant", found, remedy)

    def check_values(self) -> Iterator[Finding]:
        """RC316: the value in effect is the one that the template gives the variant."""
        for config in self.configs:
            declared, value = self.values[config.variant], value_at(config.effective, self.variable)
            place = self._place(config, f"config.effective.{self.variable}")
            if isinstance(value, _Absent):
                remedy = "record the independent variable, or correct its path in experiments.yaml"
                yield finding("RC316", place, "the independent variable", "no such path", remedy)
            elif declared is not None and not _equal(declared_value(value), declared):
                expected = f"{_quote(declared)} (the value of `{visible_id(config.variant)}`)"
                found = _quote(value) if self.whitelist.shows(self.variable) else "another value"
                remedy = "correct the variant of the runs, or its value in experiments.yaml"
                yield finding("RC316", place, expected, found, remedy)

    def check_difference(self) -> Iterator[Finding]:
        """RC317: two variants with the same value in effect are one, unless an accepted difference tells them apart."""
        first: dict[tuple[bytes | None, ...], ConfigSeen] = {}
        for config in self.configs:
            values = [value_at(config.effective, path) for path in (self.variable, *self.accepted)]
            if isinstance(values[0], _Absent):
                continue
            forms = tuple(b"absent" if isinstance(value, _Absent) else canonical(value) for value in values)
            earlier = first.setdefault(forms, config)
            if earlier.variant != config.variant:
                place = self._place(config, f"config.effective.{self.variable}")
                found = f"the value of `{visible_id(earlier.variant)}` in line {earlier.first_line}"
                remedy = "correct the variant of the runs: nothing was varied between these two"
                yield finding("RC317", place, "a value of its own", found, remedy)

    def _place(self, config: ConfigSeen, field: str) -> Place:
        return Place(self.batch.runs.name, config.first_line, visible_id(config.first_run), field)

    def _differences(self, numbers: range | list[int]) -> Iterator[Difference]:
        """Paths at which the numbered configurations are not all equal, accepted ones aside, in order."""
        paths = sorted({path for number in numbers for path in self.leaves[number]})
        for path in paths:
            if _below(path, self.accepted):
                continue
            groups: dict[bytes | None, tuple[Leaf, list[str]]] = {}
            for number in numbers:
                value = self.leaves[number].get(path, ABSENT)
                key = b"absent" if isinstance(value, _Absent) else canonical(value)
                group = groups.setdefault(key, (value, []))
                if self.configs[number].variant not in group[1]:
                    group[1].append(self.configs[number].variant)
            if len(groups) > 1:
                yield Difference(path, list(groups.values()))

    def _between(self, difference: Difference) -> bool:
        """Whether two variants have no value in common there; what one variant mixes is RC315."""
        held = [
            {number for number, (_, group) in enumerate(difference.groups) if variant in group}
            for variant in dict.fromkeys(config.variant for config in self.configs)
        ]
        return any(one and other and not one & other for one, other in combinations(held, 2))

    def _in_words(self, difference: Difference) -> str:
        """`path (full, recent-n: 0.2 | budgeted: 0.7)`; without the values where the whitelist withholds them."""
        shown = self.whitelist.shows(difference.path)
        parts = []
        for value, variants in difference.groups:
            names = ", ".join(visible_id(variant) for variant in variants)
            if isinstance(value, _Absent):
                names += ": absent"
            elif shown:
                names += f": {_quote(value)}"
            parts.append(names)
        return f"{difference.path} ({' | '.join(parts)})"


def leaf_values(value: Json, prefix: str = "") -> dict[str, Json]:
    """Path → value of everything that is no object; lists and empty objects are values. Keys are joined by dots."""
    if not isinstance(value, dict) or not value:
        return {prefix: value}
    leaves: dict[str, Json] = {}
    for key, item in value.items():
        leaves |= leaf_values(item, f"{prefix}.{key}" if prefix else key)
    return leaves


def value_at(effective: dict[str, Json], path: str) -> Leaf:
    value: Json = effective
    for key in path.split("."):
        if not isinstance(value, dict) or key not in value:
            return ABSENT
        value = value[key]
    return value


def _below(path: str, roots: list[str]) -> bool:
    return any(path == root or path.startswith(f"{root}.") for root in roots)


def _equal(one: Json, other: Json) -> bool:
    return canonical(one) == canonical(other)


def _quote(value: Json) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return visible_id(text) if len(text) <= QUOTED else text[: QUOTED - 1] + "…"
