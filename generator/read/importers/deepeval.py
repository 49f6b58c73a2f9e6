"""DeepEval: one test run a file, `{testCases, hyperparameters, testPassed, testFailed}`.

| recorded | becomes |
| --- | --- |
| `name`, which may repeat; without one a hash of `input` | case |
| `metadata.repeat`, else the place among the test cases of that name | repeat |
| batch, file stem, place in the list | run id |
| `success` | COMPLETE, `extra.passed` |
| `metricsData[].error` where no other metric failed | INVALID: the judge failed, not the agent |
| `input`, `actualOutput`, `toolsCalled` | context, answer, tool calls |
| `completionTime` (s), `tokenCost` (USD) | duration, cost |
| `metricsData[].score` by name | `extra.scores` |
| `hyperparameters.model`, and a short list | configuration |
| `testPassed`, `testFailed` | the harness's own headline |
| `expectedOutput`, `expectedTools`, `context`, `retrievalContext`, `metricsData[].reason` | never written |
"""

import hashlib

from generator.errors import Finding, Place
from generator.model.base import Json
from generator.model.batches import DifferenceReason
from generator.model.imported import ImportOptions
from generator.model.runs import ModelTurn, State, Timing, ToolCall, Usage
from generator.model.words import kind_of
from generator.read.importers.arguments import SAMPLING, withheld_note
from generator.read.importers.beginning import Beginning
from generator.read.importers.capabilities import YES, no, part
from generator.read.importers.conversation import Conversation
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
from generator.read.importers.repeats import Repeats
from generator.read.importers.values import as_count, as_id, as_list, as_number, as_object, as_text, drop_absent

HARNESS = Harness("deepeval", "DeepEval")
_SHAPE = "an object with testCases (a list), as DeepEval writes a test run"
_PER_SECOND = 1000


def _read(file: ForeignFile, options: ImportOptions) -> tuple[HarnessFile | None, list[Finding]]:
    content = as_object(file.value)
    cases = content.get("testCases")
    if not isinstance(cases, list) or not all(isinstance(case, dict) for case in cases):
        found = "an object without testCases" if content else kind_of(file.value)
        return None, [wrong_format(file.name, _SHAPE, found)]
    findings: list[Finding] = []
    runs: list[HarnessRun] = []
    repeats = Repeats()
    for index, item in enumerate(cases):
        run = _run(file, options, index, as_object(item), repeats)
        if isinstance(run, Finding):
            findings.append(run)
        else:
            runs.append(run)
    given = as_object(content.get("hyperparameters"))
    model = as_text(given.get("model"))
    rest = {key: value for key, value in given.items() if key != "model"}
    read = HarnessFile(
        source=file.source,
        effective=drop_absent(harness=HARNESS.id, model=model, sampling=SAMPLING.passed(rest) or None),
        label=model or visible(file.path.stem),
        domain=None,
        model=model,
        runs=runs,
        notes=withheld_note(file.name, SAMPLING.withheld(rest)),
        reported=_headline(content, runs),
    )
    return read, findings


def _run(
    file: ForeignFile, options: ImportOptions, index: int, content: dict[str, Json], repeats: Repeats
) -> HarnessRun | Finding:
    case = as_id(content.get("name")) or _hashed(content.get("input"))
    if case is None:
        return missing(file.name, f"testCases[{index}].name", "a name or an input")
    state, reason = _state(content)
    talk = Conversation()
    talk.hear(as_text(content.get("input")))
    passed, cost = content.get("success"), as_number(content.get("tokenCost"))
    seconds = as_number(content.get("completionTime"))
    return HarnessRun(
        place=Place(file.name, field=f"testCases[{index}]"),
        run_id=f"{options.batch}/{visible(file.path.stem)}/{index}",
        case_id=case,
        repeat_index=repeats.index(case, as_object(content.get("metadata")).get("repeat")),
        state=state,
        reason=reason,
        mode="autonomous",
        context=talk.context,
        trace=_trace(content.get("toolsCalled")),
        answer=as_text(content.get("actualOutput")),
        extra=drop_absent(passed=passed if isinstance(passed, bool) else None, scores=_scores(content) or None),
        usage=None if cost is None or cost < 0 else Usage(cost_usd=cost),
        timing=None if seconds is None or seconds < 0 else Timing(duration_ms=seconds * _PER_SECOND),
    )


def _hashed(value: Json) -> str | None:
    text = as_text(value)
    return None if text is None else "input " + hashlib.sha256(text.encode()).hexdigest()[:12]


def _state(content: dict[str, Json]) -> tuple[State, str | None]:
    """A metric that failed decides whatever its neighbour would have said; one that broke decides nothing."""
    metrics = [as_object(metric) for metric in as_list(content.get("metricsData"))]
    broken = [text for metric in metrics if (text := as_text(metric.get("error"))) is not None]
    failed = any(metric.get("success") is False and as_text(metric.get("error")) is None for metric in metrics)
    return ("INVALID", crash_reason(broken[0])) if broken and not failed else ("COMPLETE", None)


def _scores(content: dict[str, Json]) -> dict[str, Json]:
    scores: dict[str, Json] = {}
    for metric in map(as_object, as_list(content.get("metricsData"))):
        name, score = as_text(metric.get("name")), as_number(metric.get("score"))
        if name is not None and score is not None:
            scores[name] = score
    return scores


def _trace(called: Json) -> list[ModelTurn | ToolCall] | None:
    """An empty list says that no tool was called; how often a model was called is not recorded."""
    if not isinstance(called, list):
        return None
    calls: list[ModelTurn | ToolCall] = []
    for tool in map(as_object, called):
        name = as_text(tool.get("name"))
        if name is not None:
            calls.append(ToolCall(tool=name, arguments=tool.get("inputParameters"), result=tool.get("output")))
    return calls or None


def _headline(content: dict[str, Json], runs: list[HarnessRun]) -> list[Reported]:
    """The harness counts a test case whose judge failed as failed."""
    passed, failed = as_count(content.get("testPassed")), as_count(content.get("testFailed"))
    if passed is None or failed is None or passed + failed == 0:
        return []
    reasons: list[DifferenceReason] = ["other_runs"] if passed + failed != len(runs) else []
    if any(run.state == "INVALID" for run in runs):
        reasons.append("errors_counted")
    return [
        Reported(
            name="testPassed",
            value=passed / (passed + failed),
            numerator=passed,
            denominator=passed + failed,
            reasons=reasons,
        )
    ]


def _recognises(beginning: Beginning) -> bool:
    return beginning.has("testCases[].metricsData") or beginning.has("testCases", "hyperparameters")


IMPORTER = Importer(
    harness=HARNESS,
    recognises=_recognises,
    read=each_file(_read),
    dated=False,
    passes=("model", *SAMPLING.keys),
    feeds={
        "outcome": YES,
        "endings": part("a judge that broke is told from a miss; a crash of the agent is not recorded"),
        "repeats": part("where a name repeats in the file, or `metadata.repeat` numbers it"),
        "turns": no("a test case is one call, whatever it does inside"),
        "tool_calls": part("where the test case names `toolsCalled`"),
        "tool_results": part("where `toolsCalled` holds outputs"),
        "catalog": no("not recorded"),
        "answer": YES,
        "context": part("the input alone"),
        "tokens": no("a cost alone"),
        "cost": part("where the test case says it"),
        "duration": part("where the test case says it"),
        "headline": YES,
    },
)
