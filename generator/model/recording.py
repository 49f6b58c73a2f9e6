"""What a recorder notes while runs are made: the lines of a journal, before they are a batch."""

from msgspec import UNSET, UnsetType

from generator.model.base import Definition, Json, Record
from generator.model.runs import Context, ModelTurn, State, Timing, ToolCall, Usage


class BatchAim(Definition, frozen=True, kw_only=True):
    """The batch that is recorded. `independent_variable` is a path in the configuration. `thresholds` are those that
    an empty source is begun with."""

    batch: str
    experiment: str
    independent_variable: str = "variant"
    harness: str = "recorder"
    harness_version: str | None = None
    synthetic: bool = False
    thresholds: dict[str, float] = {}


class Aimed(Record, frozen=True, kw_only=True, tag_field="kind", tag="aim"):
    """The first line of every journal."""

    aim: BatchAim


class Configured(Record, frozen=True, kw_only=True, tag_field="kind", tag="variant"):
    """The configuration of a variant, for the runs that follow in this journal."""

    variant: str
    config: dict[str, Json]


class Planned(Record, frozen=True, kw_only=True, tag_field="kind", tag="planned"):
    """A case under a variant, with so many repeats. `levels` are θ, α, β, δ of the case, as far as it has its own."""

    case: str
    variant: str
    repeats: int
    category: str | None = None
    title: str | None = None
    levels: dict[str, float] = {}


class Begun(Record, frozen=True, kw_only=True, tag_field="kind", tag="begun"):
    """A run began. `key` is unique; `repeat_index` is null where the recorder counts. Times are ISO 8601 in UTC."""

    key: str
    case: str
    variant: str
    started_at: str
    repeat_index: int | None = None
    category: str | None = None


class Ended(Record, frozen=True, kw_only=True, tag_field="kind", tag="ended"):
    """How the run of that key ended, and what it recorded."""

    key: str
    state: State
    reason: str | None = None
    passed: bool | None = None
    catalog: list[str] | UnsetType = UNSET
    context: Context | None = None
    trace: list[ModelTurn | ToolCall] | None = None
    answer: str | None = None
    usage: Usage | None = None
    timing: Timing | None = None
    private: Json = None


class Omitted(Record, frozen=True, kw_only=True, tag_field="kind", tag="omitted"):
    """A planned run that was not made, with its reason. `key` is that of a run which began and was withdrawn."""

    case: str
    variant: str
    repeat_index: int
    reason: str
    key: str | None = None


JournalLine = Aimed | Configured | Planned | Begun | Ended | Omitted
