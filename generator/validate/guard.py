"""The guard of the independent variable: what else differs between variants makes the comparison worthless.

Configurations are compared as they are, and quoted only as they are published. What is withheld is named by its path,
because whoever reads the finding must find it, and groups the variants of equal value, which shows who differs from
whom and nothing else.
"""

import json
from collections.abc import Iterator
from itertools import combinations
from typing import NamedTuple

from generator.errors import Finding, Place
from generator.model.base import Json
from generator.model.canonical import canonical
from generator.model.evidence import is_treated
from generator.model.experiments import Experiment, declared_value
from generator.model.json_leaves import ABSENT, Absent, Keys, dotted, is_below, keys_to, leaves, value_at
from generator.model.rows import ConfigSeen, name_in_findings
from generator.model.rules import finding, visible_id
from generator.model.source import BatchSource
from generator.model.words import did_you_mean, in_words

QUOTED = 60
"""Characters of a value that may be quoted."""


def check_guard(batch: BatchSource, experiment: Experiment, configs: list[ConfigSeen]) -> list[Finding]:
    """RC314 … RC317. `configs` holds each effective configuration of each variant once."""
    named = {variant.id: place for place, variant in enumerate(experiment.ordered_variants)}
    seen = [config for config in configs if config.variant in named]
    seen.sort(key=lambda config: (named[config.variant], config.first_line))
    comparison = _Comparison(batch, experiment, seen)
    return [
        *comparison.check_between_variants(),
        *comparison.check_within_variants(),
        *comparison.check_values(),
        *comparison.check_difference(),
    ]


class Difference(NamedTuple):
    """A leaf, and for each of its values the first configuration that has it and the variants that do."""

    keys: Keys
    groups: list[tuple[ConfigSeen, list[str]]]


class _Comparison:
    def __init__(self, batch: BatchSource, experiment: Experiment, configs: list[ConfigSeen]) -> None:
        self.batch = batch
        self.variable = experiment.independent_variable
        self.accepted = [accepted.path for accepted in experiment.accepted_differences]
        self.values = {variant.id: variant.value for variant in experiment.variants}
        self.configs = configs
        self.leaves = [dict(leaves(config.effective)) for config in configs]

    def check_between_variants(self) -> Iterator[Finding]:
        """RC314: one finding that names every path."""
        variable = keys_to(self.variable)
        differences = [
            difference
            for difference in self._differences(range(len(self.configs)))
            if not is_below(difference.keys, variable) and self._between(difference)
        ]
        if not differences:
            return
        allowed = [f"`{self.variable}`", *(f"`{path}` (accepted)" for path in self.accepted)]
        first = next(config for config in self.configs if config.variant != self.configs[0].variant)
        place = self._place(first, "config.effective")
        found = "; ".join(dict.fromkeys(map(_in_words, differences)))
        remedy = "hold these fixed, or declare them as accepted_differences with a reason that stands on the page"
        yield finding("RC314", place, f"differences at {in_words(allowed)} only", found, remedy)

    def check_within_variants(self) -> Iterator[Finding]:
        """RC315: what differs between runs of one variant, the independent variable included."""
        for variant in dict.fromkeys(config.variant for config in self.configs):
            own = [number for number, config in enumerate(self.configs) if config.variant == variant]
            paths = dict.fromkeys(map(_name, self._differences(own)))
            if paths:
                place = self._place(self.configs[own[1]], "config.effective")
                found = f"{len(own)} configurations of `{visible_id(variant)}` that differ at {', '.join(paths)}"
                remedy = "split the batch, or declare the paths as accepted_differences"
                yield finding("RC315", place, "one configuration a variant", found, remedy)

    def check_values(self) -> Iterator[Finding]:
        """RC316: the value in effect is the one that the template gives the variant."""
        keys = keys_to(self.variable)
        for config in self.configs:
            declared, value = self.values[config.variant], value_at(config.effective, keys)
            place = self._place(config, f"config.effective.{self.variable}")
            if isinstance(value, Absent):
                remedy = "record the independent variable, or correct its path in experiments.yaml"
                remedy = did_you_mean(self.variable, _published_paths(config), remedy)
                yield finding("RC316", place, "the independent variable", "no such path", remedy)
            elif declared is not None and canonical(declared_value(value)) != canonical(declared):
                expected = f"the value of `{visible_id(config.variant)}` in experiments.yaml"
                found = _quote(config, keys) or "another value"
                remedy = "correct the variant of the runs, or its value in experiments.yaml"
                yield finding("RC316", place, expected, found, remedy)

    def check_difference(self) -> Iterator[Finding]:
        """RC317: two variants with the same value in effect are one, unless an accepted difference tells them apart."""
        first: dict[tuple[bytes | None, ...], ConfigSeen] = {}
        for config in self.configs:
            values = [value_at(config.effective, keys_to(path)) for path in (self.variable, *self.accepted)]
            if isinstance(values[0], Absent):
                continue
            earlier = first.setdefault(tuple(map(_form, values)), config)
            if earlier.variant != config.variant:
                place = self._place(config, f"config.effective.{self.variable}")
                found = f"the value of `{visible_id(earlier.variant)}` in line {earlier.first_line}"
                remedy = (
                    "correct the variant of the runs, or declare in `accepted_differences` what tells them apart: "
                    "nothing else was varied between these two"
                )
                yield finding("RC317", place, "a value of its own", found, remedy)

    def _place(self, config: ConfigSeen, field: str) -> Place:
        return Place(self.batch.runs.name, config.first_line, visible_id(config.first_run), field)

    def _differences(self, numbers: range | list[int]) -> Iterator[Difference]:
        """Leaves at which the numbered configurations are not all equal, accepted ones aside, in order."""
        accepted = [keys_to(path) for path in self.accepted]
        for keys in sorted({keys for number in numbers for keys in self.leaves[number]}):
            if any(is_below(keys, root) for root in accepted):
                continue
            groups: dict[bytes | None, tuple[ConfigSeen, list[str]]] = {}
            for number in numbers:
                config = self.configs[number]
                form = _form(self.leaves[number].get(keys, ABSENT))
                group = groups.setdefault(form, (config, []))
                if config.variant not in group[1]:
                    group[1].append(config.variant)
            if len(groups) > 1:
                yield Difference(keys, list(groups.values()))

    def _between(self, difference: Difference) -> bool:
        """Whether two variants have no value in common there; what one variant mixes is RC315."""
        held = [
            {number for number, (_, group) in enumerate(difference.groups) if variant in group}
            for variant in dict.fromkeys(config.variant for config in self.configs)
        ]
        return any(one and other and not one & other for one, other in combinations(held, 2))


def _published_paths(config: ConfigSeen) -> list[str]:
    """Every path of the configuration that may be named, objects included, in order."""
    paths = {keys[:length] for keys in config.published.values for length in range(1, len(keys) + 1)}
    return [dotted(keys) for keys in sorted(paths)]


def _form(value: Json | Absent) -> bytes | None:
    """Equal for equal values. No JSON reads `absent`."""
    return b"absent" if isinstance(value, Absent) else canonical(value)


def _in_words(difference: Difference) -> str:
    """`path (full, recent-n: 0.2 | budgeted: 0.7)`; without the values where they are withheld."""
    parts = []
    for config, variants in difference.groups:
        names = ", ".join(visible_id(variant) for variant in variants)
        quoted = "absent" if _is_absent(config, difference.keys) else _quote(config, difference.keys)
        parts.append(names if quoted is None else f"{names}: {quoted}")
    return f"{_name(difference)} ({' | '.join(parts)})"


def _name(difference: Difference) -> str:
    return name_in_findings(difference.keys, [config for config, _ in difference.groups])


def _is_absent(config: ConfigSeen, keys: Keys) -> bool:
    return keys not in config.published.values and isinstance(value_at(config.effective, keys), Absent)


def _quote(config: ConfigSeen, keys: Keys) -> str | None:
    """A value as it is published, a withheld text by its hash; None where neither is."""
    if keys not in config.published.values:
        return None
    value = config.published.values[keys]
    if isinstance(value, dict) and is_treated(value):
        if value["text"] is None and value["sha256"] is None:
            return None
        value = f"sha256:{value['sha256']}" if value["text"] is None else value["text"]
    text = json.dumps(value, ensure_ascii=False)
    return visible_id(text) if len(text) <= QUOTED else text[: QUOTED - 1] + "…"
