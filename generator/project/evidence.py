"""Run → evidence: what the whitelist lets through, as it is shown."""

from dataclasses import dataclass

import msgspec

from generator.model.assertions import Assertion, Attribution
from generator.model.evidence import EVIDENCE_SCHEMA, Evidence, EvidenceSource
from generator.model.runs import Run
from generator.model.source import BatchSource, Source
from generator.model.visible import all_seen
from generator.project.details import ShownDetails
from generator.project.paths import Leaf, Node, Walk, compile_projection, leaf_count
from generator.project.redact import Placeholders, Redactor
from generator.project.treat import as_text, is_plain, shown_key, texts_in, treat_leaves

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
    every = Placeholders(context.redactor, context.redactor.all)
    walk = Walk(lambda key: shown_key(key, every))
    raw = msgspec.to_builtins(run)
    raw["turns"] = run.turns
    out = walk.object(context.template, raw)
    placeholders = _placeholders(context.redactor, walk.leaves, assertions, attribution)
    shown_answer = treat_leaves(walk.leaves, placeholders)
    answer = out.get("answer")
    details = ShownDetails(placeholders, shown_answer, len(answer["text"] or "") if answer else 0)
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


def _placeholders(
    redactor: Redactor, leaves: list[Leaf], assertions: dict[str, Assertion], attribution: list[Attribution]
) -> Placeholders:
    """Look once over all texts of the run together: most runs need no change, and then nothing else is searched."""
    texts: list[str] = []
    for leaf in leaves:
        if isinstance(leaf.value, str):
            texts.append(leaf.value)
        elif is_plain(leaf.projected):
            texts += texts_in(leaf.value)
        else:
            texts.append(as_text(leaf.value))
    for assertion in assertions.values():
        if assertion.detail:
            texts += texts_in(assertion.detail)
    for entry in attribution:
        texts += entry.entries
    together = "\n".join(texts)
    among = redactor.possible(together)
    return Placeholders(redactor, among, clean=not among and all_seen(together))
