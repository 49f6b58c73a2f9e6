"""Contracts: what every run promises, whatever its case asks."""

from generator.model.base import Definition, Text


class ToolOrder(Definition, frozen=True, kw_only=True):
    """Each successful call of a tool in `then` has a successful call of one in `first` in an earlier turn."""

    first: list[str]
    then: list[str]


class AnswerRule(Definition, frozen=True, kw_only=True):
    """Texts are compared after NFKC, without regard to case. `contain`: at least one of them stands in the answer;
    `lack`: none of them does. Length counts code points of the answer as it was recorded."""

    contain: list[str] = []
    lack: list[str] = []
    at_most_characters: int | None = None


class Clause(Definition, frozen=True, kw_only=True):
    """One promise, of exactly one form. Steps are model turns and tool calls together; `never_call` counts attempts."""

    id: str
    text: Text
    tool_order: ToolOrder | None = None
    never_call: list[str] | None = None
    answer_must: AnswerRule | None = None
    at_most_steps: int | None = None
    at_most_tokens: int | None = None
    at_most_cost_usd: float | None = None


FORMS = ("tool_order", "never_call", "answer_must", "at_most_steps", "at_most_tokens", "at_most_cost_usd")
"""What a clause may be."""


class Contract(Definition, frozen=True, kw_only=True):
    """`contracts/<id>.yaml`. A run satisfies it when it satisfies every clause."""

    id: str
    version: int
    title: Text
    clauses: list[Clause]
