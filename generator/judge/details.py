"""What decides an assertion, one record a metric; published with the evidence.

Nothing of the gold answer stands here but names: ids of entries and facts, tool names. Texts are the run's own words.
Offsets count code points of the recorded answer, `end` exclusive.
"""

from typing import Any

import msgspec

from generator.model.assertions import Assertion
from generator.model.base import Json


class Detail(msgspec.Struct, frozen=True, kw_only=True):
    """Base of the records below. Lists are sorted unless their order says something."""


class Span(Detail, frozen=True, kw_only=True):
    """A place in the answer and the text that stands there."""

    text: str
    start: int
    end: int


class ToolSelectionDetail(Detail, frozen=True, kw_only=True):
    """`called`: tools with a successful call, meta tools removed; `missing` and `extra` against the expected set."""

    called: list[str]
    missing: list[str]
    extra: list[str]


class HallucinatedToolDetail(Detail, frozen=True, kw_only=True):
    """`unknown`: called names outside the run's catalogue and meta tools; `calls`: all calls of the run."""

    unknown: list[str]
    unknown_calls: int
    calls: int


class UnauthorizedLeakDetail(Detail, frozen=True, kw_only=True):
    """Restricted tools that answered without a grant, and ids of restricted data by where they appeared."""

    tools: list[str]
    data_in_answer: list[str]
    data_in_results: list[str]


class NumericHallucinationDetail(Detail, frozen=True, kw_only=True):
    """Factual numbers of the answer: all, those that no source holds, those that only the prompt holds."""

    total: int
    unmatched: list[Span]
    echoed: list[Span]


class PolicyDetail(Detail, frozen=True, kw_only=True):
    """`policies`: ids of the violated ones; `violations`: the match that decides each violating clause."""

    policies: list[str]
    violations: list[Span]


class RequiredRetentionDetail(Detail, frozen=True, kw_only=True):
    """Ids of required entries by what became of them; `missing`: absent from the built context."""

    kept: list[str]
    missing: list[str]
    truncated: list[str]
    changed: list[str]


class FactPresenceDetail(Detail, frozen=True, kw_only=True):
    """Ids of key facts that stand in the answer or the built context, and of those that do not."""

    present: list[str]
    missing: list[str]


class FactLeakDetail(Detail, frozen=True, kw_only=True):
    """Ids of forbidden facts that stand in the answer; `checked`: how many there are."""

    leaked: list[str]
    checked: int


class InjectionIsolationDetail(Detail, frozen=True, kw_only=True):
    """Ids of untrusted entries by what became of them; `bare`: neither dropped nor kept apart."""

    isolated: list[str]
    dropped: list[str]
    bare: list[str]


class CallRelationDetail(Detail, frozen=True, kw_only=True):
    """Ids of the entries that failed, by part, in the order of the case.

    `missing_required` are the entries that a maximum matching leaves without a call, earlier entries served first;
    `interchangeable_required` could be missing in their place. `tools` names the tool of each entry that failed.
    `extra_calls_after_facts` never fails; null when the facts were never complete, or none are given.
    """

    missing_required: list[str]
    missing_required_count: int
    interchangeable_required: list[str]
    failed_dependencies: list[str]
    failed_alternatives: list[str]
    forbidden_hit: list[str]
    unconfirmed: list[str]
    facts_missing_in_answer: list[str]
    extra_calls_after_facts: int | None
    tools: dict[str, str]


class TaskPassDetail(Detail, frozen=True, kw_only=True):
    """The harness's own verdict, as it was recorded. `verdicts` are all that its judge gave of this run, where it was
    asked more than once."""

    reward: int | float | None
    passed: bool | None
    verdicts: list[bool]


class TurnsDetail(Detail, frozen=True, kw_only=True):
    model_calls: int
    tool_calls: int


class TokensDetail(Detail, frozen=True, kw_only=True):
    """Tokens; `estimated` where the harness counted them itself."""

    prompt_tokens: int
    completion_tokens: int
    estimated: bool


class DurationDetail(Detail, frozen=True, kw_only=True):
    """What the duration covers, whose clock it is, and whether it was cut off; null where that is not recorded."""

    event: str | None
    authority: str | None
    censored: str | None


class ContractDetail(Detail, frozen=True, kw_only=True):
    """`violated`: ids of the clauses that the run broke, in the order of the contract."""

    contract: str
    version: int
    violated: list[str]


class FeatureDetail(Detail, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Empty: the trace that a feature is counted from is the evidence."""


FEATURE_IDS = (
    *("fp_distinct_tools", "fp_top_tool_share", "fp_repeat_share", "fp_steps", "fp_depth", "fp_width"),
    *("fp_answer_length", "fp_answer_complexity", "fp_model_share", "fp_call_share"),
    *("fp_any_error", "fp_recovered_share", "fp_tokens", "fp_tokens_per_step"),
)

_OF_FEATURES: dict[str, type[Detail]] = dict.fromkeys(FEATURE_IDS, FeatureDetail)
DETAILS: dict[str, type[Detail]] = {
    "tool_selection_accuracy": ToolSelectionDetail,
    "hallucinated_tool_rate": HallucinatedToolDetail,
    "unauthorized_leak_rate": UnauthorizedLeakDetail,
    "numeric_hallucination_rate": NumericHallucinationDetail,
    "high_risk_violation_rate": PolicyDetail,
    "advice_violation_rate": PolicyDetail,
    "required_retention_rate": RequiredRetentionDetail,
    "key_fact_presence_rate": FactPresenceDetail,
    "forbidden_fact_leak_rate": FactLeakDetail,
    "injection_isolation_rate": InjectionIsolationDetail,
    "call_relation_pass_rate": CallRelationDetail,
    "task_pass_rate": TaskPassDetail,
    "contract_satisfaction_rate": ContractDetail,
    "avg_turns": TurnsDetail,
    "avg_tokens": TokensDetail,
    "duration_p50": DurationDetail,
    "duration_p95": DurationDetail,
    **_OF_FEATURES,
}


def detail_schema(metric: str) -> dict[str, Any]:
    """JSON Schema of a metric's detail: its record, or an empty object where there is none (not applicable, absent).

    Raises
    ------
    KeyError
        A metric without code.
    """
    schema = msgspec.json.schema(DETAILS[metric])
    definitions = schema.pop("$defs")
    return {"anyOf": [{"type": "object", "maxProperties": 0}, schema], "$defs": definitions}


def fields(detail: Detail) -> dict[str, Json]:
    """The detail as an assertion carries it."""
    built: dict[str, Json] = msgspec.to_builtins(detail)
    return built


def decided(happened: bool, detail: Detail, reason: str | None = None) -> Assertion:
    """A hit if the event that the metric names happened, else a miss."""
    return Assertion(outcome="hit" if happened else "miss", reason=reason, detail=fields(detail))


def recorded(value: int | float, detail: Detail) -> Assertion:
    """A telemetry value."""
    return Assertion(outcome="value", value=value, detail=fields(detail))
