"""agentrial: one suite a file, `{version, timestamp, suite, summary, results: [{test_case, trials}]}`.

| recorded | becomes |
| --- | --- |
| `suite.name`, `suite.agent` | configuration, under `suite` |
| `test_case.name` | case |
| `trial_index`, from 0 | repeat |
| batch, file stem, case, `trial_index` | run id |
| `passed` | COMPLETE, `extra.passed` |
| a failure that begins with `Agent exception:` | INVALID; the harness says no more of it |
| `steps` of type `tool_call` | tool calls, without arguments and results |
| `duration_ms`, `cost` | duration, cost |
| `tokens` | `extra.total_tokens`: there is no division into prompt and completion |
| `summary.overall_pass_rate` | the harness's own headline |
| texts of `failures`, `failure_attribution` | never written: they quote what was expected |
"""

from generator.errors import Finding, Place
from generator.model.base import Json
from generator.model.imported import ImportOptions
from generator.model.runs import ModelTurn, State, Timing, ToolCall, Usage
from generator.model.words import kind_of
from generator.read.importers.beginning import Beginning
from generator.read.importers.capabilities import YES, no, part
from generator.read.importers.dates import day_of
from generator.read.importers.files import ForeignFile, visible
from generator.read.importers.harness import (
    Harness,
    HarnessFile,
    HarnessRun,
    Reported,
    crash_reason,
    missing,
    wrong_format,
)
from generator.read.importers.importer import Importer, each_file
from generator.read.importers.values import as_count, as_id, as_list, as_number, as_object, as_text, drop_absent

HARNESS = Harness("agentrial", "agentrial")
_CRASH = "Agent exception:"
_SHAPE = "an object with suite and results, each with a test_case and its trials"


def _read(file: ForeignFile, options: ImportOptions) -> tuple[HarnessFile | None, list[Finding]]:
    content = as_object(file.value)
    results = content.get("results")
    if not isinstance(results, list) or not all("trials" in as_object(result) for result in results):
        found = "an object without results of trials" if content else kind_of(file.value)
        return None, [wrong_format(file.name, _SHAPE, found)]
    suite = as_object(content.get("suite"))
    findings: list[Finding] = []
    runs: list[HarnessRun] = []
    tasks: dict[str, Json] = {}
    for position, item in enumerate(results):
        result = as_object(item)
        case = as_id(as_object(result.get("test_case")).get("name"))
        if case is None:
            findings.append(missing(file.name, f"results[{position}].test_case.name", "the name of the test case"))
            continue
        tasks[case] = None
        for place, trial in enumerate(as_list(result["trials"])):
            field = f"results[{position}].trials[{place}]"
            runs.append(_run(file, options, field, case, as_object(trial), place))
    name = as_text(suite.get("name"))
    read = HarnessFile(
        source=file.source,
        effective={"harness": HARNESS.id, "suite": drop_absent(name=name, agent=as_text(suite.get("agent")))},
        label=name or visible(file.path.stem),
        domain=None,
        model=None,
        runs=runs,
        tasks=tasks,
        repeats=as_count(suite.get("trials")),
        date=day_of(content.get("timestamp")),
        reported=_headline(as_object(content.get("summary")), runs),
    )
    return read, findings


def _run(
    file: ForeignFile, options: ImportOptions, field: str, case: str, trial: dict[str, Json], place: int
) -> HarnessRun:
    index = as_count(trial.get("trial_index"))
    repeat = place if index is None else index
    failures = [text for text in map(as_text, as_list(trial.get("failures"))) if text is not None]
    crash = next((text for text in failures if text.startswith(_CRASH)), None)
    state: State = "COMPLETE" if crash is None else "INVALID"
    passed, cost = trial.get("passed"), as_number(trial.get("cost"))
    duration = as_number(trial.get("duration_ms"))
    return HarnessRun(
        place=Place(file.name, field=field),
        run_id=f"{options.batch}/{visible(file.path.stem)}/{case}/{repeat}",
        case_id=case,
        repeat_index=repeat,
        state=state,
        reason=None if crash is None else crash_reason(crash),
        mode="autonomous",
        context=None,
        trace=_trace(as_list(trial.get("steps"))),
        answer=None,
        extra=drop_absent(
            passed=passed if isinstance(passed, bool) else None, total_tokens=as_count(trial.get("tokens"))
        ),
        usage=None if cost is None or cost < 0 else Usage(cost_usd=cost),
        timing=None if duration is None or duration < 0 else Timing(duration_ms=duration),
    )


def _trace(steps: list[Json]) -> list[ModelTurn | ToolCall] | None:
    """Steps of tools alone: how often a model was called is not recorded."""
    calls: list[ModelTurn | ToolCall] = []
    for step in map(as_object, steps):
        name = as_text(step.get("name"))
        if step.get("step_type") == "tool_call" and name is not None:
            calls.append(ToolCall(tool=name, duration_ms=as_number(step.get("duration_ms"))))
    return calls or None


def _headline(summary: dict[str, Json], runs: list[HarnessRun]) -> list[Reported]:
    """The harness counts crashed trials as not passed."""
    rate = as_number(summary.get("overall_pass_rate"))
    if rate is None or not runs:
        return []
    crashed = any(run.state == "INVALID" for run in runs)
    return [
        Reported(
            name="overall_pass_rate",
            value=rate,
            denominator=len(runs),
            reasons=["errors_counted"] if crashed else [],
        )
    ]


def _recognises(beginning: Beginning) -> bool:
    return beginning.has("suite.agent") or beginning.has("results[].test_case", "results[].trials")


IMPORTER = Importer(
    harness=HARNESS,
    recognises=_recognises,
    read=each_file(_read),
    default_variant="suite",
    feeds={
        "outcome": YES,
        "endings": part("an exception is told from a failed check; a stop at a limit is not"),
        "repeats": YES,
        "turns": no("steps of the agent are recorded, not calls of the model"),
        "tool_calls": part("names alone, without arguments"),
        "tool_results": no("not recorded"),
        "catalog": no("not recorded"),
        "answer": no("not recorded"),
        "context": no("not recorded"),
        "tokens": no("a total alone, without its division into prompt and completion"),
        "cost": YES,
        "duration": YES,
        "headline": YES,
    },
)
