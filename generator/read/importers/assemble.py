"""Files of one harness → one batch: variants, grid, duplicates, order, and the proposals that go with it."""

import datetime
from collections import defaultdict
from collections.abc import Iterator

import msgspec

from generator.errors import Finding, Place
from generator.model.base import Json, Text
from generator.model.batches import (
    MAX_CELLS,
    Batch,
    DifferenceReason,
    PlannedGrid,
    Provenance,
    PublishedAggregate,
    SkippedRun,
    SourceFile,
    Versioned,
)
from generator.model.imported import Duplicates, ImportedBatch, ImportOptions
from generator.model.rules import finding
from generator.model.runs import Config, Run
from generator.read.importers.harness import Harness, HarnessFile, HarnessRun
from generator.read.importers.propose import propose_bank, propose_experiment
from generator.read.importers.variants import Group, choose_path, group_files

Placed = tuple[Group, HarnessRun]


def assemble(
    harness: Harness, files: list[HarnessFile], options: ImportOptions, default_variant: str | None
) -> tuple[ImportedBatch | None, list[Finding]]:
    """One batch of all files.

    Files of equal configuration are one variant; every other file is a variant of its own, named after the value at the
    path of the independent variable. Whether variants differ in more than that path is for the checks of the build to
    say: they know what the experiment accepts.
    """
    findings = [*_no_runs(files), *_different_tasks(files)]
    path = choose_path(files, options.variant or default_variant, propose=options.propose)
    date = options.date or min((file.date for file in files if file.date is not None), default=None)
    if isinstance(path, Finding):
        return None, [*findings, path]
    if date is None:
        findings.append(_no_date(files))
    groups = group_files(files, path)
    placed, problems = _without_duplicates(
        [(group, run) for group in groups for file in group.files for run in file.runs], options.duplicates
    )
    findings += [*problems, *_too_large(groups)]
    if findings or date is None:
        return None, findings
    return _put_together(harness, groups, placed, path, options, date), []


def _put_together(
    harness: Harness, groups: list[Group], placed: list[Placed], path: str, options: ImportOptions, date: datetime.date
) -> ImportedBatch:
    files = [file for group in groups for file in group.files]
    bank = propose_bank(harness, files)
    experiment, differs = propose_experiment(harness, groups, path, options.experiment)
    models = {group.model for group in groups}
    revisions = sorted({file.revision for file in files if file.revision is not None})
    dropped = sum(len(file.runs) for file in files) - len(placed)
    batch = Batch(
        id=options.batch,
        experiment=options.experiment,
        executed_on=date,
        metric_table_version=0,
        case_bank=Versioned(id=bank.id, version=0),
        planned=PlannedGrid(
            cases=[case.id for case in bank.cases],
            variants=[group.id for group in groups],
            repeats=max(file.planned_repeats for file in files),
        ),
        provenance=Provenance(
            harness=harness.id,
            revision=", ".join(revisions) or None,
            files=_sources(files),
        ),
        model=models.pop() if len(models) == 1 else None,
        variant_catalogs={group.id: group.catalog for group in groups if group.catalog is not None},
        notes=[
            *{note.en: note for file in files for note in file.notes}.values(),
            *_dropped_note(dropped, options.duplicates),
            *_partial_note(placed),
        ],
    )
    head = msgspec.structs.replace(
        batch,
        skipped=list(_skipped(groups, placed, batch.planned)),
        published_aggregates=list(_reported(groups, dropped > 0)),
    )
    return ImportedBatch(
        harness=harness.id, experiment=experiment, bank=bank, batch=head, runs=_runs(placed), differs=differs
    )


def _sources(files: list[HarnessFile]) -> list[SourceFile]:
    """Each once: a file may hold several variants."""
    every = [source for file in files for source in (file.source, *file.others)]
    return list({(source.name, source.sha256): source for source in every}.values())


def _reported(groups: list[Group], dropped: bool) -> Iterator[PublishedAggregate]:
    """The harness's own headlines. One of a file that is not all of its variant is not the variant's."""
    for group in groups:
        for file in group.files:
            for reported in file.reported:
                reasons: list[DifferenceReason] = list(reported.reasons)
                reasons += ["one_of_several_files"] if len(group.files) > 1 else []
                reasons += ["duplicates"] if dropped else []
                yield PublishedAggregate(
                    metric=reported.metric,
                    variant=group.id,
                    value=reported.text,
                    name=reported.name,
                    stated=reported.stated,
                    numerator=reported.numerator,
                    denominator=reported.denominator,
                    file=file.source.name,
                    reasons=list(dict.fromkeys(reasons)),
                )


def _runs(placed: list[Placed]) -> list[Run]:
    """In the order of their start where every run has one, else as the files have them. `sequence` counts from 1."""
    if all(run.started_at is not None for _, run in placed):
        placed = sorted(placed, key=lambda item: item[1].started_at or "")
    return [_as_run(sequence, group, run) for sequence, (group, run) in enumerate(placed, start=1)]


def _as_run(sequence: int, group: Group, run: HarnessRun) -> Run:
    return Run(
        run_id=run.run_id,
        case_id=run.case_id,
        variant=group.id,
        repeat_index=run.repeat_index,
        sequence=sequence,
        state=run.state,
        reason=run.reason,
        config=Config(effective=group.effective),
        config_hash=group.config_hash,
        mode=run.mode,
        catalog=msgspec.UNSET,
        context=run.context,
        trace=run.trace,
        answer=run.answer,
        usage=run.usage,
        timing=run.timing,
        extra=run.extra,
    )


def _without_duplicates(placed: list[Placed], keep: Duplicates) -> tuple[list[Placed], list[Finding]]:
    """One run for each cell and each id. Two are a finding that names both places, unless one of them is to be kept."""
    ordered = list(reversed(placed)) if keep == "last" else placed
    kept: list[Placed] = []
    findings: list[Finding] = []
    seen: dict[tuple[str, ...], HarnessRun] = {}
    for group, run in ordered:
        keys = (("id", run.run_id), ("cell", group.id, run.case_id, str(run.repeat_index)))
        earlier = next((seen[key] for key in keys if key in seen), None)
        if earlier is None:
            kept.append((group, run))
            seen |= dict.fromkeys(keys, run)
        elif keep == "refuse":
            findings.append(_duplicate(earlier, run))
    return (list(reversed(kept)) if keep == "last" else kept), findings


def _skipped(groups: list[Group], placed: list[Placed], grid: PlannedGrid) -> Iterator[SkippedRun]:
    """Cells without a run: `not_run` where a file of the variant planned them, `not_planned` where none did."""
    present = {(group.id, run.case_id, run.repeat_index) for group, run in placed}
    for case in grid.cases:
        for group in groups:
            planned = max((file.planned_repeats for file in group.files if case in file.planned_cases), default=0)
            for index in range(grid.repeats):
                if (group.id, case, index) not in present:
                    reason = "not_run" if index < planned else "not_planned"
                    yield SkippedRun(case=case, variant=group.id, repeat_index=index, reason=reason)


def _no_runs(files: list[HarnessFile]) -> list[Finding]:
    if any(file.runs for file in files):
        return []
    found = "none: the file holds a header alone" if files else "no file"
    name = files[0].source.name if files else "(no file)"
    remedy = "name a file with runs; a batch without any has nothing to publish"
    return [finding("RC507", Place(name), "at least one run", found, remedy)]


def _different_tasks(files: list[HarnessFile]) -> list[Finding]:
    """Variants are compared on the same cases: a task must be the same task in every file that holds it."""
    first: dict[str, tuple[str, Json]] = {}
    different: dict[tuple[str, str], list[str]] = defaultdict(list)
    for file in files:
        for case, content in file.tasks.items():
            if content is None:
                continue
            name, known = first.setdefault(case, (file.source.name, content))
            if known != content:
                different[file.source.name, name].append(case)
    remedy = "import files of the same task set and domain, or each into an experiment of its own"
    return [
        finding(
            "RC508",
            Place(own, field=f"tasks[id={cases[0]}]"),
            f"the task of {name}",
            f"another content under the same id, in {len(cases)} tasks"
            if len(cases) > 1
            else "another content under the same id",
            remedy,
        )
        for (own, name), cases in different.items()
    ]


def _too_large(groups: list[Group]) -> list[Finding]:
    files = [file for group in groups for file in group.files]
    cases = {case for file in files for case in file.planned_cases}
    cells = len(cases) * len(groups) * max((file.planned_repeats for file in files), default=0)
    if cells <= MAX_CELLS:
        return []
    remedy = "check the trial numbers, or import the files in parts"
    place = Place(files[0].source.name)
    return [finding("RC509", place, f"at most {MAX_CELLS} planned runs", str(cells), remedy)]


def _duplicate(earlier: HarnessRun, run: HarnessRun) -> Finding:
    where = f"{earlier.place.file} {earlier.place.field}"
    found = f"another at {where} (case {run.case_id}, repeat {run.repeat_index})"
    remedy = "remove one of them, or import with --duplicates first or --duplicates last"
    place = Place(run.place.file, run=run.run_id, field=run.place.field)
    return finding("RC504", place, "one run", found, remedy)


def _dropped_note(dropped: int, keep: Duplicates) -> list[Text]:
    if dropped == 0:
        return []
    kept = {"first": ("第一次", "first"), "last": ("最后一次", "last"), "refuse": ("", "")}[keep]
    return [
        Text(
            zh=f"原始文件中有重复的运行（同一用例、变体与重复序号），只导入了{kept[0]}。",
            en=f"Runs of the same case, variant and repeat stood in the files more than once; the {kept[1]} was kept.",
        )
    ]


def _partial_note(placed: list[Placed]) -> list[Text]:
    """Some harnesses reward a part of a task; their verdict is still yes or no."""
    rewards = [run.extra.get("reward") for _, run in placed]
    if not any(isinstance(reward, int | float) and 0 < reward < 1 for reward in rewards):
        return []
    return [
        Text(
            zh="有的运行得到部分奖励（大于零、小于一）。只有得到全部奖励才算通过，部分奖励记为未通过。",
            en="Some runs were given a part of the reward, more than zero and less than one. Only the whole reward "
            "counts as passed; a part of it counts as not passed.",
        )
    ]


def _no_date(files: list[HarnessFile]) -> Finding:
    place = Place(files[0].source.name if files else "(no file)")
    remedy = "give --date YYYY-MM-DD"
    return finding("RC506", place, "a date", "no time in the files", remedy)
