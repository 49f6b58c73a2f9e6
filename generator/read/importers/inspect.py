"""Inspect: a log as `.eval` archive or `.json`, `{version, status, eval, plan, results, stats, samples, reductions}`.

| recorded | becomes |
| --- | --- |
| `samples[].uuid`; in old logs id and epoch behind batch and file | run id |
| `samples[].{id, epoch}` | case, repeat (from 0) |
| `eval.{model, task, config, model_generate_config}`, `plan.steps[].solver` | configuration |
| `eval.{task_args, model_args}` | a short list of keys passes, the rest is counted |
| `eval.dataset.sample_ids` × `eval.config.epochs` | the plan; what is absent is skipped |
| `samples[].error` | INVALID, `CancelledError`: CANCELLED; its text is dropped |
| `samples[].limit` | FAILED, though it may be scored |
| the headline's score (else the first): C, I, P, N, a number, a flag | `extra.reward`; NaN: no verdict |
| `samples[].messages`, with `attachments` | context, trace, answer |
| tools of the model events | the catalogue, where all samples have the same |
| `samples[].{model_usage, total_time, error_retries}` | usage of the tested model, duration, `extra` |
| `results.scores[].metrics.accuracy` or `mean` | the harness's own headline |
| `target`, `metadata`, `store`, `score.explanation`, events | never written |
"""

from pathlib import Path

from generator.errors import Finding, Place
from generator.model.base import Json
from generator.model.imported import ImportOptions
from generator.model.runs import State, Timing, Usage
from generator.model.words import kind_of
from generator.read.importers.beginning import Beginning
from generator.read.importers.capabilities import YES, no, part
from generator.read.importers.eval_archive import load_archive, slim
from generator.read.importers.files import ForeignFile, load_json, visible
from generator.read.importers.harness import Harness, HarnessFile, HarnessRun, crash_reason, missing, wrong_format
from generator.read.importers.importer import Importer, each_file
from generator.read.importers.inspect_config import (
    GENERATE,
    MODEL_ARGUMENTS,
    TASK_ARGUMENTS,
    effective_config,
    executed_on,
    planned_tasks,
    reasons_apart,
    shared_catalog,
)
from generator.read.importers.inspect_messages import content_text, record_messages
from generator.read.importers.inspect_notes import log_notes
from generator.read.importers.inspect_scores import main_score, reported, score_value
from generator.read.importers.values import as_count, as_id, as_list, as_number, as_object, as_text, drop_absent

HARNESS = Harness("inspect", "Inspect")
_SHAPE = "an object with eval, status and samples, as Inspect writes it"


def _load(path: Path) -> ForeignFile | Finding:
    return load_archive(path) if path.suffix.lower() == ".eval" else load_json(path)


def _read(file: ForeignFile, options: ImportOptions) -> tuple[HarnessFile | None, list[Finding]]:
    log = file.value
    if not isinstance(log, dict) or not isinstance(log.get("eval"), dict):
        found = kind_of(log) if not isinstance(log, dict) else "an object without eval"
        return None, [wrong_format(file.name, _SHAPE, found)]
    spec = as_object(log["eval"])
    samples = [as_object(slim(sample)) for sample in as_list(log.get("samples"))]
    score = main_score(log, samples)
    findings: list[Finding] = []
    runs: list[HarnessRun] = []
    for index, sample in enumerate(samples):
        run = _run(file, index, sample, score, options, as_text(spec.get("model")))
        if isinstance(run, Finding):
            findings.append(run)
        else:
            runs.append(run)
    prompts = list(dict.fromkeys(_system_prompt(run) for run in runs))
    read = HarnessFile(
        source=file.source,
        effective=effective_config(log, spec, prompts),
        label=as_text(spec.get("model")) or file.path.stem,
        domain=as_text(spec.get("task")),
        model=as_text(spec.get("model")),
        runs=runs,
        tasks=planned_tasks(spec, samples),
        repeats=as_count(as_object(spec.get("config")).get("epochs")),
        catalog=shared_catalog(samples),
        revision=as_text(as_object(spec.get("revision")).get("commit")),
        date=executed_on(log, spec),
        notes=log_notes(file.name, log, prompts),
        reported=reported(log, score, runs),
    )
    return read, findings


def _run(
    file: ForeignFile, index: int, sample: dict[str, Json], score: str | None, options: ImportOptions, model: str | None
) -> HarnessRun | Finding:
    case_id, epoch = as_id(sample.get("id")), as_count(sample.get("epoch"))
    if case_id is None:
        return missing(file.name, f"samples[{index}].id", "the sample's id")
    if epoch is None or epoch < 1:
        return missing(file.name, f"samples[{index}].epoch", "a whole number from 1")
    state, reason = _state(sample)
    talk = record_messages(sample)
    output = as_object(sample.get("output"))
    answer = content_text(output.get("completion"), as_object(sample.get("attachments"))) or talk.answer
    return HarnessRun(
        place=Place(file.name, field=f"samples[{index}]"),
        run_id=as_id(sample.get("uuid")) or f"{options.batch}/{visible(file.path.stem)}/{case_id}/{epoch}",
        case_id=case_id,
        repeat_index=epoch - 1,
        state=state,
        reason=reason,
        mode="autonomous",
        context=talk.context if talk.entries else None,
        trace=talk.trace if talk.steps else None,
        answer=answer,
        extra=_extra(sample, score, state) | drop_absent(stray_tool_results=talk.stray_results or None),
        usage=_usage(sample, model),
        timing=_timing(sample),
        started_at=as_text(sample.get("started_at")),
    )


def _state(sample: dict[str, Json]) -> tuple[State, str | None]:
    error = sample.get("error")
    if error is not None:
        message = as_text(as_object(error).get("message")) or str(error)
        if message.startswith("CancelledError"):
            return "CANCELLED", "cancelled"
        return "INVALID", crash_reason(message)
    limit = sample.get("limit")
    if limit is not None:
        kind = as_text(as_object(limit).get("type")) or ""
        return "FAILED", f"{kind}_limit" if kind.isascii() and kind.isalpha() and kind.islower() else "limit"
    return "COMPLETE", None


def _extra(sample: dict[str, Json], score: str | None, state: State) -> dict[str, Json]:
    """A run that stopped at a limit without a score was not passed; one whose scorer gave no number has no verdict."""
    scores = {
        name: score_value(as_object(given).get("value")) for name, given in as_object(sample.get("scores")).items()
    }
    verdict: dict[str, Json] = {}
    if score is not None and scores.get(score) is not None:
        verdict = {"reward": scores[score]}
    elif state == "FAILED":
        verdict = {"reward": None}
    others: dict[str, Json] = {name: value for name, value in scores.items() if name != score and value is not None}
    retries = len(as_list(sample.get("error_retries")))
    return verdict | drop_absent(
        scores=others or None,
        error_retries=retries or None,
        working_time_s=as_number(sample.get("working_time")),
    )


def _usage(sample: dict[str, Json], model: str | None) -> Usage | None:
    """Of the model under test: graders are other models, or the same one counted with it. Some providers count
    reasoning within the output and some beside it; here it is part of what the model wrote."""
    by_model = as_object(sample.get("model_usage"))
    used = as_object(by_model.get(model or ""))
    prompt, completion = as_count(used.get("input_tokens")), as_count(used.get("output_tokens"))
    if prompt is None and completion is None:
        return None
    if reasons_apart(used):
        completion = (completion or 0) + (as_count(used.get("reasoning_tokens")) or 0)
    cached = any(as_object(event).get("cache") == "read" for event in as_list(sample.get("events")))
    return Usage(prompt_tokens=prompt, completion_tokens=completion, cached=cached)


def _timing(sample: dict[str, Json]) -> Timing | None:
    seconds = as_number(sample.get("total_time"))
    return None if seconds is None or seconds < 0 else Timing(duration_ms=round(seconds * 1000, 3))


def _system_prompt(run: HarnessRun) -> str | None:
    entries = run.context.entries if run.context is not None else []
    return next((entry.text for entry in entries if entry.region == "instruction"), None)


def _recognises(beginning: Beginning) -> bool:
    if beginning.kind == "zip":
        return bool({"header.json", "_journal/start.json"} & set(beginning.entries))
    return beginning.has("eval.task", "eval.model")


IMPORTER = Importer(
    harness=HARNESS,
    recognises=_recognises,
    read=each_file(_read),
    load=_load,
    suffixes=(".eval", ".json"),
    passes=(*GENERATE.keys, *TASK_ARGUMENTS.keys, *MODEL_ARGUMENTS.keys),
    feeds={
        "outcome": part("where the task has a scorer whose value is right or wrong, or a number up to 1"),
        "endings": YES,
        "repeats": YES,
        "turns": YES,
        "tool_calls": YES,
        "tool_results": YES,
        "catalog": part("where the log keeps its model events and all samples had the same tools"),
        "answer": YES,
        "context": YES,
        "tokens": part("newer logs"),
        "cost": no("the logs hold no prices"),
        "duration": part("newer logs"),
        "headline": YES,
    },
)
