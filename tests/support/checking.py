"""Reads and checks a source as a build does, up to judging."""

from pathlib import Path

from generator.errors import Finding, sort_key
from generator.model.assertions import Attribution
from generator.model.rows import ConfigSeen, RunRow
from generator.model.runs import Run
from generator.model.source import BatchSource, Source
from generator.project.configuration import ConfigProjection, config_projection
from generator.project.rows import see_config
from generator.read.runs import decode_runs, partitions
from generator.read.source import read_source
from generator.validate.batches import check_batch, check_run_ids
from generator.validate.definitions import check_definitions
from generator.validate.runs import check_run, make_run_rules


def findings_of(root: Path) -> list[Finding]:
    """All findings of reading and checking, in the order of a report."""
    source, findings = read_source(root)
    if source is None:
        return sorted(findings, key=sort_key)
    judged = frozenset(metric.id for metric in source.metrics.metrics if metric.is_judged)
    findings += check_definitions(source, judged)
    projection = config_projection(source)
    everything: list[RunRow] = []
    for batch in source.batches:
        runs, problems = read_runs(batch)
        findings += problems
        rows = [row_of(run, line, batch, source) for line, run in runs]
        rules = make_run_rules(batch, source)
        for line, run in runs:
            findings += check_run(run, line, rules)
        unread = len({problem.place.line for problem in problems})
        findings += check_batch(source, batch, rows, configs_of(runs, projection), unread)
        everything += rows
    return sorted([*findings, *check_run_ids(source, everything)], key=sort_key)


def read_runs(batch: BatchSource, size: int = 7) -> tuple[list[tuple[int, Run]], list[Finding]]:
    """All runs of a batch with their lines."""
    runs: list[tuple[int, Run]] = []
    findings: list[Finding] = []
    for partition in partitions(batch.runs, size):
        decoded, problems = decode_runs(partition)
        runs += decoded
        findings += problems
    return runs, findings


def row_of(run: Run, line: int, batch: BatchSource, source: Source) -> RunRow:
    """A row without judgement."""
    bank = source.case_banks.get(batch.batch.case_bank.id)
    categories = {case.id: case.category for case in bank.cases} if bank else {}
    return RunRow(
        run_id=run.run_id,
        batch=batch.batch.id,
        experiment=batch.batch.experiment,
        variant=run.variant,
        case_id=run.case_id,
        category=categories.get(run.case_id, ""),
        repeat_index=run.repeat_index,
        sequence=run.sequence,
        state=run.state,
        validity=run.validity,
        reason=run.reason,
        config_hash=run.config_hash,
        line=line,
        assertions={},
        attribution=list[Attribution](),
        requested_differs=[],
        estimated_tokens=False,
        cached=False,
        censored="none",
        time_stratum="",
        evidence_sha256="",
        source_run_id=run.source_run_id,
    )


def configs_of(runs: list[tuple[int, Run]], projection: ConfigProjection | None) -> list[ConfigSeen]:
    """Each configuration of each variant, where it was first seen."""
    seen: dict[tuple[str, str], ConfigSeen] = {}
    for line, run in runs:
        seen.setdefault((run.variant, run.config_hash), see_config(run, line, projection))
    return list(seen.values())
