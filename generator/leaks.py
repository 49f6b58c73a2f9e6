"""The leak scan of a finished stage, shared out over the workers. `pipeline` says when.

First the files of the runs, with the runs read once more beside them: the private values of a run are looked for in all
that it put out, and nothing of them is kept but hashes. Then all other files, against these hashes; where one occurs,
the runs are read a third time, to tell which value it was and whether it is really there.
"""

import pickle
from array import array
from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from generator.engine import LocalEngine
from generator.errors import Finding, Place
from generator.model.addresses import run_evidence, run_page
from generator.model.report import Report
from generator.model.rules import finding
from generator.model.source import BatchSource
from generator.model.visible import OPEN
from generator.project.redact import Redactor
from generator.publish.copies import FOLDER as COPIES
from generator.publish.manifest import site_files
from generator.publish.stage import Stage
from generator.read.runs import Partition, decode_runs, partitions
from generator.resources import resource
from generator.steps import Texts, current_worker

if TYPE_CHECKING:
    from generator.publish.leak_scan import FindPatterns, LeakScan, Suspect
    from generator.publish.leak_search import HashSet
    from generator.publish.leak_secrets import Public

RUNS_PER_PARTITION = 200
FILES_PER_TASK = 100
MOST_FILES = 20
"""A secret that stands on more files is reported for these, and the rest is counted."""


class RunLeaksTask(msgspec.Struct, frozen=True):
    """The files of some runs of a batch. `public` is a pickled `Public`."""

    public: Path
    batch: str
    partition: Partition


class RunLeaks(msgspec.Struct, frozen=True):
    """`hashes`: of pieces of the private values of the runs, eight bytes each."""

    findings: list[Finding]
    hashes: bytes


class SharedLeaksTask(msgspec.Struct, frozen=True):
    """Files that are no run's. `private` is a file with the hashes of all runs."""

    public: Path
    private: Path
    addresses: list[str]


class SharedLeaks(msgspec.Struct, frozen=True):
    findings: list[Finding]
    suspects: list[tuple[str, int]]


class ConfirmTask(msgspec.Struct, frozen=True):
    """`suspects`: hash → addresses of shared files in which it occurs."""

    public: Path
    partition: Partition
    suspects: dict[int, list[str]]


def find_leaks(report: Report, texts: Texts, stage: Stage, engine: LocalEngine) -> list[Finding]:
    """Everything in the stage that must not be published."""
    public, private = stage.scratch / "public.pickle", stage.scratch / "private"
    public.write_bytes(pickle.dumps(_public(report, texts)))
    batches = report.source.batches
    findings: list[Finding] = []
    with private.open("wb") as stream:
        tasks = (RunLeaksTask(public, batch.batch.id, part) for batch, part in _parts(batches))
        for made in engine.map(scan_runs, tasks):
            findings += made.findings
            stream.write(made.hashes)
    suspects: dict[int, list[str]] = defaultdict(list)
    for shared in engine.map(scan_shared, _shared_tasks(report, public, private, stage.root)):
        findings += shared.findings
        for address, hash_ in shared.suspects:
            suspects[hash_].append(address)
    if suspects:
        questions = (ConfirmTask(public, part, dict(suspects)) for _, part in _parts(batches))
        first: dict[tuple[str, str], Finding] = {}
        for confirmed in engine.map(confirm, questions):
            for one in confirmed:
                first.setdefault((one.place.file, one.found), one)
        findings += first.values()
    return _few(findings)


def _public(report: Report, texts: Texts) -> "Public":
    from generator.publish.leak_secrets import Public, public_numbers

    words = [word for language in texts.values() for pair in language.items() for word in pair]
    words += [page.read_text(encoding="utf-8") for page in sorted(resource("site_src").rglob("*.md"))]
    configs = [config.effective for batch in report.batches for config in batch.configs]
    return Public(words, public_numbers(configs))


def _parts(batches: Iterable[BatchSource]) -> Iterator[tuple[BatchSource, Partition]]:
    return ((batch, part) for batch in batches for part in partitions(batch.runs, RUNS_PER_PARTITION))


def _shared_tasks(report: Report, public: Path, private: Path, root: Path) -> Iterator[SharedLeaksTask]:
    own = {
        address(batch.batch.id, row.run_id)
        for batch in report.batches
        for row in batch.rows
        for address in (run_evidence, run_page)
    }
    # Copies of evidence and API are searched as what they copy; verification holds that they are nothing more.
    shared = [address for address in site_files(root) if address not in own and not address.startswith(COPIES)]
    for start in range(0, len(shared), FILES_PER_TASK):
        yield SharedLeaksTask(public, private, shared[start : start + FILES_PER_TASK])


def scan_runs(task: RunLeaksTask) -> RunLeaks:
    """Search evidence and pages of the runs of a partition."""
    scan, root = _scan("runs", task.public), current_worker().root
    findings: list[Finding] = []
    hashes: set[int] = set()
    for _, run in decode_runs(task.partition)[0]:
        addresses = (run_evidence(task.batch, run.run_id), run_page(task.batch, run.run_id))
        findings += scan.scan_run(run, {address: (root / address).read_bytes() for address in addresses})
        hashes |= scan.private_hashes(run)
    return RunLeaks(findings, array("Q", sorted(hashes)).tobytes())


def scan_shared(task: SharedLeaksTask) -> SharedLeaks:
    """Search files that are no run's."""
    scan, root, private = _scan("shared", task.public), current_worker().root, _hashes(task.private)
    findings: list[Finding] = []
    suspects: list[Suspect] = []
    for address in task.addresses:
        found, suspected = scan.scan_shared(address, (root / address).read_bytes(), private)
        findings += found
        suspects += suspected
    return SharedLeaks(findings, suspects)


def confirm(task: ConfirmTask) -> list[Finding]:
    """Tell which suspects are private values of the runs of a partition."""
    scan, root = _scan("confirm", task.public), current_worker().root
    runs = (run for _, run in decode_runs(task.partition)[0])
    return scan.confirm(runs, task.suspects, lambda address: (root / address).read_bytes())


def _few(findings: list[Finding]) -> list[Finding]:
    """The first findings of each secret, and how many more there are: one secret may stand on every page."""
    by_secret: dict[tuple[str, str], list[Finding]] = defaultdict(list)
    for one in findings:
        by_secret[one.code, one.found].append(one)
    few: list[Finding] = []
    for (code, found), all_ in by_secret.items():
        few += all_[:MOST_FILES]
        if len(all_) > MOST_FILES:
            said = f"{found}, in {len(all_) - MOST_FILES} more places"
            few.append(finding(code, Place("site/"), all_[0].expected, said, all_[0].remedy))
    return few


@lru_cache(maxsize=1)
def _hashes(path: Path) -> "HashSet":
    import numpy as np

    from generator.publish.leak_search import HashSet

    return HashSet(np.fromfile(path, dtype=np.uint64))


def _scan(step: str, public: Path) -> "LeakScan":
    """The scan of this worker. Each step starts without a memory of what the one before has read."""
    from generator.publish.leak_scan import LeakScan

    worker = current_worker()
    if worker.leak_scan is None:
        source = worker.source
        worker.leak_scan = LeakScan(source, _finder(Redactor(source.redaction)), pickle.loads(public.read_bytes()))
    if worker.leak_step != step:
        worker.leak_step = step
        worker.leak_scan.forget()
    return worker.leak_scan


def _finder(redactor: Redactor) -> "FindPatterns":
    """The patterns as the scan asks for them. What starts with a mark was replaced before."""

    def find(text: str) -> list[tuple[str, str]]:
        return [
            (redactor.patterns[index].id, text[start:end])
            for start, end, index in redactor.find(text, redactor.all)
            if not text.startswith(OPEN, start)
        ]

    return find
