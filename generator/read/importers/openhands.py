"""OpenHands: `output.jsonl` of a benchmark, one instance a line; also the files of single instances beside it.

| recorded | becomes |
| --- | --- |
| `instance_id`; of a file of one instance its stem without `eval_` or `error_` | case |
| batch, file stem, `instance_id`, repeat | run id |
| place among the lines of that instance | repeat |
| `error`, `test_result.error` | INVALID; FAILED where the agent ran out of iterations or went in circles |
| `test_result.final_score` | `extra.reward`, result over total; 0 of 0 is no reward, and not a pass |
| `test_result.resolved`, `report.resolved` | `extra.passed` |
| `history` of actions and observations | calls of the model, tool calls, answer |
| `metrics` | tokens and cost |
| `metadata.llm.model`, `dataset`, `dataset_split`, `max_iterations`, a short list of `llm` | configuration |
| `instance`, `instruction`, `traceback`, every other launch argument | never written |
"""

import re

from generator.errors import Finding, Place
from generator.model.base import Json
from generator.model.imported import ImportOptions
from generator.model.runs import State, Usage
from generator.model.words import kind_of
from generator.read.importers.arguments import Allowed, withheld_note
from generator.read.importers.beginning import Beginning
from generator.read.importers.capabilities import YES, no, part
from generator.read.importers.dates import first_day
from generator.read.importers.files import ForeignFile, load_json_or_lines, visible
from generator.read.importers.harness import Harness, HarnessFile, HarnessRun, crash_reason, missing, wrong_format
from generator.read.importers.importer import Importer, each_file
from generator.read.importers.openhands_history import record_history
from generator.read.importers.repeats import Repeats
from generator.read.importers.values import as_count, as_id, as_list, as_number, as_object, as_text, drop_absent

HARNESS = Harness("openhands", "OpenHands")
LLM = Allowed(
    numbers=("temperature", "top_p", "top_k", "max_output_tokens", "max_input_tokens", "num_retries", "seed"),
    choices={"reasoning_effort": ("none", "minimal", "low", "medium", "high", "xhigh")},
)
_SHAPE = "lines with instance_id and test_result or error, or the result of one instance"
_SINGLE = ("eval_", "error_")
_GAVE_UP = re.compile(r"maximum iteration|max.?iterations|stuck in a loop|AgentStuck", re.IGNORECASE)


def _read(file: ForeignFile, options: ImportOptions) -> tuple[HarnessFile | None, list[Finding]]:
    rows = file.value if isinstance(file.value, list) else [_single(file)]
    if not rows or not all({"test_result", "error", "history"} & as_object(row).keys() for row in rows):
        return None, [wrong_format(file.name, _SHAPE, kind_of(file.value))]
    findings: list[Finding] = []
    runs: list[HarnessRun] = []
    repeats = Repeats()
    for index, row in enumerate(map(as_object, rows)):
        case = as_id(row.get("instance_id"))
        if case is None:
            findings.append(missing(file.name, f"[{index}].instance_id", "the instance's id"))
        else:
            runs.append(_run(file, options, index, case, repeats.index(case), row))
    metadata = as_object(as_object(rows[0]).get("metadata"))
    llm = as_object(metadata.get("llm")) or as_object(metadata.get("llm_config"))
    model = as_text(llm.get("model"))
    settings = {key: value for key, value in llm.items() if key != "model"}
    stamps = [as_object(event).get("timestamp") for row in rows for event in as_list(as_object(row).get("history"))]
    read = HarnessFile(
        source=file.source,
        effective=drop_absent(
            harness=HARNESS.id,
            model=model,
            agent=as_text(metadata.get("agent_class")),
            sampling=LLM.passed(settings) or None,
            dataset=as_text(metadata.get("dataset")),
            dataset_split=as_text(metadata.get("dataset_split")),
            limits=drop_absent(max_iterations=as_count(metadata.get("max_iterations"))) or None,
        ),
        label=model or visible(file.path.stem),
        domain=None,
        model=model,
        runs=runs,
        date=first_day(stamps),
        notes=withheld_note(file.name, LLM.withheld(settings)),
    )
    return read, findings


def _single(file: ForeignFile) -> Json:
    """The result of one instance names it in its own name alone."""
    content = as_object(file.value)
    if "instance_id" in content or not {"final_score", "error"} & content.keys():
        return file.value
    stem = visible(file.path.stem)
    for prefix in _SINGLE:
        stem = stem.removeprefix(prefix)
    return {"instance_id": stem, "test_result": content}


def _run(
    file: ForeignFile, options: ImportOptions, index: int, case: str, repeat: int, row: dict[str, Json]
) -> HarnessRun:
    result = as_object(row.get("test_result"))
    state, reason = _state(row, result)
    talk = record_history(as_list(row.get("history"))) if "history" in row else None
    return HarnessRun(
        place=Place(file.name, field=f"[{index}]"),
        run_id=f"{options.batch}/{visible(file.path.stem)}/{case}/{repeat}",
        case_id=case,
        repeat_index=repeat,
        state=state,
        reason=reason,
        mode="autonomous",
        context=None if talk is None else talk.context,
        trace=None if talk is None else talk.trace,
        answer=None if talk is None else talk.answer,
        extra=_verdict(row, result),
        usage=_usage(as_object(row.get("metrics"))),
    )


def _state(row: dict[str, Json], result: dict[str, Json]) -> tuple[State, str | None]:
    error = as_text(row.get("error")) or as_text(result.get("error"))
    if error is None:
        return "COMPLETE", None
    return ("FAILED", "max_steps") if _GAVE_UP.search(error) else ("INVALID", crash_reason(error))


def _verdict(row: dict[str, Json], result: dict[str, Json]) -> dict[str, Json]:
    """Nothing of nothing is not a pass: the instance was not graded."""
    score = as_object(result.get("final_score"))
    total, points = as_number(score.get("total")), as_number(score.get("result"))
    if total is not None and points is not None:
        return {"reward": points / total if total > 0 else None}
    resolved = [as_object(part).get("resolved") for part in (result, result.get("report"), row.get("report"))]
    passed = next((value for value in resolved if isinstance(value, bool)), None)
    return {} if passed is None else {"passed": passed}


def _usage(metrics: dict[str, Json]) -> Usage | None:
    used, cost = as_object(metrics.get("accumulated_token_usage")), as_number(metrics.get("accumulated_cost"))
    prompt, completion = as_count(used.get("prompt_tokens")), as_count(used.get("completion_tokens"))
    if not prompt and not completion and not cost:
        return None
    return Usage(prompt_tokens=prompt, completion_tokens=completion, cost_usd=cost)


def _recognises(beginning: Beginning) -> bool:
    if beginning.has("instance_id") and beginning.paths & {"test_result", "history", "traceback"}:
        return True
    return beginning.has("final_score", "checkpoints")


IMPORTER = Importer(
    harness=HARNESS,
    recognises=_recognises,
    read=each_file(_read),
    load=load_json_or_lines,
    suffixes=(".jsonl", ".json"),
    passes=("model", *LLM.keys),
    feeds={
        "outcome": part("where the benchmark gives a final score, or says that an instance is resolved"),
        "endings": YES,
        "repeats": part("where an instance stands several times in a file"),
        "turns": YES,
        "tool_calls": YES,
        "tool_results": YES,
        "catalog": no("not recorded"),
        "answer": part("where the agent says something at its end"),
        "context": part("messages alone; the instruction is a task of the benchmark"),
        "tokens": part("where `metrics` is recorded"),
        "cost": part("where `metrics` is recorded"),
        "duration": no("not recorded"),
        "headline": no("it stands in a report of the benchmark"),
    },
)
