"""JSON Schemas: of what is published, and of the records that a source is made of."""

from collections.abc import Mapping
from fractions import Fraction
from functools import cache
from typing import Any

import msgspec

from generator.model.base import Definition
from generator.model.batches import Batch
from generator.model.cases import CaseBank, Session
from generator.model.claims import ClaimLedger
from generator.model.contracts import Contract
from generator.model.evidence import Evidence
from generator.model.experiments import Experiment
from generator.model.gate import GatePolicy, GateReport
from generator.model.metrics import MetricTable
from generator.model.numbers import Number
from generator.model.profiles import Profile
from generator.model.projection import Projection
from generator.model.publication import Publication
from generator.model.register import EvidenceData, Register
from generator.model.runs import Run
from generator.model.tools import Catalog, FixtureSet, Policy, Redaction
from generator.publish.api_records import (
    Index,
    PublishedBatchFile,
    PublishedManifest,
    PublishedNumbers,
    PublishedProjection,
    PublishedRunSets,
    PublishedTexts,
)
from generator.publish.json_text import json_bytes
from generator.publish.register_api import PublishedClaims, PublishedEntry

Schema = dict[str, Any]

DIALECT = "https://json-schema.org/draft/2020-12/schema"
FOLDER = "api/v1/schema"


class ExperimentsFile(Definition, frozen=True, kw_only=True):
    """All registered templates."""

    experiments: list[Experiment]


PUBLISHED: dict[str, tuple[Any, str]] = {
    "index": (Index, "api/v1/index.json"),
    "metrics": (MetricTable, "api/v1/metrics.json, the metric table"),
    "projection": (PublishedProjection, "api/v1/projection.json, the whitelist in force"),
    "texts": (PublishedTexts, "api/v1/texts.json, the words of the pages"),
    "batch": (PublishedBatchFile, "api/v1/batches/<batch>.json"),
    "numbers": (PublishedNumbers, "api/v1/numbers/<batch>.json"),
    "runsets": (PublishedRunSets, "api/v1/runsets/<batch>/<x>.json"),
    "evidence": (Evidence, "runs/<batch>/<run>.json, what the public may see of a run"),
    "profile": (Profile, "api/v1/profiles/<profile>.json, the box profile in force"),
    "manifest": (PublishedManifest, "manifest.json"),
    "register-entry": (PublishedEntry, "api/v1/evidence/<id>.json, an entry of the evidence register"),
    "claims": (PublishedClaims, "api/v1/claims.json, the claim ledger"),
}
"""Name → type and title of what is published. Every field of these is always written."""

SOURCE: dict[str, tuple[Any, str]] = {
    "source-metrics": (MetricTable, "metrics.yaml"),
    "source-experiments": (ExperimentsFile, "experiments.yaml"),
    "source-cases": (CaseBank, "cases/<bank>.yaml"),
    "source-session": (Session, "sessions/<id>.yaml"),
    "source-projection": (Projection, "projection.yaml"),
    "source-publication": (Publication, "publication.yaml"),
    "source-redaction": (Redaction, "redaction.yaml"),
    "source-catalog": (Catalog, "catalogs/<id>.yaml"),
    "source-fixtures": (FixtureSet, "fixtures/<id>.yaml"),
    "source-contract": (Contract, "contracts/<id>.yaml"),
    "source-profile": (Profile, "profiles/<id>.yaml"),
    "source-policy": (Policy, "policies/<id>.yaml"),
    "source-batch": (Batch, "batches/<id>/batch.yaml"),
    "source-evidence": (Register, "evidence.yaml"),
    "source-evidence-data": (EvidenceData, "evidence/<name>.yaml, or data of an entry of evidence.yaml"),
    "source-claims": (ClaimLedger, "claims.yaml"),
    "source-run": (Run, "a line of batches/<id>/runs.jsonl"),
}
"""Name → type and title of the files that a source is made of."""

COMMANDS: dict[str, tuple[Any, str]] = {
    "gate": (GateReport, "runcite gate --format json"),
    "gate-policy": (GatePolicy, "the policy of runcite gate"),
}
"""Name → type and title of what a command reads or prints besides."""

SCHEMAS: dict[str, tuple[Any, str]] = PUBLISHED | SOURCE | COMMANDS
"""All that `runcite schema` can print."""


def schema_of(name: str) -> Schema:
    """The JSON Schema of a name in `SCHEMAS`. Raises `KeyError` for any other."""
    type_, title = SCHEMAS[name]
    schema = _schema(type_, title)
    if (name in PUBLISHED and name != "evidence") or name == "gate":
        _require_all(schema)
    return schema


@cache
def schema_text(name: str) -> str:
    """The schema as it is printed and published. Raises `KeyError` for a name that is not in `SCHEMAS`."""
    return json_bytes(schema_of(name)).decode()


def detail_schema(metric: str, type_: type) -> Schema:
    """The schema of the `detail` of a metric's assertions.

    `{}` stands where the metric does not apply or has no record. Offsets into the answer, and the text that they lead
    to, are null where the published text ends before them.
    """
    schema = _schema(type_, f"detail of the assertions of {metric}")
    for definition in schema.get("$defs", {}).values():
        properties = definition.get("properties", {})
        for name in ("text", "start", "end") if "start" in properties else ():
            properties[name] = {"anyOf": [properties[name], {"type": "null"}]}
    reference = schema.pop("$ref")
    return schema | {"anyOf": [{"type": "object", "maxProperties": 0}, {"$ref": reference}]}


def schema_files(details: Mapping[str, type]) -> dict[str, bytes]:
    """Address → bytes of every published schema; `details` gives the type of each metric's detail."""
    files = {schema_address(name): schema_text(name).encode() for name in SCHEMAS}
    for metric in sorted(details):
        files[detail_address(metric)] = json_bytes(detail_schema(metric, details[metric]))
    return files


def schema_address(name: str) -> str:
    return f"{FOLDER}/{name}.json"


def detail_address(metric: str) -> str:
    return f"{FOLDER}/detail-{metric}.json"


def _schema(type_: Any, title: str) -> Schema:
    schema = msgspec.json.schema(type_, schema_hook=_schema_of_other)
    number = schema.get("$defs", {}).get(Number.__name__)
    if number is not None:
        # Decides rounding inside the program; JSON has no fractions.
        del number["properties"]["exact"]
    return {"$schema": DIALECT, "title": title, **schema}


def _schema_of_other(type_: type) -> Schema:
    if type_ is Fraction:
        return {"type": "string"}
    raise NotImplementedError(type_)


def _require_all(schema: Schema) -> None:
    for definition in schema.get("$defs", {}).values():
        if "properties" in definition:
            definition["required"] = list(definition["properties"])
