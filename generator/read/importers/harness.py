"""What every importer reads its files into, before they are put together, and the findings they share."""

import datetime
import re
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Literal

from generator.errors import Finding, Place
from generator.model.base import Json, Text
from generator.model.batches import DifferenceReason, SourceFile
from generator.model.rules import finding
from generator.model.runs import Context, ModelTurn, State, Timing, ToolCall, Usage


@dataclass(frozen=True, slots=True)
class Harness:
    """`id` is the name that commands and batches use, `title` the one that people read."""

    id: str
    title: str


@dataclass(frozen=True, slots=True, kw_only=True)
class HarnessRun:
    """One run as the harness recorded it. `started_at` orders runs; its zone is unknown, so no more rests on it."""

    place: Place
    run_id: str
    case_id: str
    repeat_index: int
    state: State
    reason: str | None
    mode: Literal["autonomous", "interactive"]
    context: Context | None
    trace: list[ModelTurn | ToolCall] | None
    answer: str | None
    extra: dict[str, Json]
    usage: Usage | None = None
    timing: Timing | None = None
    started_at: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Reported:
    """A headline of the harness's own, of all runs of its file.

    `value` is on the scale of `metric` (for ratios 0–1), `stated` what the harness wrote where that is another scale.
    `reasons` are those the importer knows: it made the same headline of the runs by the harness's own rule, or saw that
    the counts cannot be the same.
    """

    name: str
    value: float | int
    metric: str = "task_pass_rate"
    stated: str | None = None
    numerator: int | None = None
    denominator: int | None = None
    reasons: list[DifferenceReason] = field(default_factory=list)

    @property
    def text(self) -> str:
        """`value` as a decimal text of at most twelve significant digits."""
        return decimal(self.value)


def decimal(value: float | int) -> str:
    """A number as a decimal text without an exponent, of at most twelve significant digits."""
    text = format(Decimal(format(value, ".12g")), "f")
    return text.rstrip("0").rstrip(".") if "." in text else text


@dataclass(frozen=True, slots=True, kw_only=True)
class HarnessFile:
    """One file: the configuration that all its runs share, what it planned, its runs.

    `label` names the file's variant where the value at the variant's path gives no short name. `tasks` maps a planned
    case to its content, or to null where the file does not hold it; an empty `tasks` means that the plan is what ran.
    `others` are further files that the runs stood in.
    """

    source: SourceFile
    effective: dict[str, Json]
    label: str
    domain: str | None
    model: str | None
    runs: list[HarnessRun]
    tasks: dict[str, Json] = field(default_factory=dict)
    repeats: int | None = None
    catalog: list[str] | None = None
    revision: str | None = None
    date: datetime.date | None = None
    notes: list[Text] = field(default_factory=list)
    reported: list[Reported] = field(default_factory=list)
    others: list[SourceFile] = field(default_factory=list)

    @property
    def planned_cases(self) -> list[str]:
        """Planned cases first, then those that ran without a plan."""
        return list(dict.fromkeys([*self.tasks, *(run.case_id for run in self.runs)]))

    @property
    def planned_repeats(self) -> int:
        return max([self.repeats or 0, *(run.repeat_index + 1 for run in self.runs)])


def wrong_format(file: str, expected: str, found: str) -> Finding:
    """The file is JSON, but not of this harness."""
    remedy = "name the right format, or export the results again"
    return finding("RC502", Place(file), expected, found, remedy)


def missing(file: str, path: str, expected: str) -> Finding:
    """A field without which a run cannot be placed."""
    remedy = "repair or remove this run in the file; a run that cannot be placed cannot be counted"
    return finding("RC503", Place(file, field=path), expected, "no such value", remedy)


_RATE_LIMIT = re.compile(r"\b429\b|rate.?limit", re.IGNORECASE)


def crash_reason(message: str | None) -> str:
    """Why a run is INVALID: its error names a rate limit, or not. Frames of a traceback below the first line may be
    named after anything."""
    first = (message or "").strip().split("\n", 1)[0]
    return "rate_limited" if _RATE_LIMIT.search(first) else "harness_error"
