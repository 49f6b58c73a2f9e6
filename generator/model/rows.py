"""The run table: one compact row a run, all that later steps need of it."""

from collections.abc import Iterable

import msgspec

from generator.model.assertions import Attribution, Outcome
from generator.model.base import Json
from generator.model.json_leaves import Keys, dotted
from generator.model.rules import visible_id
from generator.model.runs import State, Validity
from generator.model.timed import Timed

UNPUBLISHED = "*"
"""Stands for all paths that differ but are not published: that they differ is said, which they are is not."""


class Judged(msgspec.Struct, frozen=True, array_like=True):
    """An assertion without its detail."""

    outcome: Outcome
    value: int | float | None = None
    reason: str | None = None


class Behaviour(msgspec.Struct, frozen=True):
    """What a run reached, as far as its evidence shows it: the source of coverage.

    `path` is the hash of the sequence of its steps (None where there is no trace); `states` are the abstract states it
    went through, `points` the values, lengths and counts of the arguments of its calls (`model.behaviour`).
    """

    path: str | None = None
    tools: tuple[str, ...] = ()
    states: tuple[str, ...] = ()
    points: tuple[str, ...] = ()
    model: str | None = None


class Recorded(msgspec.Struct, frozen=True):
    """What the evidence of a run shows of its answer and its cost; None for what it does not.

    `answer` names the whole answer: equal answers have equal names (`model.recorded`). `event` is what the duration is
    the time of. `is_cached`: the run says that an answer came from a cache. `verdicts`: all that the harness's judge
    gave, where it was asked more than once.
    """

    answer: str | None = None
    tokens: int | None = None
    duration_ms: int | float | None = None
    event: str | None = None
    cost_usd: int | float | None = None
    is_cached: bool = False
    verdicts: tuple[bool, ...] = ()


class RunRow(msgspec.Struct, frozen=True, kw_only=True):
    """One run. `line` is its line in the runs file; `assertions` is empty for runs that are not valid.

    `requested_differs` lists the published paths whose requested value is not the effective one, and `UNPUBLISHED`.
    `evidence_sha256` is the hash of the written evidence JSON (plain hex). `source_run_id` is the run that this one
    follows, as far as its evidence shows it."""

    run_id: str
    batch: str
    experiment: str
    variant: str
    case_id: str
    category: str
    repeat_index: int
    sequence: int
    state: State
    validity: Validity
    reason: str | None
    config_hash: str
    line: int
    assertions: dict[str, Judged]
    attribution: list[Attribution]
    requested_differs: list[str]
    estimated_tokens: bool
    cached: bool
    censored: str
    time_stratum: str
    evidence_sha256: str
    behaviour: Behaviour = Behaviour()
    source_run_id: str | None = None
    recorded: Recorded = Recorded()
    timed: Timed = Timed()


class PublishedConfig(msgspec.Struct, frozen=True):
    """What may be said of a configuration, leaf by leaf (`model.json_leaves`); every leaf is in one of both.

    `values`: what the whitelist lets through, as evidence shows it. `withheld`: how findings, which are not published,
    name what it does not: by the path as far as the whitelist knows it, and the next key.
    """

    values: dict[Keys, Json] = {}
    withheld: dict[Keys, str] = {}


class ConfigSeen(msgspec.Struct, frozen=True, kw_only=True):
    """An effective configuration that occurs in a batch, where it was first seen.

    `effective` is compared and never shown; what is shown of it is `published`.
    """

    variant: str
    config_hash: str
    effective: dict[str, Json]
    first_run: str
    first_line: int
    published: PublishedConfig = PublishedConfig()


def name_in_findings(keys: Keys, configs: Iterable[ConfigSeen]) -> str:
    """How a leaf of these configurations may be named: by its path, if that is withheld as far as it may be known, and
    by its first key where a definition is at fault and nothing was projected."""
    published = [config.published for config in configs]
    if any(keys in part.values for part in published):
        return visible_id(dotted(keys))
    return visible_id(next((part.withheld[keys] for part in published if keys in part.withheld), keys[0]))
