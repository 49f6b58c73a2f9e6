"""Every Eval Ever, schema 0.2: instance-level JSON Lines, with the aggregate JSON that they belong to.

| recorded | becomes |
| --- | --- |
| `sample_id`, behind `evaluation_name` where a file has several | case |
| `metadata.repeat_index`, else the place among the lines of that cell | repeat |
| `metadata.run_id`, else batch, file stem and line, behind the batch | run id |
| `model_id`, `metadata.variant`, sampling of the aggregate | configuration, under `target` |
| `evaluation_name` | configuration |
| `evaluation.is_correct`, `evaluation.score` | `extra.passed`, `extra.score` |
| `error` | INVALID, unless `metadata.state` says FAILED |
| `input.raw`, `output.raw`, `messages` | context, answer, calls of the model and of tools |
| `token_usage`, `performance.latency_ms` | tokens and duration |
| `score_details.score` of an aggregate with binary scores | the harness's own headline |
| `input.reference`, `input.choices`, `answer_attribution`, reasoning traces, every other `metadata` | never written |
"""

import datetime
import re
from collections import defaultdict
from pathlib import Path

from generator.errors import Finding, Place
from generator.model.base import Json
from generator.model.imported import ImportOptions
from generator.model.rules import finding
from generator.model.runs import State, Timing, Usage
from generator.model.words import kind_of
from generator.read.importers.arguments import SAMPLING
from generator.read.importers.beginning import Beginning
from generator.read.importers.capabilities import YES, no, part
from generator.read.importers.dates import day_of
from generator.read.importers.every_eval_ever_messages import conversation_of
from generator.read.importers.files import ForeignFile, load_json_or_lines, visible
from generator.read.importers.harness import (
    Harness,
    HarnessFile,
    HarnessRun,
    Reported,
    crash_reason,
    missing,
    wrong_format,
)
from generator.read.importers.importer import Importer, ReadResult
from generator.read.importers.repeats import Repeats
from generator.read.importers.values import as_count, as_id, as_list, as_number, as_object, as_text, drop_absent

HARNESS = Harness("every-eval-ever", "Every Eval Ever")
_SHAPE = "lines with evaluation_id and sample_id, or an aggregate with evaluation_results"
_REASON = re.compile(r"[a-z][a-z0-9_]{0,63}")
_ENDINGS = ("_samples", "_instances", "_instance_level_eval_results")


def _companions(path: Path) -> list[Path]:
    """An aggregate and its instances stand in one folder, and their names begin with the same stem."""
    if path.suffix == ".json":
        return [found for found in sorted(path.parent.glob("*.jsonl")) if _stem(found) == path.stem]
    aggregate = path.with_name(f"{_stem(path)}.json")
    return [aggregate] if aggregate.is_file() else []


def _stem(path: Path) -> str:
    return next((path.stem.removesuffix(end) for end in _ENDINGS if path.stem.endswith(end)), path.stem)


def _read(foreign: list[ForeignFile], options: ImportOptions) -> ReadResult:
    aggregates: dict[str, ForeignFile] = {}
    lines: list[tuple[ForeignFile, list[dict[str, Json]]]] = []
    findings: list[Finding] = []
    for file in foreign:
        rows = [as_object(row) for row in (file.value if isinstance(file.value, list) else [file.value])]
        name = as_text(rows[0].get("evaluation_id")) if rows else None
        if name is not None and "evaluation_results" in rows[0]:
            aggregates[name] = file
        elif rows and all("sample_id" in row and "evaluation" in row for row in rows):
            lines.append((file, rows))
        else:
            findings.append(wrong_format(file.name, _SHAPE, kind_of(file.value)))
    files: list[HarnessFile] = []
    for file, rows in lines:
        made, problems = _targets(file, rows, aggregates, options)
        files += made
        findings += problems
    used = {as_text(row.get("evaluation_id")) for _, rows in lines for row in rows}
    findings += [_aggregates_alone(file) for name, file in aggregates.items() if name not in used]
    return files, findings


_Target = tuple[str | None, str | None, str | None]
"""Evaluation, model, variant."""


def _targets(
    file: ForeignFile, rows: list[dict[str, Json]], aggregates: dict[str, ForeignFile], options: ImportOptions
) -> ReadResult:
    several = len({as_text(row.get("evaluation_name")) for row in rows}) > 1
    runs: dict[_Target, list[HarnessRun]] = defaultdict(list)
    findings: list[Finding] = []
    repeats = Repeats()
    for index, row in enumerate(rows):
        metadata = as_object(row.get("metadata"))
        sample, name = as_id(row.get("sample_id")), as_text(row.get("evaluation_name"))
        if sample is None:
            findings.append(missing(file.name, f"[{index}].sample_id", "the sample's id"))
            continue
        case = f"{name}/{sample}" if several and name is not None else sample
        target = (as_text(row.get("evaluation_id")), as_text(row.get("model_id")), as_text(metadata.get("variant")))
        repeat = repeats.index((target, case), metadata.get("repeat_index"))
        own = as_text(metadata.get("run_id")) or f"{visible(file.path.stem)}/{index}"
        runs[target].append(_run(Place(file.name, field=f"[{index}]"), f"{options.batch}/{own}", case, repeat, row))
    made = [_file(file, aggregates.get(target[0] or ""), target, mine, rows) for target, mine in runs.items()]
    return made, findings


def _file(
    file: ForeignFile,
    aggregate: ForeignFile | None,
    target: _Target,
    runs: list[HarnessRun],
    rows: list[dict[str, Json]],
) -> HarnessFile:
    _, model, variant = target
    head = as_object(aggregate.value) if aggregate is not None else {}
    results = [as_object(result) for result in as_list(head.get("evaluation_results"))]
    given = [as_object(as_object(result.get("generation_config")).get("generation_args")) for result in results[:1]]
    names = sorted({name for row in rows if (name := as_text(row.get("evaluation_name"))) is not None})
    return HarnessFile(
        source=file.source,
        others=[] if aggregate is None else [aggregate.source],
        effective={
            "harness": HARNESS.id,
            "evaluation": ", ".join(names),
            "target": drop_absent(
                name=variant, model=model, sampling=SAMPLING.passed(given[0]) or None if given else None
            ),
        },
        label=variant or model or file.path.stem,
        domain=names[0] if len(names) == 1 else None,
        model=model,
        runs=runs,
        date=_day(head.get("evaluation_timestamp")) or _day(head.get("retrieved_timestamp")),
        reported=_headlines(results, runs),
    )


def _run(place: Place, run_id: str, case: str, repeat: int, row: dict[str, Json]) -> HarnessRun:
    state, reason = _state(row)
    evaluation = as_object(row.get("evaluation"))
    correct = evaluation.get("is_correct")
    talk = conversation_of(row)
    used = as_object(row.get("token_usage"))
    prompt, completion = as_count(used.get("input_tokens")), as_count(used.get("output_tokens"))
    usage = Usage(prompt_tokens=prompt, completion_tokens=completion)
    latency = as_number(as_object(row.get("performance")).get("latency_ms"))
    return HarnessRun(
        place=place,
        run_id=run_id,
        case_id=case,
        repeat_index=repeat,
        state=state,
        reason=reason,
        mode="autonomous",
        context=talk.context if talk.entries else None,
        trace=talk.trace or None,
        answer=talk.answer,
        extra=drop_absent(
            passed=correct if isinstance(correct, bool) else None, score=as_number(evaluation.get("score"))
        ),
        usage=None if usage == Usage() else usage,
        timing=None if latency is None or latency < 0 else Timing(duration_ms=latency),
    )


def _state(row: dict[str, Json]) -> tuple[State, str | None]:
    """The schema knows an error alone; what our own export adds tells a failure of the agent from a crash."""
    metadata = as_object(row.get("metadata"))
    reason = as_text(metadata.get("reason"))
    if metadata.get("state") == "FAILED" and reason is not None and _REASON.fullmatch(reason):
        return "FAILED", reason
    error = as_text(row.get("error"))
    return ("COMPLETE", None) if error is None else ("INVALID", crash_reason(error))


def _headlines(results: list[dict[str, Json]], runs: list[HarnessRun]) -> list[Reported]:
    """Where scores are binary and more is better, the aggregate is a rate of passes."""
    found = []
    for result in results if len(results) == 1 else []:
        metric, score = (
            as_object(result.get("metric_config")),
            as_number(as_object(result.get("score_details")).get("score")),
        )
        if metric.get("score_type") == "binary" and metric.get("lower_is_better") is False and score is not None:
            crashed = any(run.state == "INVALID" for run in runs)
            name = as_text(result.get("evaluation_name")) or "score"
            found.append(Reported(name=name, value=score, reasons=["errors_counted"] if crashed else []))
    return found


def _day(stamp: Json) -> datetime.date | None:
    """ISO 8601, or seconds since 1970 as a text."""
    try:
        seconds = float(as_text(stamp) or "")
        return datetime.datetime.fromtimestamp(seconds, datetime.UTC).date()
    except (ValueError, OverflowError, OSError):
        return day_of(stamp)


def _aggregates_alone(file: ForeignFile) -> Finding:
    found = "none: the file holds aggregates alone, and no instances of them were named"
    remedy = "name the instance-level JSON Lines that the aggregate refers to as well"
    return finding("RC507", Place(file.name), "at least one run", found, remedy)


def _recognises(beginning: Beginning) -> bool:
    if beginning.has("evaluation_id", "sample_id"):
        return True
    return beginning.has("evaluation_id", "model_info") or beginning.has("evaluation_results", "eval_library")


IMPORTER = Importer(
    harness=HARNESS,
    recognises=_recognises,
    read=_read,
    load=load_json_or_lines,
    companions=_companions,
    suffixes=(".jsonl", ".json"),
    default_variant="target",
    passes=SAMPLING.keys,
    feeds={
        "outcome": YES,
        "endings": part("an error alone; files of our own export tell more"),
        "repeats": part("where a sample stands several times"),
        "turns": part("of interactions of several turns"),
        "tool_calls": part("of agentic interactions"),
        "tool_results": part("of agentic interactions"),
        "catalog": no("tools stand in the aggregate as a configuration, not by run"),
        "answer": YES,
        "context": YES,
        "tokens": part("where `token_usage` is recorded"),
        "cost": no("the schema has no cost"),
        "duration": part("where `performance` is recorded"),
        "headline": part("with the aggregate, where scores are binary"),
    },
)
