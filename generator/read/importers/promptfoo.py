"""promptfoo: `{evalId, results, config}` as JSON, or one result a line as JSON Lines.

One file holds several variants: each provider under each prompt. Repeats have no index: `testIdx` runs on over them.

| recorded | becomes |
| --- | --- |
| `id`; without one test and prompt index behind batch and file | run id |
| `testCase.description`, `vars`, assertions | case: the description where it names one test, else a hash |
| `provider.label` or `id`, `prompt.label` (a name, or its hash) | configuration, under `target` |
| place among the results of one target and case, by `testIdx` | repeat |
| `failureReason` 0, 1; `success` | COMPLETE, `extra.passed`; `error` is filled on failed assertions too |
| `failureReason` 2 | INVALID; its text is dropped |
| `response.output`, `prompt.raw` | answer, context |
| `tokenUsage`, `latencyMs`, `cost` | usage and duration; none of a result that came from the cache |
| `results.prompts[].metrics` | the harness's own headline of a target |
| `testCase.assert`, `gradingResult`, `provider.config` but for sampling | never written |
"""

import json
from collections import defaultdict
from dataclasses import dataclass

from generator.errors import Finding, Place
from generator.model.base import Json, Text
from generator.model.imported import ImportOptions
from generator.model.runs import Context, ModelTurn, State, Timing, Usage
from generator.model.words import kind_of
from generator.read.importers.arguments import SAMPLING
from generator.read.importers.beginning import Beginning
from generator.read.importers.capabilities import YES, no, part
from generator.read.importers.conversation import Conversation
from generator.read.importers.files import ForeignFile, load_json_or_lines, parse_json, visible
from generator.read.importers.harness import Harness, HarnessFile, HarnessRun, crash_reason, wrong_format
from generator.read.importers.importer import Importer, ReadResult
from generator.read.importers.promptfoo_target import Cases, Target, headlines, notes_of, target_of, timestamp
from generator.read.importers.values import as_count, as_id, as_list, as_number, as_object, as_text, drop_absent

HARNESS = Harness("promptfoo", "promptfoo")
SATURATED = 2**31 - 1
"""A latency that says that a counter was full."""
_SHAPE = "an object with results.results, or lines of results with testIdx and promptIdx"


@dataclass(frozen=True, slots=True)
class _Row:
    """`order` counts repeats, `recorded` orders runs as the file has them, which is that of their ends."""

    place: Place
    order: tuple[int, int]
    recorded: str
    case_id: str
    content: dict[str, Json]


def _read(foreign: list[ForeignFile], options: ImportOptions) -> ReadResult:
    files: list[HarnessFile] = []
    findings: list[Finding] = []
    for file in foreign:
        rows = _rows(file)
        if isinstance(rows, Finding):
            findings.append(rows)
        else:
            files += _targets(file, rows, options)
    return files, findings


def _rows(file: ForeignFile) -> list[Json] | Finding:
    content = file.value
    if isinstance(content, list) and all("promptIdx" in as_object(row) for row in content):
        return content
    results = as_object(content).get("results")
    rows = as_object(results).get("results")
    if isinstance(rows, list) and all(isinstance(row, dict) for row in rows):
        return rows
    if isinstance(content, dict) and "promptIdx" in content:
        return [content]
    found = "an object without results.results" if isinstance(content, dict) else kind_of(content)
    return wrong_format(file.name, _SHAPE, found)


def _targets(file: ForeignFile, content: list[Json], options: ImportOptions) -> list[HarnessFile]:
    """One for each provider and prompt of the file, in the order in which they come first."""
    rows = [as_object(row) for row in content]
    cases = Cases(rows)
    head = as_object(file.value)
    started = as_text(as_object(head.get("results")).get("timestamp")) or ""
    by_target: dict[Target, list[_Row]] = defaultdict(list)
    for index, row in enumerate(rows):
        case_id = cases.id_of(row)
        order = (as_count(row.get("testIdx")) or 0, index)
        place = Place(file.name, field=f"results[{index}]")
        recorded = f"{started} {file.name} {index:09}"
        by_target[target_of(row)].append(_Row(place, order, recorded, case_id, row))
    stated = headlines(head)
    prefix = f"{options.batch}/{visible(file.path.stem)}"
    return [
        HarnessFile(
            source=file.source,
            effective={"harness": HARNESS.id, **target.effective(head)},
            label=target.model,
            domain=None,
            model=target.model,
            runs=_runs(mine, prefix),
            tasks=cases.contents,
            repeats=as_count(as_object(head.get("runtimeOptions")).get("repeat")),
            date=timestamp(head),
            notes=[*notes_of(file.name, [row.content for row in mine]), *_cached_note(file.name, mine)],
            reported=stated.of(target, [row.content for row in mine]),
        )
        for target, mine in by_target.items()
    ]


def _runs(rows: list[_Row], prefix: str) -> list[HarnessRun]:
    """A result that is recorded twice takes no place among the repeats: both have its place."""
    repeats: dict[str, int] = defaultdict(int)
    known: dict[str, int] = {}
    runs: list[HarnessRun] = []
    for row in sorted(rows, key=lambda row: row.order):
        run_id = as_id(row.content.get("id")) or f"{prefix}/{row.order[0]}/{as_count(row.content.get('promptIdx'))}"
        if run_id not in known:
            known[run_id] = repeats[row.case_id]
            repeats[row.case_id] += 1
        runs.append(_run(row, run_id, known[run_id]))
    return runs


def _run(row: _Row, run_id: str, repeat: int) -> HarnessRun:
    content = row.content
    response = as_object(content.get("response"))
    state, reason = _state(content)
    cached = is_cached(content)
    talk = _talk(content, response)
    return HarnessRun(
        place=row.place,
        run_id=run_id,
        case_id=row.case_id,
        repeat_index=repeat,
        state=state,
        reason=reason,
        mode="autonomous",
        context=Context(entries=talk.entries) if talk.entries else None,
        trace=None,
        answer=talk.answer,
        extra=_extra(content),
        usage=Usage(cached=True) if cached else _usage(content, response),
        timing=None if cached else _timing(content),
        started_at=row.recorded,
    )


def _state(row: dict[str, Json]) -> tuple[State, str | None]:
    """Older files have no `failureReason`: there an error without a grade is the harness's."""
    reason = as_count(row.get("failureReason"))
    error = as_text(row.get("error"))
    crashed = reason == 2 or (reason is None and error is not None and row.get("gradingResult") is None)
    if not crashed:
        return "COMPLETE", None
    return "INVALID", crash_reason(error)


def _extra(row: dict[str, Json]) -> dict[str, Json]:
    """`success` is the verdict; the score may be a part of the assertions' weights."""
    success = row.get("success")
    return drop_absent(passed=success if isinstance(success, bool) else None, score=as_number(row.get("score")))


def is_cached(row: dict[str, Json]) -> bool:
    """A result out of promptfoo's cache says so, or has nothing but a total of tokens."""
    response = as_object(row.get("response"))
    usage = as_object(response.get("tokenUsage")) or as_object(row.get("tokenUsage"))
    total = as_count(usage.get("total")) or 0
    return response.get("cached") is True or (total > 0 and as_count(usage.get("cached")) == total)


def _usage(row: dict[str, Json], response: dict[str, Json]) -> Usage | None:
    used = as_object(response.get("tokenUsage")) or as_object(row.get("tokenUsage"))
    prompt, completion = as_count(used.get("prompt")), as_count(used.get("completion"))
    cost = as_number(row.get("cost"))
    if not prompt and not completion:
        prompt = completion = None
    if prompt is None and completion is None and not cost:
        return None
    return Usage(
        prompt_tokens=prompt, completion_tokens=completion, cost_usd=cost if cost is None or cost >= 0 else None
    )


def _timing(row: dict[str, Json]) -> Timing | None:
    latency = as_number(row.get("latencyMs"))
    return None if latency is None or not 0 <= latency < SATURATED else Timing(duration_ms=latency)


def _talk(row: dict[str, Json], response: dict[str, Json]) -> Conversation:
    talk = Conversation()
    raw = as_text(as_object(row.get("prompt")).get("raw"))
    messages = _messages(raw) if raw is not None else []
    if not messages:
        talk.hear(raw)
    for position, message in enumerate(messages):
        text = as_text(message.get("content"))
        if message.get("role") == "system":
            talk.instruct(f"system-{position}", text)
        else:
            talk.hear(text)
    output = response.get("output")
    talk.speak(ModelTurn(), output if isinstance(output, str) or output is None else _compact(output))
    return talk


def _messages(raw: str) -> list[dict[str, Json]]:
    """The messages of a chat prompt; none where the prompt is one text."""
    if not raw.lstrip().startswith("["):
        return []
    try:
        parsed = parse_json(raw)
    except (ValueError, RecursionError):
        return []
    messages = [as_object(item) for item in as_list(parsed)]
    return messages if all("role" in message for message in messages) else []


def _cached_note(file: str, rows: list[_Row]) -> list[Text]:
    cached = sum(is_cached(row.content) for row in rows)
    if cached == 0:
        return []
    return [
        Text(
            zh=f"{file}：有的结果来自缓存；缓存命中的用量与耗时不是运行的用量与耗时，因此没有导入。",
            en=f"{file}: some results came from the cache; tokens and times of a cache hit are not those of a run, and "
            "were not imported.",
        )
    ]


def _compact(value: Json) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _recognises(beginning: Beginning) -> bool:
    if beginning.has("testIdx", "promptIdx"):
        return True
    return beginning.has("results") and bool(
        {"results.prompts", "results.results", "results.results[].promptIdx"} & beginning.paths
    )


IMPORTER = Importer(
    harness=HARNESS,
    recognises=_recognises,
    read=_read,
    load=load_json_or_lines,
    suffixes=(".json", ".jsonl"),
    passes=SAMPLING.keys,
    feeds={
        "outcome": YES,
        "endings": part("a failed assertion and a crash are told apart; a stop at a limit is not"),
        "repeats": YES,
        "turns": no("a provider is one call, whatever it does inside"),
        "tool_calls": no("they stand in the text of the output alone"),
        "tool_results": no("what a provider does inside is not recorded"),
        "catalog": no("what a provider does inside is not recorded"),
        "answer": YES,
        "context": YES,
        "tokens": part("where the provider reports them, and not for results out of the cache"),
        "cost": part("where the provider reports it, and not for results out of the cache"),
        "duration": part("not for results out of the cache"),
        "headline": part("JSON files; JSON Lines have no header"),
    },
)
