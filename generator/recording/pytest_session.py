"""A session of pytest that is recorded: its runs, its batch, its verdicts."""

import contextlib
import datetime
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from generator.errors import RunciteError
from generator.model.runs import State
from generator.recording.marks import MARK, Mark, case_of, category_of, read_mark, repeat_of, variant_of
from generator.recording.notes import RunNotes
from generator.recording.recorder import DEFAULT_VARIANT, OpenRun, Recorder, recorder
from generator.recording.verdicts import CaseVerdict, case_verdicts, levels_of, verdict_lines
from generator.source.journal import read_journals, recording_folder
from generator.source.recordings import join_journals

_COLOURS = {"pass": "green", "fail": "red", "inconclusive": "yellow"}


@dataclass
class _OpenItem:
    """A run of a test; `state` and `reason` as the phases so far leave it, `skip` where it was skipped."""

    opened: OpenRun
    notes: RunNotes
    mark: Mark
    took: float | None = None
    state: State = "COMPLETE"
    reason: str | None = None
    skip: bool = False


class RecordedSession:
    """One process of a session: the only one, the controller of pytest-xdist, or one of its workers."""

    def __init__(self, config: pytest.Config, worker: Mapping[str, Any] | None) -> None:
        self.is_worker = worker is not None
        self._given = worker["runcite"] if worker is not None else _given(config)
        self.root = Path(self._given["root"])
        self._strict = bool(config.getoption("--runcite-strict"))
        self._recorder: Recorder | None = None
        self._open: dict[str, _OpenItem] = {}
        self._configured: set[str] = set()
        self._verdicts: list[CaseVerdict] = []
        self._problem: str | None = None
        self._written = 0

    def open(self) -> None:
        """Raises `pytest.UsageError` where nothing can be recorded."""
        given = self._given
        try:
            self._recorder = recorder(
                self.root,
                batch=given["batch"],
                experiment=given["experiment"],
                synthetic=given["synthetic"],
                harness="pytest",
                harness_version=pytest.__version__,
            )
            self._recorder.__enter__()
        except (ValueError, RunciteError) as error:
            raise pytest.UsageError(f"--runcite: {error}") from error

    def for_worker(self) -> dict[str, Any]:
        return dict(self._given)

    def plan(self, items: list[pytest.Item]) -> None:
        """What was collected and not deselected."""
        assert self._recorder is not None
        planned: dict[tuple[str, str], tuple[Mark, str, int]] = {}
        for item in items:
            mark = _mark(item)
            if mark is not None:
                case, variant = case_of(item, mark), variant_of(item, mark, self._given["variant"])
                repeats = max(repeat_of(item) + 1, planned[case, variant][2] if (case, variant) in planned else 0)
                planned[case, variant] = (mark, category_of(item, mark), repeats)
                self._configure(item.config, variant)
        for (case, variant), (mark, category, repeats) in planned.items():
            self._recorder.plan(case, repeats, variant=variant, category=category, title=mark.title, levels=mark.levels)

    def begin(self, item: pytest.Item) -> bool:
        """Whether the test is a run."""
        mark = _mark(item)
        if mark is None:
            return False
        assert self._recorder is not None
        case, variant = case_of(item, mark), variant_of(item, mark, self._given["variant"])
        opened = self._recorder.begin(case, variant=variant, repeat=repeat_of(item), category=category_of(item, mark))
        self._open[item.nodeid] = _OpenItem(opened, RunNotes(), mark)
        return True

    def _configure(self, config: pytest.Config, variant: str) -> None:
        if self._recorder is not None and variant not in self._configured:
            self._configured.add(variant)
            self._recorder.configure(variant, config.hook.pytest_runcite_config(config=config, variant=variant) or {})

    def notes_of(self, item: pytest.Item) -> RunNotes | None:
        found = self._open.get(item.nodeid)
        return None if found is None else found.notes

    def note_phase(self, item: pytest.Item, call: "pytest.CallInfo[None]") -> bool:
        """What a phase (setup, call, teardown) says of the run; whether it is a miss, which pytest does not count."""
        found = self._open.get(item.nodeid)
        if found is None:
            return False
        if call.when == "call":
            found.took = call.duration * 1000
        error = None if call.excinfo is None else call.excinfo.value
        if error is None:
            return False
        if isinstance(error, pytest.skip.Exception):
            found.skip = True
            return False
        if call.when == "call" and found.notes.invalid_reason is not None:
            return True
        if call.when == "call" and isinstance(error, (AssertionError, pytest.fail.Exception, pytest.xfail.Exception)):
            found.state, found.reason = "FAILED", "assertion_failed"
            return True
        if call.when == "call" and isinstance(error, found.mark.failures):
            found.state, found.reason = "FAILED", "agent_error"
            return True
        found.state, found.reason = "INVALID", "harness_error"
        return False

    def interrupt(self, item: pytest.Item) -> None:
        found = self._open.get(item.nodeid)
        if found is not None:
            found.state, found.reason = "CANCELLED", "interrupted"

    def end(self, item: pytest.Item) -> None:
        found = self._open.pop(item.nodeid, None)
        if found is None or self._recorder is None:
            return
        if found.skip:
            self._recorder.withdraw(found.opened, "skipped_by_test")
        else:
            self._recorder.end(found.opened, found.notes, found.state, found.reason, found.took)

    def case_of(self, item: pytest.Item) -> tuple[str, str] | None:
        """Case and variant of a run that is open."""
        found = self._open.get(item.nodeid)
        return None if found is None else (found.opened.case, found.opened.variant)

    def close(self) -> bool:
        """Make the batch, if this is the last process; whether the session fails."""
        if self._recorder is None:
            return False
        current, self._recorder = self._recorder, None
        if not self.is_worker:
            self._verdicts = self._judge()
        try:
            finished = current.close()
        except (RunciteError, OSError) as error:
            self._problem = str(error)
            return not self.is_worker
        self._written = 0 if finished is None else finished.runs
        wanted = ("fail", "inconclusive") if self._strict else ("fail",)
        return any(verdict.outcome in wanted for verdict in self._verdicts)

    def abandon(self) -> None:
        """Stop without a word where the session never began."""
        if self._recorder is not None:
            with contextlib.suppress(RunciteError, OSError):
                self._recorder.close()
            self._recorder = None

    def summary(self, missed: Mapping[tuple[str, str], str]) -> Iterator[tuple[str | None, str]]:
        """Lines with their colour; `missed` is what the first failing assertion of a case and variant said."""
        batch, experiment = self._given["batch"], self._given["experiment"]
        for verdict, line in verdict_lines(self._verdicts):
            is_first = not line.startswith(" ")
            yield _COLOURS[verdict.outcome] if is_first else None, line
            said = missed.get((verdict.case, verdict.variant))
            if is_first and verdict.outcome == "fail" and said:
                yield None, "    first missed: " + said.strip().partition("\n")[0]
        if self._problem is not None:
            yield "red", f"batch {batch} could not be written to {self.root}:"
            yield "red", self._problem
            yield None, f"what was recorded is kept; next: runcite recover --source {self.root} --batch {batch}"
        elif self._written:
            yield None, f"batch {batch} of experiment {experiment}: {self._written} runs in {self.root}"
            yield None, f"next: runcite build --source {self.root} --site SITE"
        else:
            yield None, "no marked test was run, and no batch written"

    def _judge(self) -> list[CaseVerdict]:
        recorded = join_journals(read_journals(recording_folder(self.root, self._given["batch"])))
        if recorded is None:
            return []
        levels = {case: levels_of(self.root, plan.levels) for (case, _), plan in recorded.planned.items()}
        return case_verdicts(recorded.runs, levels, levels_of(self.root, {}))


def _given(config: pytest.Config) -> dict[str, Any]:
    experiment = config.getoption("--runcite-experiment") or config.getini("runcite_experiment")
    batch = config.getoption("--runcite-batch")
    if not batch:
        batch = f"{experiment}-{datetime.datetime.now(datetime.UTC):%Y%m%d-%H%M%S}"
    return {
        "root": str(Path(config.invocation_params.dir, config.getoption("--runcite")).resolve()),
        "batch": batch,
        "experiment": experiment,
        "variant": config.getoption("--runcite-variant") or DEFAULT_VARIANT,
        "synthetic": config.getoption("--runcite-synthetic"),
    }


def _mark(item: pytest.Item) -> Mark | None:
    marker = item.get_closest_marker(MARK)
    return None if marker is None else read_mark(marker)
