"""Kinds of experiments: comparisons, and batches that try the runs themselves (mutants) or the agent's own consistency
(pairs of runs that are related)."""

from typing import Literal

from generator.model.base import Definition, Text

Kind = Literal["comparison", "mutation", "metamorphic"]
Component = Literal["prompt", "tool", "model", "context"]
Operator = Literal[
    "prompt_synonym",
    "prompt_reorder",
    "prompt_inject",
    "prompt_drop",
    "tool_remove",
    "tool_reorder",
    "tool_mislead",
    "model_swap",
    "model_weaker",
    "context_truncate",
    "context_noise",
    "context_reorder",
]
RelationFamily = Literal["permutation", "perturbation", "composition", "oracle"]
Expectation = Literal["same", "not_better", "follows", "holds"]

COMPONENTS: tuple[Component, ...] = ("prompt", "tool", "model", "context")
"""Of an agent, and so the families of operators: the keys of the object that a mutation experiment varies."""
RELATION_FAMILIES: tuple[RelationFamily, ...] = ("permutation", "perturbation", "composition", "oracle")
EXPECTATIONS: dict[RelationFamily, tuple[Expectation, ...]] = {
    "permutation": ("same",),
    "perturbation": ("same", "not_better"),
    "composition": ("follows", "same"),
    "oracle": ("holds", "same"),
}
"""What a relation of each family may expect of its pairs."""


class Mutation(Definition, frozen=True, kw_only=True):
    """A variant is the original with one component changed by `operator`. `equivalent` says why the mutant behaves as
    the original does, where that is known: such a mutant cannot be told from it, and counts for nothing."""

    operator: Operator
    equivalent: Text | None = None

    @property
    def component(self) -> Component:
        return component_of(self.operator)


class Relation(Definition, frozen=True, kw_only=True):
    """Runs of a variant follow runs of the source: same case, transformed. What is expected of each pair, on whether
    the runs meet `metric` (the pass metric, where none is named):

    - `same`: the run that follows meets it exactly if its source does;
    - `not_better`: it does not meet it where its source does not (the input was made harder);
    - `follows`: it meets it where its source does; other pairs say nothing (a later stage, given a right earlier one);
    - `holds`: it meets it, whatever its source does (a form or a constraint of the output).
    """

    family: RelationFamily
    expects: Expectation
    metric: str | None = None


def component_of(operator: Operator) -> Component:
    """The part of the agent that an operator changes."""
    return next(component for component in COMPONENTS if operator.startswith(f"{component}_"))
