"""Sites without pages: all that a comparison reads."""

import tempfile
from collections.abc import Callable
from pathlib import Path

from generator.aggregate import aggregate_batch
from generator.engine import LocalEngine
from generator.errors import refuse
from generator.judge import METRICS
from generator.judge.details import DETAILS
from generator.model.report import Report
from generator.model.rows import ConfigSeen, RunRow
from generator.publish.api import api_files
from generator.publish.stage import write_file
from generator.read.runs import partitions
from generator.read.source import read_source
from generator.steps import JudgeTask, judge_partition, start_worker
from generator.validate.batches import check_batch
from generator.validate.definitions import check_definitions
from tests.support.small_source import SmallSource, write_small_source

Edit = Callable[[SmallSource], None]


def api_site(folder: Path, edit: Edit | None = None) -> Path:
    """The API and the evidence of the small source after an edit, in `folder`."""
    with tempfile.TemporaryDirectory() as root:
        source, findings = read_source(write_small_source(Path(root), edit))
        assert source is not None, findings
        refuse(findings + check_definitions(source, frozenset(METRICS)))
        batches = []
        with LocalEngine(1, start_worker, (source, folder)) as engine:
            for batch in source.batches:
                rows: list[RunRow] = []
                configs: list[ConfigSeen] = []
                tasks = (JudgeTask(batch.batch.id, part, True) for part in partitions(batch.runs, 100))
                for judged in engine.map(judge_partition, tasks):
                    refuse(judged.findings)
                    rows += judged.rows
                    configs += judged.configs
                refuse(check_batch(source, batch, rows, configs))
                batches.append(aggregate_batch(source, batch.batch, rows, configs))
    for address, data in api_files(Report(source=source, batches=batches[::-1]), DETAILS):
        write_file(folder, address, data)
    return folder
