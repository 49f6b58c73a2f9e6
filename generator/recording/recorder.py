"""Runs of any program, noted one by one, become a batch of a source."""

import re
import threading
import time
import uuid
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Self

from generator.errors import SiteError
from generator.model.recording import Aimed, BatchAim, Begun, Configured, Ended, Omitted, Planned
from generator.model.runs import State
from generator.recording.finish import Finished, finish
from generator.recording.notes import RunNotes
from generator.recording.run_arguments import check_reason, note_call
from generator.recording.values import now, storable, text
from generator.source.journal import Journal, recording_folder

_PLAIN_ID = re.compile(r"[a-z0-9][a-z0-9_-]{0,63}")
DEFAULT_VARIANT = "current"


@dataclass(frozen=True, slots=True)
class OpenRun:
    """A run that has begun: its key, and when."""

    key: str
    case: str
    variant: str
    repeat: int | None
    started_at: str


class Recorder:
    """One writer of a batch; made by `recorder`. Any thread may use it, and any process may open one of its own."""

    def __init__(self, root: Path, aim: BatchAim, configs: Mapping[str, Mapping[str, object]]) -> None:
        self.root, self.aim = root, aim
        self.finished: Finished | None = None
        self._configs = dict(configs)
        self._declared: set[str] = set()
        self._lock = threading.Lock()
        self._journal: Journal | None = None

    def __enter__(self) -> Self:
        if (self.root / "batches" / self.aim.batch).exists():
            raise SiteError(
                f"{self.root}: batch {self.aim.batch} is there already; a batch is immutable, choose another id"
            )
        try:
            self._journal = Journal(recording_folder(self.root, self.aim.batch))
            self._journal.write(Aimed(aim=self.aim))
        except OSError as error:
            raise SiteError(f"{self.root}: nothing can be recorded there ({error.strerror})") from error
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """The last writer makes the batch. What was recorded before an exception is kept."""
        with suppress(Exception) if error is not None else nullcontext():
            self.close()

    def close(self) -> Finished | None:
        """Stop writing; the last writer makes the batch.

        Returns
        -------
        finished : None while another process still writes.

        Raises
        ------
        Refused
            The source cannot take the batch. The journals stay: `runcite recover` makes the batch later.
        SiteError
            The source cannot be written.
        """
        journal, self._journal = self._journal, None
        if journal is not None and journal.close():
            self.finished = finish(self.root, self.aim.batch)
        return self.finished

    def plan(
        self,
        case: str,
        repeats: int,
        *,
        variant: str = DEFAULT_VARIANT,
        category: str | None = None,
        title: str | None = None,
        levels: Mapping[str, float] | None = None,
    ) -> None:
        """What is to be run; what then is not stands in the batch as skipped. Without a plan, what ran is the plan.
        `levels` (theta, alpha, beta, delta) begin a source that is made, where all cases have the same."""
        self._write(
            variant,
            Planned(
                case=text(case),
                variant=text(variant),
                repeats=repeats,
                category=None if category is None else text(category),
                title=None if title is None else text(title),
                levels=dict(levels or {}),
            ),
        )

    def run(
        self,
        case: str,
        *,
        passed: bool | None = None,
        variant: str = DEFAULT_VARIANT,
        repeat: int | None = None,
        state: State = "COMPLETE",
        reason: str | None = None,
        category: str | None = None,
        notes: RunNotes | None = None,
        answer: str | None = None,
        calls: Sequence[Mapping[str, object]] = (),
        prompt_tokens: int | None = None,
        completion_tokens: int | None = None,
        cost_usd: float | None = None,
        duration_ms: float | None = None,
        started_at: str | None = None,
    ) -> None:
        """Record one run that is over.

        Parameters
        ----------
        passed : bool or None
            The verdict; None where there is none (the run is then outside the pass rate).
        repeat : int or None
            From 0; None lets the recorder count, also over parallel writers.
        state : COMPLETE, FAILED (the agent gave up), INVALID (the run says nothing of the agent), CANCELLED
            All but COMPLETE need a `reason`; that of INVALID is one of the known ones.
        notes : RunNotes
            What happened in the run; or, for the simple case, the parameters that follow.
        calls : sequence of mappings
            `{tool, arguments, result, error, status, duration_ms, call_id}`; only `tool` is needed.

        Raises
        ------
        ValueError
            The reason does not fit the state, or a call has an unknown key.
        """
        check_reason(state, reason)
        noted = notes if notes is not None else RunNotes()
        for entry in calls:
            note_call(noted, entry)
        if answer is not None:
            noted.answer(answer)
        if (prompt_tokens, completion_tokens, cost_usd) != (None, None, None):
            noted.usage(prompt_tokens=prompt_tokens, completion_tokens=completion_tokens, cost_usd=cost_usd)
        begun = self._begun(case, variant, repeat, category, started_at or now())
        recorded_start = begun.started_at if started_at is not None else None
        self._write(variant, begun, noted.ended(begun.key, state, reason, passed, recorded_start, duration_ms))

    @contextmanager
    def measure(
        self,
        case: str,
        *,
        variant: str = DEFAULT_VARIANT,
        repeat: int | None = None,
        category: str | None = None,
    ) -> Iterator[RunNotes]:
        """Record the run that the block makes, with its duration.

        A failing assertion ends it as FAILED, any other exception as INVALID and is raised again; a block that comes to
        its end has passed. A process that is killed in the block leaves an INVALID run.
        """
        opened = self.begin(case, variant=variant, repeat=repeat, category=category)
        notes, start = RunNotes(), time.perf_counter()
        state: State = "COMPLETE"
        reason: str | None = None
        try:
            yield notes
        except AssertionError:
            state, reason = "FAILED", "assertion_failed"
        except Exception:
            state, reason = "INVALID", "harness_error"
            raise
        except BaseException:
            state, reason = "CANCELLED", "interrupted"
            raise
        finally:
            self.end(opened, notes, state, reason, (time.perf_counter() - start) * 1000)

    def begin(
        self, case: str, *, variant: str = DEFAULT_VARIANT, repeat: int | None = None, category: str | None = None
    ) -> OpenRun:
        """A run begins; `end` must follow, else it is INVALID."""
        begun = self._begun(case, variant, repeat, category, now())
        self._write(variant, begun)
        return OpenRun(begun.key, case, variant, repeat, begun.started_at)

    def end(
        self, opened: OpenRun, notes: RunNotes, state: State, reason: str | None, duration_ms: float | None
    ) -> None:
        """What the notes say of state and duration stands before what is given here."""
        if notes.invalid_reason is not None:
            state, reason = "INVALID", notes.invalid_reason
        elif notes.failed_reason is not None and state == "COMPLETE":
            state, reason = "FAILED", notes.failed_reason
        check_reason(state, reason)
        passed = {"COMPLETE": True, "FAILED": False}.get(state)
        self._write(opened.variant, notes.ended(opened.key, state, reason, passed, opened.started_at, duration_ms))

    def omit(self, case: str, repeat: int, reason: str, *, variant: str = DEFAULT_VARIANT) -> None:
        """A planned run that is not made; `reason` in snake_case."""
        self._write(variant, Omitted(case=text(case), variant=text(variant), repeat_index=repeat, reason=reason))

    def withdraw(self, opened: OpenRun, reason: str) -> None:
        """A run that began and is to count as skipped; it has a repeat."""
        repeat = opened.repeat or 0
        line = Omitted(
            case=text(opened.case), variant=text(opened.variant), repeat_index=repeat, reason=reason, key=opened.key
        )
        self._write(opened.variant, line)

    def configure(self, variant: str, config: Mapping[str, object]) -> None:
        """The configuration of a variant, before its first run."""
        self._configs[variant] = config

    def _begun(self, case: str, variant: str, repeat: int | None, category: str | None, started_at: str) -> Begun:
        return Begun(
            key=uuid.uuid4().hex,
            case=text(case),
            variant=text(variant),
            started_at=started_at,
            repeat_index=repeat,
            category=None if category is None else text(category),
        )

    def _write(self, variant: str, *lines: Planned | Begun | Ended | Omitted) -> None:
        with self._lock:
            if self._journal is None:
                raise RuntimeError("the recorder is closed: record inside its `with` block")
            if variant not in self._declared:
                config = storable({"variant": variant, **self._configs.get(variant, self._configs.get("*", {}))})
                assert isinstance(config, dict)
                self._journal.write(Configured(variant=text(variant), config=config))
                self._declared.add(variant)
            self._journal.write(*lines)


def recorder(
    directory: str | Path,
    *,
    batch: str,
    experiment: str,
    config: Mapping[str, object] | None = None,
    configs: Mapping[str, Mapping[str, object]] | None = None,
    independent_variable: str = "variant",
    synthetic: bool = False,
    thresholds: Mapping[str, float] | None = None,
    harness: str = "recorder",
    harness_version: str | None = None,
) -> Recorder:
    """Open a batch of the source in `directory`, which is made if it is not there.

    Parameters
    ----------
    batch, experiment : str
        Plain ids: lower case letters, digits, `-`, `_`.
    config : mapping
        The configuration of all variants, without secrets: it is read by everybody.
    configs : mapping
        Instead, the configuration of each variant.
    independent_variable : str
        The path in the configuration that the experiment is about. `variant` is the name of the variant.
    synthetic : bool
        No real agent runs.
    thresholds : mapping
        `theta`, `alpha`, `beta`, `delta`, `min_valid_per_group` of a source that is made.

    Raises
    ------
    ValueError
        An id has another form.
    """
    for name, value in (("batch", batch), ("experiment", experiment)):
        if _PLAIN_ID.fullmatch(value) is None:
            raise ValueError(f"{name}: expected lower case letters, digits, - and _, at most 64, found {value!r}")
    aim = BatchAim(
        batch=batch,
        experiment=experiment,
        independent_variable=independent_variable,
        harness=harness,
        harness_version=harness_version,
        synthetic=synthetic,
        thresholds=dict(thresholds or {}),
    )
    return Recorder(Path(directory), aim, {"*": config or {}} | dict(configs or {}))
