"""What a harness can feed: the features that its files record, and the metrics that need them."""

from dataclasses import dataclass
from typing import Literal, get_args

Feature = Literal[
    "outcome",
    "endings",
    "repeats",
    "turns",
    "tool_calls",
    "tool_results",
    "catalog",
    "answer",
    "context",
    "tokens",
    "cost",
    "duration",
    "headline",
]
FEATURES: tuple[Feature, ...] = get_args(Feature)
TITLES: dict[Feature, str] = {
    "outcome": "whether a run passed",
    "endings": "how a run ended: done, failed, crashed, cancelled",
    "repeats": "several runs of one case",
    "turns": "calls of the model",
    "tool_calls": "tool calls with arguments",
    "tool_results": "what the tools gave back",
    "catalog": "which tools the agent had",
    "answer": "the final answer",
    "context": "what the agent was told",
    "tokens": "tokens of a run",
    "cost": "cost of a run",
    "duration": "duration of a run",
    "headline": "the harness's own headline",
}
Extent = Literal["yes", "part", "no"]
SIGNS: dict[Extent, str] = {"yes": "✓", "part": "(✓)", "no": "–"}


@dataclass(frozen=True, slots=True)
class Feed:
    """How far a harness records a feature. `why` says what lacks or on what it depends; null where it is whole."""

    extent: Extent
    why: str | None = None


YES = Feed("yes")


def part(why: str) -> Feed:
    """Recorded by some files, or under a condition."""
    return Feed("part", why)


def no(why: str) -> Feed:
    """Never recorded."""
    return Feed("no", why)


@dataclass(frozen=True, slots=True)
class Needs:
    """What a metric needs of the files (`features`), and of the source that takes the import (`source`)."""

    features: tuple[Feature, ...]
    source: str | None = None


NEEDS: dict[str, Needs] = {
    "task_pass_rate": Needs(("outcome",)),
    "pass_hat_1": Needs(("outcome",)),
    "pass_hat_2": Needs(("outcome", "repeats")),
    "pass_hat_3": Needs(("outcome", "repeats")),
    "pass_hat_4": Needs(("outcome", "repeats")),
    "tool_selection_accuracy": Needs(("tool_calls",), "expected tools of the cases"),
    "call_relation_pass_rate": Needs(("tool_calls", "tool_results"), "gold calls of the cases"),
    "hallucinated_tool_rate": Needs(("tool_calls", "catalog")),
    "unauthorized_leak_rate": Needs(("tool_calls", "tool_results", "answer"), "an authorization"),
    "numeric_hallucination_rate": Needs(("answer", "tool_results", "context")),
    "high_risk_violation_rate": Needs(("answer",), "a C-1 policy"),
    "advice_violation_rate": Needs(("answer",), "a C-2 policy"),
    "key_fact_presence_rate": Needs(("answer",), "key facts of the cases"),
    "forbidden_fact_leak_rate": Needs(("answer",), "stale facts of the cases"),
    "contract_satisfaction_rate": Needs(("tool_calls", "answer"), "a contract"),
    "avg_turns": Needs(("turns",)),
    "avg_tokens": Needs(("tokens",)),
    "duration_p50": Needs(("duration",)),
    "duration_p95": Needs(("duration",)),
    "fp_distinct_tools": Needs(("tool_calls",)),
    "fp_steps": Needs(("turns", "tool_calls")),
    "fp_answer_length": Needs(("answer",)),
    "fp_any_error": Needs(("tool_results",)),
    "fp_tokens": Needs(("tokens",)),
}
"""Metrics that rest on what a run records. Those that are made of these (differences, boxes, coverage …) can be fed
where these can; counts of runs always can."""

NEVER: dict[str, str] = {
    "required_retention_rate": "no harness records which entries its context dropped",
    "injection_isolation_rate": "no harness says which entries of a context are trusted",
}
"""Metrics that no import feeds, and why."""


def extent_for(feeds: dict[Feature, Feed], metric: str) -> Extent:
    """How far a harness with these features can feed a metric: as far as the weakest feature it needs."""
    extents = {feeds[feature].extent for feature in NEEDS[metric].features}
    return "no" if "no" in extents else "part" if "part" in extents else "yes"
