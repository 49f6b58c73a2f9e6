"""One mutant through the program, watched: what came of it, how far it got, what it cost."""

import json
import resource
import shutil
import signal
import sys
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType
from typing import Any
from xml.etree import ElementTree

from generator import pipeline, steps
from generator.engine import LocalEngine
from generator.errors import Finding, Refused
from generator.finding_formats import FindingFormat, format_findings
from generator.judge.details import DETAILS
from generator.publish.api import api_files
from tests.fuzz.mutants import SECRET, Mutant, make_mutant

MAX_SECONDS = 10
"""Of processor time: another program on this machine must not fail a mutant."""
WHOLE_SECONDS = 60
"""For the whole way: the pages and their verification take ten to twenty, whatever the source."""
MAX_BYTES = 1024**3
"""Data that the process may hold, libraries included."""
MAX_FINDING = 5000
"""Characters of a finding that people still read."""


@dataclass
class Outcome:
    """`end` is passed, refused or broken; `judged` counts the runs that were judged, `reached` those of them that the
    mutant had changed; `error` is the traceback of a broken one."""

    number: int
    changes: list[str]
    end: str = "broken"
    codes: list[str] = field(default_factory=list)
    judged: int = 0
    reached: int = 0
    seconds: float = 0.0
    megabytes: int = 0
    whole: bool = False
    error: str = ""


_CLEAR, _STATUS = Path("/proc/self/clear_refs"), Path("/proc/self/status")


class TooSlow(BaseException):
    """No part of the program can catch it by mistake."""


def limit_memory() -> None:
    """Hold this process to `MAX_BYTES`: an allocation beyond it raises MemoryError."""
    resource.setrlimit(resource.RLIMIT_DATA, (MAX_BYTES, resource.getrlimit(resource.RLIMIT_DATA)[1]))


def lift_memory_limit() -> None:
    """A process inherits the limit of the one that started it."""
    hard = resource.getrlimit(resource.RLIMIT_DATA)[1]
    resource.setrlimit(resource.RLIMIT_DATA, (hard, hard))


def try_mutant(seed: int, number: int, folder: Path, *, whole: bool = False) -> Outcome:
    """`folder` is emptied. `whole`: all that `runcite check` does, the pages and their verification included; else up
    to the published JSON."""
    shutil.rmtree(folder, ignore_errors=True)
    mutant = make_mutant(seed, number)
    mutant.write(folder / "source")
    outcome = Outcome(number, mutant.changes, whole=whole)
    _forget_peak()
    started = time.process_time()
    try:
        with _counted(mutant, outcome), _limited(WHOLE_SECONDS if whole else MAX_SECONDS):
            outcome.codes = _codes(folder, mutant, whole)
        outcome.end = "refused" if outcome.codes else "passed"
    except (Exception, TooSlow):
        outcome.error = traceback.format_exc()
    outcome.seconds = round(time.process_time() - started, 3)
    outcome.megabytes = _peak_megabytes()
    return outcome


def _codes(folder: Path, mutant: Mutant, whole: bool) -> list[str]:
    """The codes of the findings; none if it passed."""
    try:
        _check(folder, whole)
    except Refused as refused:
        findings = refused.findings
    else:
        return []
    _check_findings(findings, folder / "source", mutant.private)
    return sorted({finding.code for finding in findings})


def _check(folder: Path, whole: bool) -> None:
    if whole:
        pipeline.check_source(folder / "source", jobs=1, progress=lambda step: None)
        return
    source, findings = pipeline.read_checked(folder / "source")
    with LocalEngine(1, steps.start_worker, (source, folder / "site")) as engine:
        report = pipeline.evaluate(source, findings, engine)
        for _, data in api_files(report, DETAILS):
            json.loads(data)


def _check_findings(findings: list[Finding], source: Path, private: bool) -> None:
    """Findings can be printed in every form, can be read, and hold nothing private."""
    assert findings
    for form in FindingFormat:
        text = format_findings(findings, form, source)
        text.encode("utf-8")
        assert not private or SECRET not in text, "a finding quotes what is private"
        if form is FindingFormat.junit:
            ElementTree.fromstring(text)
    for finding in findings:
        assert len(str(finding)) <= MAX_FINDING, f"a finding of {len(str(finding))} characters"
        unseen = [character for character in str(finding).replace("\n", "") if not character.isprintable()]
        assert unseen == [], f"a finding with unprintable characters: {unseen[:5]!r}"


@contextmanager
def _counted(mutant: Mutant, outcome: Outcome) -> Iterator[None]:
    judge: Callable[..., Any] = vars(steps)["judge_run"]

    def counting(run: Any, setting: Any) -> Any:
        outcome.judged += 1
        outcome.reached += run.run_id in mutant.runs
        return judge(run, setting)

    vars(steps)["judge_run"] = counting
    try:
        yield
    finally:
        vars(steps)["judge_run"] = judge


@contextmanager
def _limited(seconds: float) -> Iterator[None]:
    def too_slow(signal_number: int, frame: FrameType | None) -> None:
        raise TooSlow(f"more than {seconds} seconds")

    before = signal.signal(signal.SIGPROF, too_slow)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def _forget_peak() -> None:
    if _CLEAR.exists():
        _CLEAR.write_text("5", encoding="ascii")


def _peak_megabytes() -> int:
    """Since `_forget_peak`; of the whole process where the system cannot forget."""
    if not _CLEAR.exists():
        unit = 1 if sys.platform == "darwin" else 1024
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit // 1024**2
    line = next(line for line in _STATUS.read_text(encoding="ascii").splitlines() if line.startswith("VmHWM"))
    return int(line.split()[1]) // 1024
