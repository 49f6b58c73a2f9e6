"""A configuration as it may be shown, leaf by leaf: what guard and pages say of it goes through the same whitelist, the
same types and the same redaction as the evidence.

Leaves keep the paths of the run, because these are compared; in the evidence a field may have another name.
"""

import re
from contextlib import suppress
from dataclasses import dataclass

import msgspec

from generator.model.base import Json
from generator.model.evidence import treated
from generator.model.experiments import Experiment, Variant
from generator.model.json_leaves import Absent, Keys, dotted, keys_to, leaves, value_at
from generator.model.patterns import PatternError
from generator.model.projection import Projection
from generator.model.rows import PublishedConfig
from generator.model.source import Source
from generator.project.paths import Node, Walk, grow, narrow
from generator.project.redact import Placeholders, Redactor
from generator.project.shown import show
from generator.project.treat import shown_key, treat_leaves

_PREFIX = ("config", "effective")
_HASH = re.compile(r"sha256:([0-9a-f]{64})")
INSIDE = "*"
"""Stands for what an unlisted field holds: that is its content, and no name."""


@dataclass(frozen=True, slots=True)
class ConfigProjection:
    """Compiled once for a source."""

    template: Node
    redactor: Redactor

    def publish(self, effective: dict[str, Json]) -> PublishedConfig:
        """What may be said of an effective configuration."""
        placeholders = Placeholders(self.redactor, self.redactor.all)
        walk = Walk(lambda key: shown_key(key, placeholders))
        shown = walk.object(self.template, {"config": {"effective": effective}})
        treat_leaves(walk.leaves, placeholders)
        published = PublishedConfig(values={}, withheld={})
        for keys, value in leaves(effective):
            found = value_at(shown, (*_PREFIX, *keys))
            known = self._known(keys)
            if not isinstance(found, Absent):
                published.values[keys] = found
            elif value == {} and known == len(keys):
                published.values[keys] = value
            else:
                published.withheld[keys] = self._name(keys, known, placeholders)
        return published

    def publish_declared(self, experiment: Experiment, variant: Variant) -> PublishedConfig:
        """What may be said of the value that a template gives a variant. A text that stands there as its hash stays it:
        its own hash would say nothing."""
        root = keys_to(experiment.independent_variable)
        declared = variant.value
        for key in reversed(root):
            declared = {key: declared}
        assert isinstance(declared, dict)
        published = self.publish(declared)
        for keys, value in leaves(declared):
            hashed = _HASH.fullmatch(value) if isinstance(value, str) else None
            shown = published.values.get(keys)
            if hashed is not None and isinstance(shown, dict) and shown["text"] is None:
                published.values[keys] = treated(text=None, truncated=True, length=None, sha256=hashed[1])
        return published

    def _known(self, keys: Keys) -> int:
        """How many of the keys the whitelist names."""
        config = self.template.children.get(_PREFIX[0])
        node = None if config is None else config.element or config.children.get(_PREFIX[1])
        for place, key in enumerate(keys):
            if node is not None:
                node = node.element if node.kind == "star" else node.children.get(key)
            if node is None:
                return place
        return len(keys)

    def _name(self, keys: Keys, known: int, placeholders: Placeholders) -> str:
        """For findings: up to the first key that the whitelist does not name."""
        named = [show(key, placeholders, count=False).text for key in keys[: known + 1]]
        return dotted((*named, INSIDE) if len(keys) > known + 1 else tuple(named))


def make_config_projection(projection: Projection, redactor: Redactor) -> ConfigProjection:
    """A path that does not fit beside its neighbours when it keeps its own name is withheld here."""
    root = Node("object")
    for projected in projection.fields:
        if projected.path.startswith(f"{_PREFIX[0]}."):
            with suppress(ValueError):
                grow(root, msgspec.structs.replace(projected, field=projected.path))
    narrow(root)
    return ConfigProjection(root, redactor)


def config_projection(source: Source) -> ConfigProjection | None:
    """That of a source which may be at fault; None where a redaction pattern does not compile (RC140)."""
    try:
        return make_config_projection(source.projection, Redactor(source.redaction))
    except PatternError:
        return None


def publish_declared_values(source: Source) -> dict[str, dict[str, PublishedConfig]]:
    """By experiment and variant. Raises `ValueError` where the redaction patterns do not compile."""
    projection = make_config_projection(source.projection, Redactor(source.redaction))
    return {
        experiment.id: {variant.id: projection.publish_declared(experiment, variant) for variant in experiment.variants}
        for experiment in source.experiments.values()
    }
