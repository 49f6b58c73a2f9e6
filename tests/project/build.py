"""Runs as dictionaries, and the whitelist and patterns of `data/`."""

from functools import cache
from pathlib import Path
from typing import Any

import msgspec
import yaml

from generator.model.assertions import Assertion, Attribution
from generator.model.evidence import Evidence
from generator.model.projection import Projection
from generator.model.runs import Run
from generator.model.tools import Redaction
from generator.project import ProjectionContext, project_run
from generator.project.paths import compile_projection
from generator.project.redact import Redactor

DATA = Path(__file__).resolve().parents[2] / "data"
Dict = dict[str, Any]


@cache
def whitelist() -> Projection:
    return msgspec.convert(yaml.safe_load((DATA / "projection.yaml").read_text(encoding="utf-8")), Projection)


@cache
def redactor() -> Redactor:
    content = yaml.safe_load((DATA / "redaction.yaml").read_text(encoding="utf-8"))
    return Redactor(msgspec.convert(content, Redaction))


@cache
def context() -> ProjectionContext:
    return ProjectionContext(
        template=compile_projection(whitelist()),
        redactor=redactor(),
        version=whitelist().version,
        batch="batch-1",
        experiment="experiment-1",
        file="batches/batch-1/runs.jsonl",
        file_sha256="0" * 64,
        categories={"case-1": "basic"},
    )


def run_of(**fields: Any) -> Run:
    """A small complete run; keywords replace its fields."""
    base: Dict = {
        "run_id": "run-1",
        "case_id": "case-1",
        "variant": "full",
        "repeat_index": 0,
        "sequence": 1,
        "state": "COMPLETE",
        "config_hash": "sha256:" + "a" * 64,
        "config": {"effective": {"model": "m-1"}, "requested": {}},
    }
    return msgspec.convert(base | fields, Run)


def project(
    run: Run, assertions: dict[str, Assertion] | None = None, attribution: list[Attribution] | None = None
) -> Evidence:
    return project_run(run, assertions or {}, attribution or [], context(), 7)
