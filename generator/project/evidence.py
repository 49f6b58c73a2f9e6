"""Run → evidence: what the whitelist lets through, as it is shown."""

from dataclasses import dataclass
from typing import Any

import msgspec

from generator.model.assertions import Assertion, Attribution
from generator.model.base import Json
from generator.model.evidence import EVIDENCE_SCHEMA, Evidence, EvidenceSource
from generator.model.projection import ProjectedField
from generator.model.runs import Run
from generator.model.source import BatchSource, Source
from generator.project.details import ShownDetails
from generator.project.paths import Node, Walk, compile_projection, is_absent, leaf_count
from generator.project.redact import Placeholders, Redactor
from generator.project.shown import Shown, show
from generator.project.treat import treat_text, treat_value

NO_CATEGORY = "uncategorised"
"""The category of a case that the case bank does not have."""


@dataclass(frozen=True, slots=True)
class ProjectionContext:
    """What the runs of a batch share; compiled once."""

    template: Node
    redactor: Redactor
    version: int
    batch: str
    experiment: str
    file: str
    file_sha256: str
    categories: dict[str, str]


def make_context(source: Source, batch: BatchSource) -> ProjectionContext:
    """Compile whitelist and patterns for a batch. Raises `ValueError` where `check_projection` has findings."""
    head = batch.batch
    bank = source.case_banks.get(head.case_bank.id)
    return ProjectionContext(
        template=compile_projection(source.projection),
        redactor=Redactor(source.redaction),
        version=source.projection.version,
        batch=head.id,
        experiment=head.experiment,
        file=batch.runs.name,
        file_sha256=batch.runs.sha256,
        categories={} if bank is None else {case.id: case.category for case in bank.cases},
    )


class _Treatment:
    """Treats the values of one run, and keeps the shown answer for the offsets of the details."""

    def __init__(self, placeholders: Placeholders) -> None:
        self.placeholders = placeholders
        self.answer: Shown | None = None

    def value(self, projected: ProjectedField, value: Json) -> Any:
        if projected.field == "answer" and isinstance(value, str):
            self.answer = show(value, self.placeholders)
            return treat_text(self.answer, projected.treatment, projected.limit)
        return treat_value(projected, value, self.placeholders)

    def key(self, key: str) -> str:
        return show(key, self.placeholders).text


def project_run(
    run: Run,
    assertions: dict[str, Assertion],
    attribution: list[Attribution],
    context: ProjectionContext,
    line: int,
) -> Evidence:
    """The evidence of a run. `line` is its line in the batch's runs file, from 1.

    Names of the run stand as they are, because addresses and run sets are made of them; every other text is redacted
    and made visible.
    """
    placeholders = Placeholders(context.redactor)
    treatment = _Treatment(placeholders)
    walk = Walk(treatment.value, treatment.key)
    raw = msgspec.to_builtins(run)
    raw["turns"] = run.turns
    filled = walk.fill(context.template, raw)
    out: dict[str, Any] = {} if is_absent(filled) else filled
    answer = out.get("answer")
    shown_answer = "" if answer is None else answer["text"] or ""
    details = ShownDetails(placeholders, treatment.answer, len(shown_answer))
    config = out.get("config", {})
    return Evidence(
        schema=EVIDENCE_SCHEMA,
        projection_version=context.version,
        run_id=run.run_id,
        batch=context.batch,
        experiment=context.experiment,
        variant=run.variant,
        case_id=run.case_id,
        category=context.categories.get(run.case_id, NO_CATEGORY),
        repeat_index=run.repeat_index,
        sequence=run.sequence,
        state=run.state,
        validity=run.validity,
        reason=out.get("reason"),
        config=config,
        config_hash=run.config_hash,
        assertions={metric: details.assertion(assertion) for metric, assertion in assertions.items()},
        telemetry=out.get("telemetry", {}),
        trace=out.get("trace"),
        answer=answer,
        attribution=[details.attribution(entry) for entry in attribution],
        source=EvidenceSource(
            file=context.file,
            line=line,
            sha256=context.file_sha256,
            withheld=leaf_count(raw) - walk.passed,
            redactions=placeholders.ordered_counts(),
            config_hash_recomputable=config.get("effective") == run.config.effective,
        ),
        mode=run.mode,
        source_run_id=run.source_run_id if "source_run_id" in out else None,
    )
