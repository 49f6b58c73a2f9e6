"""The run table: one compact row a run, all that later steps need of it."""

import msgspec

from generator.model.assertions import Attribution, Outcome
from generator.model.base import Json
from generator.model.runs import State, Validity


class Judged(msgspec.Struct, frozen=True, array_like=True):
    """An assertion without its detail."""

    outcome: Outcome
    value: int | float | None = None
    reason: str | None = None


class RunRow(msgspec.Struct, frozen=True, kw_only=True):
    """One run. `line` is its line in the runs file; `assertions` is empty for runs that are not valid.

    `requested_differs` lists the paths whose requested value is not the effective one. `evidence_sha256` is the hash of
    the written evidence JSON (plain hex)."""

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


class ConfigSeen(msgspec.Struct, frozen=True, kw_only=True):
    """An effective configuration that occurs in a batch, where it was first seen."""

    variant: str
    config_hash: str
    effective: dict[str, Json]
    first_run: str
    first_line: int
