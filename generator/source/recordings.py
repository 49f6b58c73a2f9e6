"""The journals of one batch → an imported batch."""

import datetime
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field

from generator.errors import Finding, Place
from generator.model.base import Json, Text
from generator.model.batches import Batch, PlannedGrid, Provenance, SkippedRun, Versioned
from generator.model.canonical import config_hash
from generator.model.imported import ImportedBatch
from generator.model.recording import Aimed, BatchAim, Begun, Configured, Ended, Omitted, Planned
from generator.model.rules import finding
from generator.model.runs import Config, ModelTurn, Run
from generator.source.journal import ReadJournal
from generator.source.recorded_definitions import recorded_bank, recorded_experiment

_LOST = Ended(key="", state="INVALID", reason="harness_error")
"""Of a run that began and never ended: its process was killed, so nobody knows what it would have come to."""


@dataclass
class Recording:
    """What all journals of a batch hold together. `runs` are in the order of their start."""

    aim: BatchAim
    runs: list["RecordedRun"] = field(default_factory=list)
    planned: dict[tuple[str, str], Planned] = field(default_factory=dict)
    omitted: dict[tuple[str, str, int], str] = field(default_factory=dict)
    sources: list[ReadJournal] = field(default_factory=list)

    @property
    def variants(self) -> list[str]:
        """Planned ones first."""
        return list(dict.fromkeys([*(variant for _, variant in self.planned), *(run.variant for run in self.runs)]))

    @property
    def cases(self) -> list[str]:
        return list(dict.fromkeys([*(case for case, _ in self.planned), *(run.case for run in self.runs)]))

    @property
    def shared_levels(self) -> dict[str, float]:
        """The levels of the cases, where all have the same."""
        levels = [plan.levels for plan in self.planned.values()]
        return levels[0] if levels and all(own == levels[0] for own in levels) else {}

    @property
    def repeats(self) -> int:
        planned = [plan.repeats for plan in self.planned.values()]
        return max([*planned, *(run.repeat_index + 1 for run in self.runs)], default=0)


@dataclass(frozen=True, slots=True)
class RecordedRun:
    """A run that began, and how it ended."""

    begun: Begun
    ended: Ended
    config: dict[str, Json]
    repeat_index: int

    @property
    def case(self) -> str:
        return self.begun.case

    @property
    def variant(self) -> str:
        return self.begun.variant


def join_journals(journals: list[ReadJournal]) -> Recording | None:
    """None where no journal got as far as its first line."""
    aims = [line.aim for journal in journals for line in journal.lines if isinstance(line, Aimed)]
    if not aims:
        return None
    recording = Recording(aims[0], sources=journals)
    begun: list[tuple[Begun, dict[str, Json]]] = []
    ended: dict[str, Ended] = {}
    withdrawn: set[str | None] = set()
    for journal in journals:
        configs: dict[str, dict[str, Json]] = {}
        for line in journal.lines:
            if isinstance(line, Configured):
                configs[line.variant] = line.config
            elif isinstance(line, Planned):
                recording.planned.setdefault((line.case, line.variant), line)
            elif isinstance(line, Begun):
                begun.append((line, configs.get(line.variant, {"variant": line.variant})))
            elif isinstance(line, Ended):
                ended[line.key] = line
            elif isinstance(line, Omitted):
                recording.omitted[line.case, line.variant, line.repeat_index] = line.reason
                withdrawn.add(line.key)
    begun.sort(key=lambda item: item[0].started_at)
    recording.runs = list(_placed([item for item in begun if item[0].key not in withdrawn], ended))
    return recording


def _placed(begun: list[tuple[Begun, dict[str, Json]]], ended: dict[str, Ended]) -> Iterator[RecordedRun]:
    """Runs without a repeat take the first that is free, in the order of their start."""
    taken: dict[tuple[str, str], set[int]] = defaultdict(set)
    for run, _ in begun:
        if run.repeat_index is not None:
            taken[run.case, run.variant].add(run.repeat_index)
    for run, config in begun:
        index = run.repeat_index
        if index is None:
            used = taken[run.case, run.variant]
            index = next(number for number in range(len(used) + 1) if number not in used)
            used.add(index)
        yield RecordedRun(run, ended.get(run.key, _LOST), config, index)


def recorded_batch(recording: Recording) -> tuple[ImportedBatch | None, list[Finding]]:
    """The batch, with the definitions it needs.

    Returns
    -------
    (imported, findings) : RC507 without a run, RC504 for a repeat that was recorded twice.
    """
    aim = recording.aim
    place = Place(f".recording/{aim.batch}")
    if not recording.runs:
        remedy = "record at least one run"
        return None, [finding("RC507", place, "at least one run", "none: every planned run was left out", remedy)]
    findings = list(_twice(recording, place))
    if findings:
        return None, findings
    bank = recorded_bank(aim, recording.cases, _words(recording))
    experiment = recorded_experiment(
        aim, recording.runs[0].config, _values(recording), recording.repeats, _facts(recording)
    )
    batch = Batch(
        id=aim.batch,
        experiment=aim.experiment,
        executed_on=datetime.date.fromisoformat(recording.runs[0].begun.started_at[:10]),
        metric_table_version=0,
        case_bank=Versioned(id=bank.id, version=0),
        planned=PlannedGrid(cases=recording.cases, variants=recording.variants, repeats=recording.repeats),
        provenance=Provenance(
            harness=aim.harness,
            harness_version=aim.harness_version,
            files=[journal.source for journal in recording.sources if journal.lines],
        ),
        skipped=list(_skipped(recording)),
        synthetic=aim.synthetic,
        notes=_lost_note(recording),
    )
    runs = [_run(aim, sequence, run) for sequence, run in enumerate(recording.runs, start=1)]
    return ImportedBatch(harness=aim.harness, experiment=experiment, bank=bank, batch=batch, runs=runs), []


def _run(aim: BatchAim, sequence: int, run: RecordedRun) -> Run:
    ended = run.ended
    return Run(
        run_id=f"{aim.batch}/{run.variant}/{run.case}/{run.repeat_index}",
        case_id=run.case,
        variant=run.variant,
        repeat_index=run.repeat_index,
        sequence=sequence,
        state=ended.state,
        reason=ended.reason,
        config=Config(effective=run.config),
        # What has no canonical form is refused by the build, with its place.
        config_hash=config_hash(run.config) or "sha256:" + "0" * 64,
        catalog=ended.catalog,
        context=ended.context,
        trace=ended.trace,
        answer=ended.answer,
        usage=ended.usage,
        timing=ended.timing,
        private=ended.private,
        extra={} if ended.passed is None else {"passed": ended.passed},
    )


def _skipped(recording: Recording) -> Iterator[SkippedRun]:
    present = {(run.case, run.variant, run.repeat_index) for run in recording.runs}
    for case in recording.cases:
        for variant in recording.variants:
            plan = recording.planned.get((case, variant))
            for index in range(recording.repeats):
                if (case, variant, index) not in present:
                    usual = "not_run" if plan is not None and index < plan.repeats else "not_planned"
                    reason = recording.omitted.get((case, variant, index), usual)
                    yield SkippedRun(case=case, variant=variant, repeat_index=index, reason=reason)


def _twice(recording: Recording, place: Place) -> Iterator[Finding]:
    seen: set[tuple[str, str, int]] = set()
    for run in recording.runs:
        cell = (run.case, run.variant, run.repeat_index)
        if cell in seen:
            found = f"two (case {run.case}, variant {run.variant}, repeat {run.repeat_index})"
            remedy = "number the repeats from 0, or leave the number out and let the recorder count"
            yield finding("RC504", place, "one run", found, remedy)
        seen.add(cell)


def _words(recording: Recording) -> dict[str, tuple[str | None, str | None]]:
    """Case → category and title, as far as they were said."""
    words: dict[str, tuple[str | None, str | None]] = {}
    for run in recording.runs:
        words.setdefault(run.case, (run.begun.category, None))
    for plan in recording.planned.values():
        words[plan.case] = (plan.category or words.get(plan.case, (None, None))[0], plan.title)
    return words


def _values(recording: Recording) -> dict[str, dict[str, Json]]:
    """Variant → its configuration; one that no run was made of has its name alone."""
    known = {run.variant: run.config for run in reversed(recording.runs)}
    return {variant: known.get(variant, {"variant": variant}) for variant in recording.variants}


def _facts(recording: Recording) -> set[str]:
    """Metrics that the runs can feed."""
    ended = [run.ended for run in recording.runs]
    return {
        name
        for name, there in (
            ("avg_turns", any(isinstance(step, ModelTurn) for run in ended for step in run.trace or [])),
            ("avg_tokens", any(run.usage is not None and run.usage.prompt_tokens is not None for run in ended)),
            ("duration_p50", any(run.timing is not None and run.timing.duration_ms is not None for run in ended)),
        )
        if there
    }


def _lost_note(recording: Recording) -> list[Text]:
    if not any(run.ended is _LOST for run in recording.runs):
        return []
    return [
        Text(
            zh="有的运行开始后进程中断，没有留下结果；它们记为无效，原因是评测框架出错。",
            en="Some runs began and never ended, because their process did. They are invalid: an error of the harness.",
        )
    ]
