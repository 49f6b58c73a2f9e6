"""To what a run's failures are put down, once more from its assertions."""

from typing import Any

Cause = tuple[str, str, list[str]]
"""Layer, metric, entries."""

_LAYERS = {
    "missing_required": "required_call",
    "failed_dependencies": "dependency",
    "failed_alternatives": "alternative",
    "forbidden_hit": "forbidden_call",
    "unconfirmed": "confirmation",
    "facts_missing_in_answer": "fact_in_answer",
}
_GUARDS: dict[str, tuple[str, tuple[str, ...]]] = {
    "hallucinated_tool_rate": ("hit", ("unknown",)),
    "unauthorized_leak_rate": ("hit", ("tools", "data_in_answer", "data_in_results")),
    "numeric_hallucination_rate": ("hit", ()),
    "high_risk_violation_rate": ("hit", ("policies",)),
    "advice_violation_rate": ("hit", ("policies",)),
    "required_retention_rate": ("miss", ("missing", "truncated", "changed")),
    "key_fact_presence_rate": ("miss", ("missing",)),
    "forbidden_fact_leak_rate": ("hit", ("leaked",)),
    "injection_isolation_rate": ("miss", ("bare",)),
    "contract_satisfaction_rate": ("miss", ("violated",)),
}
"""The outcome that is a failure, and where the detail names entries."""


def causes_of(evidence: dict[str, Any], pass_metric: str) -> list[Cause]:
    """What `attribution` must hold, in its order."""
    assertions = evidence["assertions"]
    causes: list[Cause] = []
    if _is(assertions, "call_relation_pass_rate", "miss"):
        detail = assertions["call_relation_pass_rate"]["detail"]
        parts = [(layer, _entries(detail, (part,))) for part, layer in _LAYERS.items()]
        causes += [(layer, "call_relation_pass_rate", entries) for layer, entries in parts if entries]
    if _is(assertions, "task_pass_rate", "miss"):
        causes.append(("harness_verdict", "task_pass_rate", []))
    if pass_metric == "tool_selection_accuracy" and _is(assertions, pass_metric, "miss"):
        entries = _entries(assertions[pass_metric]["detail"], ("missing", "extra"))
        causes.append((pass_metric, pass_metric, entries))
    for metric, (failure, parts_named) in _GUARDS.items():
        if _is(assertions, metric, failure):
            causes.append((metric, metric, _entries(assertions[metric]["detail"], parts_named)))
    if evidence["state"] == "FAILED":
        causes.append(("state", pass_metric, [] if evidence["reason"] is None else [evidence["reason"]]))
    return causes


def _is(assertions: dict[str, Any], metric: str, outcome: str) -> bool:
    return metric in assertions and assertions[metric]["outcome"] == outcome


def _entries(detail: dict[str, Any], names: tuple[str, ...]) -> list[str]:
    """The names under some fields of a detail, each once."""
    return list(dict.fromkeys(entry for name in names for entry in detail[name]))


def without_entries(causes: list[Cause]) -> list[Cause]:
    """Layers and metrics alone."""
    return [(layer, metric, []) for layer, metric, _ in causes]
