"""The runs of all batches, judged partition by partition in the processes of an engine."""

from collections.abc import Iterator
from itertools import chain, groupby

from generator.engine import LocalEngine
from generator.errors import Finding, Place
from generator.model.rows import ConfigSeen, RunRow
from generator.model.rules import few
from generator.model.source import BatchSource, Source
from generator.read.runs import Partition, partitions
from generator.steps import JudgedPartition, JudgeTask, judge_partition
from generator.validate.batches import check_batch

RUNS_PER_PARTITION = 200
MAX_FINDINGS = 10_000
"""Of one batch: its runs are read no further."""


def judge_batches(source: Source, judging: bool, engine: LocalEngine) -> Iterator[tuple[BatchSource, JudgedPartition]]:
    """All runs of each batch, and the findings about them. While a batch is aggregated, the next ones are judged."""
    given_up: set[int] = set()

    def tasks() -> Iterator[JudgeTask]:
        for place, batch in enumerate(source.batches):
            # A batch without runs has a part too.
            ending = Partition(file=batch.runs.name, first_line=1, lines=[])
            for part in chain(partitions(batch.runs, RUNS_PER_PARTITION), [ending]):
                if place in given_up:
                    break
                yield JudgeTask(place, part, judging)

    results = groupby(engine.map(judge_partition, tasks()), key=lambda result: result.batch)
    for place, parts in results:
        batch = source.batches[place]
        judged = _whole_batch(source, place, parts)
        if len(judged.findings) > MAX_FINDINGS:
            given_up.add(place)
        yield batch, judged


def _whole_batch(source: Source, place: int, parts: Iterator[JudgedPartition]) -> JudgedPartition:
    """A batch as one; where it has too many findings, as far as it was read."""
    batch = source.batches[place]
    rows: list[RunRow] = []
    findings: list[Finding] = []
    configs: dict[tuple[str, str], ConfigSeen] = {}
    unread = 0
    for part in parts:
        rows += part.rows
        findings += part.findings
        unread += part.unread
        for config in part.configs:
            configs.setdefault((config.variant, config.config_hash), config)
        if len(findings) > MAX_FINDINGS:
            findings = few(findings, MAX_FINDINGS, Place(batch.runs.name))
            break
    else:
        findings += check_batch(source, batch, rows, list(configs.values()), unread)
    return JudgedPartition(place, rows, list(configs.values()), findings, unread)
