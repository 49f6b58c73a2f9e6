"""What one worker does with one partition of the work. `pipeline` says when.

A worker keeps what it was started with, and the batch it works on, in `_worker`: tasks and results stay small.
"""

import hashlib
import pickle
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from generator.errors import Finding
from generator.judge import judge_run
from generator.judge.setting import JudgeSetting, make_setting
from generator.model.addresses import run_evidence, run_page
from generator.model.base import Lang
from generator.model.evidence import Evidence
from generator.model.report import BatchReport, Report
from generator.model.rows import ConfigSeen, RunRow
from generator.model.runs import Run
from generator.model.source import BatchSource, Source
from generator.project import (
    ProjectionContext,
    config_projection,
    encode,
    make_context,
    project_run,
    publish_declared_values,
)
from generator.project.configuration import ConfigProjection
from generator.project.rows import bare_row, make_row, see_config
from generator.publish.copies import copy_script, evidence_copy
from generator.publish.stage import write_file
from generator.read.runs import Partition, decode_runs
from generator.validate.runs import check_run, make_run_rules

if TYPE_CHECKING:
    from generator.publish.leak_scan import LeakScan
    from generator.render.shell import Shell
    from generator.render.stamp import Stamper
    from generator.views.compared import Digest
    from generator.views.evidence import BatchIndex

Texts = dict[Lang, dict[str, str]]

_DIGESTS_KEPT = 4096

NEEDED_BY_WORKERS = (
    "generator.steps",
    "generator.charts",
    "generator.publish.leak_scan",
    "generator.render.pages",
    "generator.render.stamp",
    "altair",
    "material.plugins.search.plugin",
    "mkdocs.commands.build",
)
"""Modules that take long to import."""


class JudgeTask(msgspec.Struct, frozen=True):
    """Runs of a batch, given by its place in the source, to judge and project. With `judging` off the definitions are
    at fault, and runs are only read and checked."""

    batch: int
    partition: Partition
    judging: bool


class JudgedPartition(msgspec.Struct, frozen=True):
    """`batch` is its place in the source; `unread`: how many lines hold no run that could be read."""

    batch: int
    rows: list[RunRow]
    configs: list[ConfigSeen]
    findings: list[Finding]
    unread: int


class PagesTask(msgspec.Struct, frozen=True):
    """The pages for readers, in one language; `report` is a pickled `Report`, `docs` and `out` are folders."""

    lang: Lang
    report: Path
    texts: Texts
    docs: Path
    out: Path
    epoch: int


class StampTask(msgspec.Struct, frozen=True):
    """Stamped pages of one batch. `frame` is a pickled `Frame`; `rows` are evidence pages to make, which with a copy of
    their evidence are the `part`-th of the batch (from 1), `numbers` the ids of number pages."""

    frame: Path
    rows: list[RunRow]
    part: int
    numbers: list[str]
    lists: bool


@dataclass(frozen=True)
class Frame:
    """What all stamped pages of a batch share. `shell` is the frame of every page."""

    batch: BatchReport
    index: "BatchIndex"
    shell: "Shell"
    texts: Texts


@dataclass
class Worker:
    source: Source
    root: Path
    configs: ConfigProjection | None
    contexts: dict[str, ProjectionContext] = field(default_factory=dict)
    settings: dict[tuple[str, str, str], JudgeSetting] = field(default_factory=dict)
    stamper: "Stamper | None" = None
    leak_scan: "LeakScan | None" = None
    leak_step: str = ""


_worker: Worker


def start_worker(source: Source, root: Path) -> None:
    """Give this process the source, and the folder of the site that is being made."""
    global _worker
    _worker = Worker(source, root, config_projection(source))


def current_worker() -> Worker:
    """What this process was started with."""
    return _worker


def judge_partition(task: JudgeTask) -> JudgedPartition:
    """Read, check, judge and project the runs of a partition; write their evidence; return what later steps need."""
    batch = _worker.source.batches[task.batch]
    runs, findings = decode_runs(task.partition)
    unread = len({problem.place.line for problem in findings})
    rules = make_run_rules(batch, _worker.source)
    rows: list[RunRow] = []
    configs: dict[tuple[str, str], ConfigSeen] = {}
    for line, run in runs:
        problems = check_run(run, line, rules)
        findings += problems
        if task.judging and not problems:
            rows.append(_judge_and_project(run, line, batch))
        else:
            rows.append(bare_row(run, batch.batch.id, batch.batch.experiment, line))
        key = (run.variant, run.config_hash)
        if key not in configs:
            configs[key] = see_config(run, line, _worker.configs)
    return JudgedPartition(task.batch, rows, list(configs.values()), findings, unread)


def _judge_and_project(run: Run, line: int, batch: BatchSource) -> RunRow:
    assertions, attribution = judge_run(run, _setting(batch, run.variant, run.case_id))
    evidence = project_run(run, assertions, attribution, _context(batch), line)
    data = encode(evidence)
    write_file(_worker.root, run_evidence(batch.batch.id, run.run_id), data)
    return make_row(run, evidence, hashlib.sha256(data).hexdigest(), line)


def _setting(batch: BatchSource, variant: str, case_id: str) -> JudgeSetting:
    key = (batch.batch.id, variant, case_id)
    if key not in _worker.settings:
        _worker.settings[key] = make_setting(_worker.source, batch.batch, variant, case_id)
    return _worker.settings[key]


def _context(batch: BatchSource) -> ProjectionContext:
    if batch.batch.id not in _worker.contexts:
        _worker.contexts[batch.batch.id] = make_context(_worker.source, batch)
    return _worker.contexts[batch.batch.id]


def build_pages(task: PagesTask) -> None:
    """Draw the charts, render the pages for readers of one language and build them with MkDocs."""
    from generator.charts import draw_charts
    from generator.charts.downloads import chart_files
    from generator.publish.mkdocs_site import build_language
    from generator.render.pages import human_pages, site_nav

    report: Report = _unpickled(task.report)
    source = report.source
    report = msgspec.structs.replace(report, declared=publish_declared_values(source))
    charts = {batch.batch.id: draw_charts(batch, source, task.lang, task.texts[task.lang]) for batch in report.batches}
    for batch in report.batches:
        for address, data in chart_files(batch, charts[batch.batch.id], task.lang):
            write_file(_worker.root, address, data)
    for path, data in human_pages(report, charts, task.lang, task.texts):
        write_file(task.docs, path, data)
    nav = site_nav(report, task.lang, task.texts)
    build_language(task.docs, task.out, task.lang, nav, source.publication, task.epoch)


def stamp_partition(task: StampTask) -> None:
    """Write evidence pages and a copy of the evidence, number pages, run lists."""
    frame: Frame = _unpickled(task.frame)
    for address, data in _stamped(frame, task, _stamper(frame)):
        write_file(_worker.root, address, data)


def _stamper(frame: Frame) -> "Stamper":
    from generator.render.stamp import Stamper

    if _worker.stamper is None:
        _worker.stamper = Stamper(_worker.source, frame.shell, frame.texts)
    return _worker.stamper


def _stamped(frame: Frame, task: StampTask, stamper: "Stamper") -> Iterator[tuple[str, bytes]]:
    from generator.views.compared import compare, digest

    batch_id = frame.batch.batch.id
    decoder = msgspec.json.Decoder(Evidence)
    read = {}
    for row in task.rows:
        address = run_evidence(batch_id, row.run_id)
        read[address] = (_worker.root / address).read_bytes()
        evidence, context = decoder.decode(read[address]), frame.index.context(row.run_id)
        here = digest(evidence)
        compared = [compare(here, _digest(_worker.root, batch_id, it.run_id), it) for it in context.beside]
        page = stamper.evidence_page(evidence, row, context, compared)
        yield run_page(batch_id, row.run_id), page
    if read:
        yield evidence_copy(batch_id, task.part), copy_script(read)
    for name in task.numbers:
        yield from stamper.number_pages(frame.batch, frame.batch.numbers[name])
    if task.lists:
        yield from stamper.run_list_pages(frame.batch)


@lru_cache(maxsize=_DIGESTS_KEPT)
def _digest(root: Path, batch_id: str, run_id: str) -> "Digest":
    """What a comparison needs of another run, which may be one of another partition."""
    from generator.views.compared import digest

    return digest(msgspec.json.decode((root / run_evidence(batch_id, run_id)).read_bytes(), type=Evidence))


@lru_cache(maxsize=1)
def _unpickled(path: Path) -> Any:
    with path.open("rb") as stream:
        return pickle.load(stream)
