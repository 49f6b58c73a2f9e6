"""OpenTelemetry GenAI spans: JSON Lines of the SDK (`span.to_json`), or OTLP JSON (`resourceSpans`).

The conventions know no evaluation: which case a trace is of stands in attributes that the caller sets, best on a span
around the run.

| recorded | becomes |
| --- | --- |
| trace id | run id |
| attribute `eval.case_id`, `eval.case.id` or `case_id` | case |
| attribute `eval.variant` or `variant`; `gen_ai.request.model` | configuration, under `target` |
| attribute `eval.repeat`, `eval.trial.index` or `repeat`, else the order of start | repeat |
| attribute `eval.passed`, else `eval.score` (1 is a pass) | `extra.passed`, `extra.reward` |
| status of the outermost span | COMPLETE; FAILED at a limit of steps; else INVALID |
| spans `chat`, `execute_tool` with their times and tokens | calls of the model, tool calls |
| `gen_ai.system_instructions`, `gen_ai.input.messages` | context |
| `gen_ai.output.messages` of the last call | answer |
| `gen_ai.tool.definitions` | names of the tools |
| duration of the outermost span | duration |
| any other attribute, resources, events but for the class of an exception, links | never written |
"""

from collections import defaultdict

from generator.errors import Finding, Place
from generator.model.base import Json
from generator.model.imported import ImportOptions
from generator.model.words import kind_of
from generator.read.importers.arguments import SAMPLING
from generator.read.importers.beginning import Beginning
from generator.read.importers.capabilities import YES, no, part
from generator.read.importers.dates import first_day
from generator.read.importers.files import ForeignFile, load_json_or_lines
from generator.read.importers.harness import Harness, HarnessFile, HarnessRun, missing, wrong_format
from generator.read.importers.importer import Importer, ReadResult
from generator.read.importers.otel_run import (
    CASE,
    PASSED,
    REPEAT,
    SCORE,
    VARIANT,
    Trace,
    answer_of,
    context_of,
    state_of,
    steps_of,
    timing_of,
    usage_of,
    verdict_of,
)
from generator.read.importers.otel_spans import Span, spans_of
from generator.read.importers.repeats import Repeats
from generator.read.importers.values import as_id, drop_absent

HARNESS = Harness("otel-genai", "OpenTelemetry GenAI")
_SHAPE = "spans: an object with resourceSpans, or lines with context.trace_id"
_REQUEST = "gen_ai.request."


def _read(foreign: list[ForeignFile], options: ImportOptions) -> ReadResult:
    """A trace may be spread over several files; it stands with the first of them."""
    findings: list[Finding] = []
    traces: dict[str, list[Span]] = defaultdict(list)
    origin: dict[str, ForeignFile] = {}
    for file in foreign:
        spans = spans_of(file.value)
        if spans is None:
            found = "an object without spans" if isinstance(file.value, dict) else kind_of(file.value)
            findings.append(wrong_format(file.name, _SHAPE, found))
            continue
        for span in spans:
            if span.trace is None:
                findings.append(missing(file.name, f"{span.place}.trace_id", "a trace id in hexadecimal or base64"))
            else:
                traces[span.trace].append(span)
                origin.setdefault(span.trace, file)
    if findings:
        return [], findings
    ordered = [Trace(trace, sorted(spans, key=_start)) for trace, spans in traces.items()]
    files, problems = _targets(sorted(ordered, key=lambda trace: _start(trace.root)), origin)
    return files, problems


def _start(span: Span) -> tuple[bool, int]:
    return span.start_ns is None, span.start_ns or 0


def _targets(traces: list[Trace], origin: dict[str, ForeignFile]) -> ReadResult:
    """One of each file and target."""
    findings: list[Finding] = []
    runs: dict[tuple[str, str | None, str | None], list[HarnessRun]] = defaultdict(list)
    first: dict[tuple[str, str | None, str | None], Trace] = {}
    repeats = Repeats()
    for trace in traces:
        file = origin[trace.id]
        case, variant = as_id(trace.named(CASE)), as_id(trace.named(VARIANT))
        if case is None:
            findings.append(_without_case(file, trace))
            continue
        key = (file.name, variant, trace.model)
        first.setdefault(key, trace)
        index = repeats.index((variant, trace.model, case), trace.named(REPEAT))
        runs[key].append(_run(file, trace, case, index))
    files = [
        HarnessFile(
            source=origin[first[key].id].source,
            effective=_effective(first[key], variant, model),
            label=variant or model or name,
            domain=None,
            model=model,
            runs=mine,
            catalog=first[key].catalog,
            date=first_day(run.started_at for run in mine),
        )
        for key, mine in runs.items()
        for name, variant, model in (key,)
    ]
    return files, findings


def _effective(trace: Trace, variant: str | None, model: str | None) -> dict[str, Json]:
    requested = {
        name.removeprefix(_REQUEST): value
        for span in trace.model_calls[:1]
        for name, value in span.attributes.items()
        if name.startswith(_REQUEST)
    }
    target = drop_absent(name=variant, model=model, sampling=SAMPLING.passed(requested) or None)
    return {"harness": HARNESS.id, "target": target}


def _run(file: ForeignFile, trace: Trace, case: str, index: int) -> HarnessRun:
    state, reason = state_of(trace)
    steps = steps_of(trace)
    return HarnessRun(
        place=Place(file.name, field=trace.root.place),
        run_id=trace.id,
        case_id=case,
        repeat_index=index,
        state=state,
        reason=reason,
        mode="autonomous",
        context=context_of(trace),
        trace=steps,
        answer=answer_of(trace),
        extra=verdict_of(trace, state),
        usage=usage_of(steps),
        timing=timing_of(trace),
        started_at=trace.root.started_at,
    )


def _without_case(file: ForeignFile, trace: Trace) -> Finding:
    expected = "an attribute that names the case: one of " + ", ".join(CASE)
    return missing(file.name, f"{trace.root.place}.attributes", expected)


def _recognises(beginning: Beginning) -> bool:
    return beginning.has("resourceSpans") or beginning.has("context.trace_id", "context.span_id")


IMPORTER = Importer(
    harness=HARNESS,
    recognises=_recognises,
    read=_read,
    load=load_json_or_lines,
    suffixes=(".json", ".jsonl"),
    default_variant="target",
    passes=(*CASE, *VARIANT, *REPEAT, *PASSED, *SCORE, *SAMPLING.keys),
    feeds={
        "outcome": part("by the attribute `eval.passed` or `eval.score`"),
        "endings": part("by the outermost span; a limit of steps is known by the exceptions of some frameworks"),
        "repeats": YES,
        "turns": YES,
        "tool_calls": part("where the instrumentation records content"),
        "tool_results": part("where the instrumentation records content"),
        "catalog": part("where the instrumentation records tool definitions"),
        "answer": part("where the instrumentation records content"),
        "context": part("where the instrumentation records content"),
        "tokens": part("where each call of the model says its tokens"),
        "cost": no("the conventions have no cost"),
        "duration": YES,
        "headline": no("spans have none"),
    },
)
