"""One run, as a batch records it: a line of `runs.jsonl`."""

from typing import Literal

from msgspec import UNSET, UnsetType

from generator.model.base import Definition, Json, Record

State = Literal["COMPLETE", "FAILED", "INVALID", "CANCELLED"]
Validity = Literal["valid", "invalid", "cancelled"]
TimeEvent = Literal["execution", "queue", "approval_wait", "reconciliation", "abandonment"]
Authority = Literal["server", "client"]

INVALID_REASONS = (
    "rate_limited",
    "insufficient_balance",
    "model_unavailable",
    "context_build_failed",
    "artifact_write_failed",
    "harness_error",
)
VALIDITY: dict[State, Validity] = {
    "COMPLETE": "valid",
    "FAILED": "valid",
    "INVALID": "invalid",
    "CANCELLED": "cancelled",
}


class Config(Record, frozen=True, kw_only=True):
    """What was asked for, and what was in effect."""

    effective: dict[str, Json]
    requested: dict[str, Json] = {}


class Confirmation(Record, frozen=True, kw_only=True):
    """A confirmation by the user, in a turn (model entries before it, from 1)."""

    tool: str
    turn: int


class RestrictedDatum(Definition, frozen=True, kw_only=True):
    id: str
    values: list[str | int | float]


class Authorization(Definition, frozen=True, kw_only=True):
    """What needs a grant, and which grants this run had (tool names or datum ids)."""

    restricted_tools: list[str] = []
    restricted_data: list[RestrictedDatum] = []
    granted: list[str] = []


class ContextEntry(Record, frozen=True, kw_only=True):
    """One entry of the context that was built (`kept`) or left out."""

    id: str
    required: bool = False
    trusted: bool = True
    region: Literal["instruction", "data"] = "data"
    wrapped: bool = False
    isolated: bool = False
    truncated: bool = False
    kept: bool = True
    reinjected: bool = False
    text: str = ""


class Context(Record, frozen=True, kw_only=True):
    entries: list[ContextEntry]


class ModelTurn(Record, frozen=True, kw_only=True, tag_field="kind", tag="model"):
    """A call of the model. Times in ms; tokens as reported. `compacts`: this call triggered a compaction of the
    context, so that the next one follows it; None where the harness does not say."""

    started_at: str | None = None
    duration_ms: int | float | None = None
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    compacts: bool | None = None


class ToolCall(Record, frozen=True, kw_only=True, tag_field="kind", tag="tool"):
    """A call of a tool. It belongs to the turn of the model entry before it. `event` is what its duration is the time
    of; None where the harness does not say."""

    tool: str
    call_id: str | None = None
    arguments: Json = None
    status: Literal["ok", "error", "denied"] = "ok"
    result: Json = None
    error: Json = None
    duration_ms: int | float | None = None
    authority: Authority | None = None
    event: TimeEvent | None = None


class Usage(Record, frozen=True, kw_only=True):
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    estimated: bool = False
    cost_usd: int | float | None = None
    cached: bool = False


class Timing(Record, frozen=True, kw_only=True):
    """Total duration. ISO 8601 times in UTC. What a harness does not say of its clock stays unknown."""

    started_at: str | None = None
    ended_at: str | None = None
    duration_ms: int | float | None = None
    event: TimeEvent | None = None
    authority: Authority | None = None
    censored: Literal["none", "saturated", "missing"] | None = None


class Run(Record, frozen=True, kw_only=True):
    """One execution of one case under one variant.

    `catalog` lists the tools that the run really had, after exclusions: UNSET is unknown, an empty list is none. A
    harness's own verdict stands in `extra` as `reward` (1 is a pass; null where the harness gave none) or `passed`;
    `verdicts` lists all that its judge gave, where it was asked more than once.
    """

    run_id: str
    case_id: str
    variant: str
    repeat_index: int
    sequence: int
    state: State
    config: Config
    config_hash: str
    reason: str | None = None
    mode: Literal["autonomous", "interactive"] = "autonomous"
    confirmations: list[Confirmation] = []
    catalog: list[str] | UnsetType = UNSET
    meta_tools: list[str] = []
    authorization: Authorization | None = None
    snapshot: dict[str, Json] | None = None
    context: Context | None = None
    trace: list[ModelTurn | ToolCall] | None = None
    answer: str | None = None
    usage: Usage | None = None
    timing: Timing | None = None
    private: Json = None
    source_run_id: str | None = None
    extra: dict[str, Json] = {}

    @property
    def validity(self) -> Validity:
        return VALIDITY[self.state]

    @property
    def turns(self) -> int | None:
        """Model calls; None where they were not recorded: there is no trace, or one of tool calls alone, which some
        call of the model must have made."""
        if self.trace is None:
            return None
        calls = sum(isinstance(step, ModelTurn) for step in self.trace)
        return None if self.trace and calls == 0 else calls
