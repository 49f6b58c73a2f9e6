"""What the public may see of a run: `runs/<batch>/<run>.json`."""

from typing import Any

import msgspec

from generator.model.assertions import Assertion, Attribution
from generator.model.base import Json
from generator.model.runs import State, Validity

EVIDENCE_SCHEMA = "evidence-v1"
_TREATED = frozenset(("text", "truncated", "length", "sha256"))


def treated(*, text: str | None, truncated: bool, length: int | None, sha256: str | None) -> dict[str, Json]:
    """A text that does not stand as it is: its shown part, whether that was cut, and length and hash of the whole."""
    return {"text": text, "truncated": truncated, "length": length, "sha256": sha256}


def is_treated(value: Json) -> bool:
    """Whether a value of the evidence is such an object."""
    return isinstance(value, dict) and value.keys() == _TREATED


class EvidenceSource(msgspec.Struct, frozen=True, kw_only=True):
    """Where the run came from.

    `line` counts from 1 in the batch's runs file; `sha256` is of that file; `withheld` counts the fields of the run
    that
    have no path to the site, `redactions` what was replaced in kept text, by pattern.
    """

    file: str
    line: int
    sha256: str
    withheld: int
    redactions: dict[str, int]
    config_hash_recomputable: bool


class Evidence(msgspec.Struct, frozen=True, kw_only=True):
    """The projection of a run, with its assertions.

    `config`, `telemetry`, `trace`, `answer` hold exactly what `projection.yaml` lets through. A treated text is an
    object `{text, truncated, length, sha256}` (`sha256` of the redacted full text, null below 64 characters; `text`
    null under the treatment hash).
    """

    schema: str
    projection_version: int
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
    config: dict[str, Json]
    config_hash: str
    assertions: dict[str, Assertion]
    telemetry: dict[str, Json]
    trace: list[dict[str, Any]] | None
    answer: dict[str, Json] | None
    attribution: list[Attribution]
    source: EvidenceSource
    mode: str
    source_run_id: str | None
