"""Registered experiment templates."""

import hashlib
from typing import Literal

from generator.model.base import Definition, Json, Text
from generator.model.kinds import Kind, Mutation, Relation

DECLARED_CHARACTERS = 200


class Variant(Definition, frozen=True, kw_only=True):
    """One value of the independent variable.

    `value` is what stands at the experiment's path (any JSON value), with long texts as their hash (`declared_value`).
    Of a mutation experiment every variant but the baseline has a `mutation`, of a metamorphic one a `relation`.
    """

    id: str
    name: Text
    value: Json = None
    mutation: Mutation | None = None
    relation: Relation | None = None


def declared_value(value: Json) -> Json:
    """A value of the configuration as a variant declares it: texts above 200 characters are `sha256:<hex>` of their
    UTF-8, because a template is read by everybody and a configuration may hold a text that is not for everybody."""
    if isinstance(value, str) and len(value) > DECLARED_CHARACTERS:
        return "sha256:" + hashlib.sha256(value.encode("utf-8", "surrogatepass")).hexdigest()
    if isinstance(value, list):
        return [declared_value(item) for item in value]
    if isinstance(value, dict):
        return {key: declared_value(item) for key, item in value.items()}
    return value


class Schedule(Definition, frozen=True, kw_only=True):
    """Order of execution.

    `interleaved`: the cells sorted by a hash that the seed gives (`model.schedule`); `as_recorded`: whatever order the
    harness had.
    """

    method: Literal["interleaved", "as_recorded"]
    seed: int = 0


class AcceptedDifference(Definition, frozen=True, kw_only=True):
    """A path of the configuration that differs between variants besides the independent variable, and why that is
    accepted. It stands on the page."""

    path: str
    reason: Text


class Experiment(Definition, frozen=True, kw_only=True):
    """A template. `independent_variable` is a path in the effective configuration (dots between keys); it may name a
    whole object.

    `kind`: of a `mutation` experiment the baseline is the original agent and the variants are its mutants; the
    independent variable is an object with one key for each component (`model.kinds`). Of a `metamorphic` one the runs
    of the baseline are sources, and the runs of each variant follow them (`source_run_id`)."""

    id: str
    kind: Kind = "comparison"
    title: Text
    purpose: Text
    independent_variable: str
    variants: list[Variant]
    baseline: str
    fixed_conditions: list[Text]
    repeats: int
    schedule: Schedule
    visibility: Literal["public", "private"] = "public"
    min_valid_per_group: int | None = None
    pass_metric: str = "call_relation_pass_rate"
    main_metrics: list[str] = []
    accepted_differences: list[AcceptedDifference] = []
    contract: str | None = None

    def variant(self, variant_id: str) -> Variant:
        """The variant of that id; KeyError if the template has none."""
        for variant in self.variants:
            if variant.id == variant_id:
                return variant
        raise KeyError(variant_id)

    @property
    def ordered_variants(self) -> list[Variant]:
        """Baseline first, then as registered."""
        return sorted(self.variants, key=lambda variant: variant.id != self.baseline)
