"""lm-evaluation-harness: `results_*.json` with `samples_*.jsonl` of the same time beside it (`--log_samples`).

| recorded | becomes |
| --- | --- |
| name of the samples file, `doc_id`, `filter` | case `<task>/<doc_id>`, with the filter where there is one |
| batch, file stem, `doc_id`, `filter` | run id |
| several results of one configuration | repeats, in the order of their time |
| `model_name`, `config`, `configs`, `n-shot` | configuration; of `model_args` and `gen_kwargs` a short list |
| the main metric's column of a row | `extra.reward`; every column in `extra.scores` |
| `filtered_resps`, `arguments` | answer, context |
| `results[task]["<metric>,<filter>"]` | the harness's own headline, where there is one task and filter |
| `n-samples` | the count of the headline |
| `doc`, `target`, prompts of the task, `pretty_env_info` | never written |
"""

import re
from collections import defaultdict
from dataclasses import replace
from pathlib import Path

from generator.errors import Finding, Place
from generator.model.base import Json
from generator.model.imported import ImportOptions
from generator.model.rules import finding
from generator.model.runs import Context
from generator.model.words import kind_of
from generator.read.importers.beginning import Beginning
from generator.read.importers.capabilities import YES, no, part
from generator.read.importers.conversation import Conversation
from generator.read.importers.files import ForeignFile, load_json_or_lines, visible
from generator.read.importers.harness import Harness, HarnessFile, HarnessRun, missing, wrong_format
from generator.read.importers.importer import Importer, ReadResult
from generator.read.importers.lm_eval_config import (
    GENERATION,
    MODEL_ARGUMENTS,
    effective_config,
    executed_on,
    model_name,
    notes_of,
    withheld_arguments,
)
from generator.read.importers.lm_eval_metrics import main_metric, reported
from generator.read.importers.values import as_id, as_list, as_number, as_object, as_text

HARNESS = Harness("lm-eval", "lm-evaluation-harness")
_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d(?:\.\d+)?$")
_SAMPLES = "samples_"
_SHAPE = "an object with results and config, or lines of samples with doc_id"


def _time(path: Path) -> str | None:
    match = _TIME.search(path.stem)
    return match[0] if match is not None else None


def _companions(path: Path) -> list[Path]:
    """Results and samples of one evaluation stand in one folder and end in the same time."""
    time = _time(path)
    if time is None or not path.parent.is_dir():
        return []
    beside = sorted(path.parent.glob(f"*{time}.json*"))
    return [found for found in beside if found != path and found.suffix in (".json", ".jsonl")]


def _read(foreign: list[ForeignFile], options: ImportOptions) -> ReadResult:
    heads, samples, findings = _sorted(foreign)
    files: list[HarnessFile] = []
    for head in heads:
        mine = samples.pop((head.path.parent, _time(head.path)), [])
        if not mine:
            findings.append(_aggregates_alone(head))
            continue
        made, problems = _evaluation(head, mine, options)
        findings += problems
        files.append(made)
    findings += [_without_results(file) for left in samples.values() for file in left]
    return _as_repeats(files), findings


_Samples = dict[tuple[Path, str | None], list[ForeignFile]]


def _sorted(foreign: list[ForeignFile]) -> tuple[list[ForeignFile], _Samples, list[Finding]]:
    heads: list[ForeignFile] = []
    samples: _Samples = defaultdict(list)
    findings: list[Finding] = []
    for file in foreign:
        if isinstance(file.value, dict) and isinstance(file.value.get("results"), dict):
            heads.append(file)
        elif _rows(file):
            samples[file.path.parent, _time(file.path)].append(file)
        else:
            found = "an object without results" if isinstance(file.value, dict) else kind_of(file.value)
            findings.append(wrong_format(file.name, _SHAPE, found))
    return heads, samples, findings


def _rows(file: ForeignFile) -> list[dict[str, Json]]:
    content = file.value if isinstance(file.value, list) else [file.value]
    rows = [as_object(row) for row in content]
    return rows if all("doc_id" in row for row in rows) else []


def _evaluation(
    head: ForeignFile, samples: list[ForeignFile], options: ImportOptions
) -> tuple[HarnessFile, list[Finding]]:
    content = as_object(head.value)
    findings: list[Finding] = []
    runs: list[HarnessRun] = []
    tasks: dict[str, Json] = {}
    scored: list[tuple[str, str | None, list[dict[str, Json]]]] = []
    for file in samples:
        rows, task = _rows(file), _task(file)
        metric = main_metric(rows)
        scored.append((task, metric, rows))
        for index, row in enumerate(rows):
            run = _run(file, f"{options.batch}/{visible(file.path.stem)}", task, index, row, metric)
            if isinstance(run, Finding):
                findings.append(run)
            else:
                runs.append(run)
                tasks.setdefault(run.case_id, as_text(row.get("doc_hash")))
    model = model_name(content)
    read = HarnessFile(
        source=head.source,
        others=[file.source for file in samples],
        effective=effective_config(content, [task for task, _, _ in scored]),
        label=model or head.path.stem,
        domain=scored[0][0] if len(scored) == 1 else None,
        model=model,
        runs=runs,
        tasks=tasks,
        revision=as_text(content.get("git_hash")),
        date=executed_on(content),
        notes=notes_of(head.name, withheld_arguments(content), [(task, metric) for task, metric, _ in scored]),
        reported=reported(content, scored),
    )
    return read, findings


def _task(file: ForeignFile) -> str:
    stem = _TIME.sub("", visible(file.path.stem)).rstrip("_")
    return stem.removeprefix(_SAMPLES) or stem


def _run(
    file: ForeignFile, prefix: str, task: str, index: int, row: dict[str, Json], metric: str | None
) -> HarnessRun | Finding:
    doc = as_id(row.get("doc_id"))
    if doc is None:
        return missing(file.name, f"[{index}].doc_id", "the document's id")
    chosen = as_text(row.get("filter")) or "none"
    case = f"{task}/{doc}" if chosen == "none" else f"{task}/{doc}/{chosen}"
    talk = Conversation()
    talk.hear(_prompt(row.get("arguments")))
    value = as_number(row.get(metric)) if metric is not None else None
    columns = {str(name): as_number(row.get(str(name))) for name in as_list(row.get("metrics"))}
    scores: dict[str, Json] = {name: score for name, score in columns.items() if score is not None}
    return HarnessRun(
        place=Place(file.name, field=f"[{index}]"),
        run_id=f"{prefix}/{doc}/{chosen}",
        case_id=case,
        repeat_index=0,
        state="COMPLETE",
        reason=None,
        mode="autonomous",
        context=Context(entries=talk.entries) if talk.entries else None,
        trace=None,
        answer=_answer(row.get("filtered_resps")),
        extra=({"reward": value} if value is not None else {}) | ({"scores": scores} if scores else {}),
    )


def _prompt(arguments: Json) -> str | None:
    """What the model was given: the first argument of the first request. Of a comparison of likelihoods the second one
    would be the choices, and with them the gold."""
    if isinstance(arguments, dict):
        return as_text(as_object(arguments.get("gen_args_0")).get("arg_0"))
    first = as_list(arguments)[:1]
    return as_text(next(iter(as_list(first[0])), None)) if first else None


def _answer(responses: Json) -> str | None:
    """A generated text; likelihoods are none."""
    first = next(iter(as_list(responses)), None)
    return as_text(next(iter(first), None)) if isinstance(first, list) else as_text(first)


def _as_repeats(files: list[HarnessFile]) -> list[HarnessFile]:
    """Evaluations of one configuration at several times are repeats of it; the harness itself has no index."""
    seen: dict[str, int] = defaultdict(int)
    placed: dict[int, int] = {}
    for index in sorted(range(len(files)), key=lambda index: _TIME.findall(Path(files[index].source.name).stem)):
        key = repr(files[index].effective)
        placed[index] = seen[key]
        seen[key] += 1
    return [
        replace(file, runs=[replace(run, repeat_index=placed[index]) for run in file.runs])
        for index, file in enumerate(files)
    ]


def _aggregates_alone(head: ForeignFile) -> Finding:
    remedy = "run the evaluation with --log_samples, and keep samples_*.jsonl beside the results"
    found = "none: the file holds aggregates alone, and no samples of its time stand beside it"
    return finding("RC507", Place(head.name), "at least one run", found, remedy)


def _without_results(file: ForeignFile) -> Finding:
    expected = "samples with the results of the same time"
    return wrong_format(file.name, expected, "samples alone, which do not say what was evaluated")


def _recognises(beginning: Beginning) -> bool:
    if beginning.has("doc_id") and beginning.paths & {"filtered_resps", "doc_hash", "resps"}:
        return True
    return beginning.has("results") and bool({"group_subtasks", "n-shot", "higher_is_better"} & beginning.paths)


IMPORTER = Importer(
    harness=HARNESS,
    recognises=_recognises,
    read=_read,
    load=load_json_or_lines,
    companions=_companions,
    suffixes=(".json", ".jsonl"),
    passes=(*MODEL_ARGUMENTS.keys, *GENERATION.keys),
    feeds={
        "outcome": part("where a metric of the task is 0 or 1 for each document, or a part of 1"),
        "endings": no("a document that failed is not recorded"),
        "repeats": part("several evaluations of one configuration; within one there is no index"),
        "turns": no("requests are recorded as one set for each document"),
        "tool_calls": no("the harness has no tools"),
        "tool_results": no("the harness has no tools"),
        "catalog": no("the harness has no tools"),
        "answer": part("for generated texts; likelihoods are no answer"),
        "context": YES,
        "tokens": no("not recorded for each document"),
        "cost": no("not recorded"),
        "duration": no("recorded for the whole evaluation alone"),
        "headline": part("where there is one task and one filter"),
    },
)
