"""A finished stage of the small source without the pages of MkDocs, into which tests put what must be found."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from generator.engine import LocalEngine
from generator.errors import Finding
from generator.judge.details import DETAILS
from generator.leaks import find_leaks
from generator.model.addresses import run_evidence, run_page
from generator.model.report import Report
from generator.pipeline import evaluate, read_checked
from generator.publish.api import api_files
from generator.publish.stage import Stage, write_file
from generator.read.texts import read_texts
from generator.steps import current_worker, start_worker
from tests.support.small_source import BATCH_ID, SmallSource, write_small_source


class Leaky:
    """`scan` searches the stage, as a build does after its last page was written."""

    def __init__(self, report: Report, stage: Stage, engine: LocalEngine, jobs: int) -> None:
        self._report, self._stage, self._engine, self._jobs = report, stage, engine, jobs
        self.root = stage.root

    def write(self, address: str, content: str | bytes) -> None:
        write_file(self.root, address, content.encode() if isinstance(content, str) else content)

    def scan(self) -> list[Finding]:
        if self._jobs == 1 and current_worker().root != self.root:
            start_worker(self._report.source, self.root)
        return find_leaks(self._report, read_texts(), self._stage, self._engine)

    def found(self, address: str, content: str | bytes) -> list[tuple[str, str]]:
        """(code, file) of all findings when `content` stands at `address`, which is taken away again."""
        path = self.root / address
        before = path.read_bytes() if path.exists() else None
        self.write(address, content)
        findings = self.scan()
        if before is None:
            path.unlink()
        else:
            path.write_bytes(before)
        return [(finding.code, finding.place.file) for finding in findings]


@contextmanager
def leaky(folder: Path, edit: Callable[[SmallSource], None], jobs: int = 1) -> Iterator[Leaky]:
    """The stage of the small source after `edit`. Pages of runs are plain."""
    write_small_source(folder / "source", edit)
    source, findings = read_checked(folder / "source")
    with Stage(folder / "site") as stage, LocalEngine(jobs, start_worker, (source, stage.root)) as engine:
        report = evaluate(source, findings, engine)
        for address, data in api_files(report, DETAILS):
            write_file(stage.root, address, data)
        for row in report.batches[0].rows:
            write_file(stage.root, run_page(BATCH_ID, row.run_id), b"<!doctype html>\n<p>page of a run</p>\n")
            assert (stage.root / run_evidence(BATCH_ID, row.run_id)).is_file()
        yield Leaky(report, stage, engine, jobs)
