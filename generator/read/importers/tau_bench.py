"""τ-bench: a JSON list of `{task_id, trial, reward, info, traj}`.

What a file compares with another stands in its name alone. Runs have no ids: they are made of the batch and that name,
because the files of each release may have the same names.

| recorded | becomes |
| --- | --- |
| file stem, `task_id`, `trial` | run id (behind the batch), case, repeat |
| what the file name says | configuration (`file`, or its parts) |
| `reward`, `info.reward_info` | `extra.reward`, `r_actions`, `r_outputs`; null at the step cap: FAILED |
| `info.error` | INVALID; its text and traceback are dropped |
| `traj` | context, trace and answer; `tool_calls[].function.arguments` as JSON, malformed ones as text |
| `info.task`, gold actions | compared between files, never written |
"""

import re

from generator.errors import Finding, Place
from generator.model.base import Json, Text
from generator.model.imported import ImportOptions
from generator.model.runs import ModelTurn, State
from generator.model.words import kind_of
from generator.read.importers.beginning import Beginning
from generator.read.importers.capabilities import YES, no
from generator.read.importers.conversation import Conversation
from generator.read.importers.files import ForeignFile, parse_json, visible
from generator.read.importers.harness import Harness, HarnessFile, HarnessRun, missing, wrong_format
from generator.read.importers.importer import Importer, each_file
from generator.read.importers.values import as_count, as_id, as_list, as_number, as_object, as_text, drop_absent

HARNESS = Harness("tau-bench", "τ-bench")
FILE = "file"
_NAME = re.compile(
    r"(?P<agent>tool-calling|act|react|few-shot)-(?P<model>.+)-(?P<temperature>\d+(?:\.\d+)?)"
    r"_range_-?\d+--?\d+_user-(?P<user_model>.+)-(?P<user_strategy>llm|react|verify|reflection|human)_\d{10}.*"
)
_HEADING = re.compile(r"#\s*(\w+) agent policy", re.IGNORECASE)


def _read(file: ForeignFile, options: ImportOptions) -> tuple[HarnessFile | None, list[Finding]]:
    records = file.value
    if not isinstance(records, list) or not all(isinstance(record, dict) for record in records):
        return None, [_wrong_shape(file.name, records)]
    stem = visible(file.path.stem)
    settings = _settings(stem)
    prompts = list(dict.fromkeys(prompt for record in records if (prompt := _system_prompt(record)) is not None))
    effective: dict[str, Json] = dict(settings)
    if options.variant in (None, FILE):
        effective = {FILE: {"name": stem, **settings}}
    effective["harness"] = HARNESS.id
    if len(prompts) == 1:
        effective["environment_info"] = {"policy": prompts[0]}
    findings: list[Finding] = []
    runs: list[HarnessRun] = []
    for index, record in enumerate(records):
        run = _run(file.name, f"{options.batch}/{stem}", index, as_object(record))
        if isinstance(run, Finding):
            findings.append(run)
        else:
            runs.append(run)
    read = HarnessFile(
        source=file.source,
        effective=effective,
        label=as_text(settings.get("model")) or stem,
        domain=_domain(stem, prompts),
        model=as_text(settings.get("model")),
        runs=runs,
        tasks=_tasks(records),
        notes=[_several_prompts(file.name)] if len(prompts) > 1 else [],
    )
    return read, findings


def _wrong_shape(file: str, content: Json) -> Finding:
    found = "a list of other things than objects" if isinstance(content, list) else kind_of(content)
    if isinstance(content, dict) and "simulations" in content:
        found = "an object with simulations as `tau2-bench` writes it"
    return wrong_format(file, "a list of runs with task_id, trial, reward, info and traj", found)


def _tasks(records: list[Json]) -> dict[str, Json]:
    """What each task is, by its id; attempts that raised may not say it. Only compared, never written."""
    tasks: dict[str, Json] = {}
    for record in map(as_object, records):
        case_id, task = as_id(record.get("task_id")), as_object(record.get("info")).get("task")
        if case_id is not None and task is not None:
            tasks.setdefault(case_id, task)
    return tasks


def _run(file: str, prefix: str, index: int, record: dict[str, Json]) -> HarnessRun | Finding:
    case_id = as_id(record.get("task_id"))
    trial = as_count(record.get("trial"))
    if case_id is None:
        return missing(file, f"[{index}].task_id", "the task's id")
    if trial is None:
        return missing(file, f"[{index}].trial", "a whole number from 0")
    info = as_object(record.get("info"))
    state, reason = _state(record, info)
    talk = _talk(as_list(record.get("traj")))
    return HarnessRun(
        place=Place(file, field=f"[{index}]"),
        run_id=f"{prefix}/{case_id}/{trial}",
        case_id=case_id,
        repeat_index=trial,
        state=state,
        reason=reason,
        mode="interactive",
        context=talk.context if talk.entries else None,
        trace=talk.trace if talk.steps else None,
        answer=talk.answer,
        extra=_extra(record, info, talk),
    )


def _state(record: dict[str, Json], info: dict[str, Json]) -> tuple[State, str | None]:
    """An attempt that raised has an error and no conversation. At the step cap nothing was graded: the agent ran out
    of steps, which is its own failure."""
    error = info.get("error")
    if error is not None:
        return "INVALID", "rate_limited" if "RateLimit" in str(error).split(":", 1)[0] else "harness_error"
    if "reward_info" in info and info["reward_info"] is None:
        return "FAILED", "max_steps"
    return "COMPLETE", None


def _talk(messages: list[Json]) -> Conversation:
    talk = Conversation()
    for item in messages:
        message = as_object(item)
        role, text = message.get("role"), as_text(message.get("content"))
        if role == "system":
            talk.instruct("system", text)
        elif role == "user":
            talk.hear(text)
        elif role == "tool":
            talk.receive(as_text(message.get("tool_call_id")), text, (text or "").startswith("Error"))
        elif role == "assistant":
            talk.speak(ModelTurn(), text)
            for call in as_list(message.get("tool_calls")):
                function = as_object(as_object(call).get("function"))
                arguments = _arguments(function.get("arguments"))
                talk.call(as_text(as_object(call).get("id")), as_text(function.get("name")) or "", arguments)
    return talk


def _arguments(arguments: Json) -> Json:
    """The arguments as an object; what is no JSON stays the text that the model wrote."""
    if not isinstance(arguments, str):
        return arguments
    try:
        return parse_json(arguments)
    except (ValueError, RecursionError):
        return arguments


def _extra(record: dict[str, Json], info: dict[str, Json], talk: Conversation) -> dict[str, Json]:
    details = as_object(as_object(info.get("reward_info")).get("info"))
    return {
        "reward": as_number(record.get("reward")),
        **drop_absent(
            r_actions=as_number(details.get("r_actions")),
            r_outputs=as_number(details.get("r_outputs")),
            user_cost_usd=as_number(info.get("user_cost")),
            stray_tool_results=talk.stray_results or None,
        ),
    }


def _settings(stem: str) -> dict[str, Json]:
    """What the harness wrote into the name of its file; empty for a file that was renamed."""
    match = _NAME.fullmatch(stem)
    if match is None:
        return {}
    return {
        "agent": {"implementation": match["agent"]},
        "model": match["model"],
        "sampling": {"temperature": float(match["temperature"])},
        "user_simulator": {"implementation": match["user_strategy"], "llm": match["user_model"]},
    }


def _system_prompt(record: Json) -> str | None:
    for message in as_list(as_object(record).get("traj")):
        if as_object(message).get("role") == "system":
            return as_text(as_object(message).get("content"))
    return None


def _domain(stem: str, prompts: list[str]) -> str | None:
    heading = _HEADING.match(prompts[0]) if prompts else None
    if heading is not None:
        return heading[1].lower()
    return next((domain for domain in ("airline", "retail") if domain in stem.lower()), None)


def _several_prompts(file: str) -> Text:
    return Text(
        zh=f"{file} 中的运行用了不止一种系统提示词；它们不进入配置，因此不参与变体比较的检查。",
        en=f"The runs of {file} had different system prompts; these are not part of the configuration, so the "
        "check of what differs between variants does not see them.",
    )


def _recognises(beginning: Beginning) -> bool:
    return beginning.has("[].task_id", "[].reward") and ("[].traj" in beginning.paths or "[].trial" in beginning.paths)


IMPORTER = Importer(
    harness=HARNESS,
    recognises=_recognises,
    read=each_file(_read),
    default_variant=FILE,
    dated=False,
    feeds={
        "outcome": YES,
        "endings": YES,
        "repeats": YES,
        "turns": YES,
        "tool_calls": YES,
        "tool_results": YES,
        "catalog": no("the files do not list the tools"),
        "answer": YES,
        "context": YES,
        "tokens": no("only the cost of the simulated user is recorded"),
        "cost": no("only the cost of the simulated user is recorded"),
        "duration": no("the files hold no times"),
        "headline": no("a file holds runs alone"),
    },
)
