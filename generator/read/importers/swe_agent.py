"""SWE-agent: one trajectory a file (`.traj`); the folder names the configuration.

| recorded | becomes |
| --- | --- |
| file stem | case |
| name of the folder | configuration, under `folder`: there is nothing else that names the model |
| `environment` | configuration |
| batch, folder, file stem | run id |
| `info.exit_status` | `submitted`: COMPLETE; an exit of the agent: FAILED; of the environment: INVALID |
| `trajectory[].action`, `observation`, `execution_time` | a call of the model and one of the command |
| `info.submission` | answer |
| `history`: system prompt and task | context |
| `info.model_stats` | tokens and cost, where a model was called |
| `resolved_ids` or `resolved` of a SWE-bench report beside the trajectories | `extra.passed` |
| `replay_config`, `edited_files…`, `state`, demonstrations | never written |
"""

import re
from pathlib import Path

from generator.errors import Finding, Place
from generator.model.base import Json
from generator.model.imported import ImportOptions
from generator.model.runs import ModelTurn, State, Usage
from generator.model.words import kind_of
from generator.read.importers.beginning import Beginning
from generator.read.importers.capabilities import YES, no, part
from generator.read.importers.conversation import Conversation
from generator.read.importers.files import ForeignFile, load_json, visible
from generator.read.importers.harness import Harness, HarnessFile, HarnessRun, wrong_format
from generator.read.importers.importer import Importer, ReadResult
from generator.read.importers.values import as_count, as_list, as_number, as_object, as_text, drop_absent

HARNESS = Harness("swe-agent", "SWE-agent")
_SHAPE = "a trajectory with trajectory and info, or a SWE-bench report with resolved_ids"
_REPORT_KEYS = ("resolved_ids", "resolved")
_BROKEN = re.compile(r"environment|error|api|docker", re.IGNORECASE)
_PLAIN = re.compile(r"[^a-z0-9]+")
_MS = 1000


def _read(foreign: list[ForeignFile], options: ImportOptions) -> ReadResult:
    findings: list[Finding] = []
    trajectories: list[ForeignFile] = []
    reports: dict[Path, ForeignFile] = {}
    for file in foreign:
        content = as_object(file.value)
        if isinstance(content.get("trajectory"), list):
            trajectories.append(file)
        elif any(isinstance(content.get(key), list) for key in _REPORT_KEYS):
            reports[file.path.parent] = file
        else:
            found = "an object without trajectory" if content else kind_of(file.value)
            findings.append(wrong_format(file.name, _SHAPE, found))
    return [_file(file, reports.get(file.path.parent), options) for file in trajectories], findings


def _file(file: ForeignFile, report: ForeignFile | None, options: ImportOptions) -> HarnessFile:
    content = as_object(file.value)
    folder = visible(file.path.resolve().parent.name)
    return HarnessFile(
        source=file.source,
        others=[] if report is None else [report.source],
        effective=drop_absent(
            harness=HARNESS.id, folder={"name": folder}, environment=as_text(content.get("environment"))
        ),
        label=folder,
        domain=None,
        model=None,
        runs=[_run(file, folder, content, report, options)],
    )


def _run(
    file: ForeignFile, folder: str, content: dict[str, Json], report: ForeignFile | None, options: ImportOptions
) -> HarnessRun:
    info = as_object(content.get("info"))
    case = visible(file.path.stem)
    state, reason = _state(info.get("exit_status"))
    talk = _talk(content)
    talk.speak(None, as_text(info.get("submission")))
    return HarnessRun(
        place=Place(file.name),
        run_id=f"{options.batch}/{folder}/{case}",
        case_id=case,
        repeat_index=0,
        state=state,
        reason=reason,
        mode="autonomous",
        context=talk.context,
        trace=talk.trace,
        answer=talk.answer,
        extra=_verdict(case, report),
        usage=_usage(as_object(info.get("model_stats"))),
    )


def _state(status: Json) -> tuple[State, str | None]:
    """An agent that was stopped may have a submission nevertheless: `submitted (exit_cost)`."""
    text = as_text(status)
    if text is None:
        return "INVALID", "harness_error"
    if text == "submitted":
        return "COMPLETE", None
    if _BROKEN.search(text) or text == "skipped":
        return "INVALID", "harness_error"
    inside = text[text.find("(") + 1 :] if "(" in text else text
    return "FAILED", _PLAIN.sub("_", inside.lower()).strip("_") or "stopped"


def _talk(content: dict[str, Json]) -> Conversation:
    talk = Conversation()
    for message in map(as_object, as_list(content.get("history"))):
        text = _text(message.get("content"))
        if message.get("role") == "system":
            talk.instruct("system", text)
        elif message.get("role") == "user" and message.get("is_demo") is not True:
            talk.hear(text)
            break
    for number, step in enumerate(map(as_object, as_list(content.get("trajectory")))):
        seconds = as_number(step.get("execution_time"))
        talk.speak(ModelTurn(), None)
        action = (as_text(step.get("action")) or "").strip()
        if action:
            call = f"step-{number}"
            talk.call(call, action.split(maxsplit=1)[0], {"command": action}, _ms(seconds))
            talk.receive(call, as_text(step.get("observation")), failed=False)
    return talk


def _ms(seconds: int | float | None) -> float | None:
    return None if seconds is None or seconds < 0 else round(seconds * _MS, 3)


def _text(value: Json) -> str | None:
    if isinstance(value, list):
        return next((text for part in value if (text := as_text(as_object(part).get("text"))) is not None), None)
    return as_text(value)


def _verdict(case: str, report: ForeignFile | None) -> dict[str, Json]:
    """A trajectory does not say whether its patch was right."""
    content = as_object(report.value) if report is not None else {}
    resolved = next((content[key] for key in _REPORT_KEYS if isinstance(content.get(key), list)), None)
    return {} if resolved is None else {"passed": case in as_list(resolved)}


def _usage(stats: dict[str, Json]) -> Usage | None:
    """A replay calls no model: its zeros are no measurement."""
    sent, received = as_count(stats.get("tokens_sent")), as_count(stats.get("tokens_received"))
    cost = as_number(stats.get("instance_cost"))
    if not sent and not received and not cost:
        return None
    return Usage(prompt_tokens=sent or None, completion_tokens=received or None, cost_usd=cost or None)


def _recognises(beginning: Beginning) -> bool:
    if beginning.path.suffix == ".traj":
        return beginning.kind == "json"
    return beginning.has("trajectory", "info.exit_status") or beginning.has("resolved_ids")


IMPORTER = Importer(
    harness=HARNESS,
    recognises=_recognises,
    read=_read,
    load=load_json,
    suffixes=(".traj",),
    default_variant="folder",
    dated=False,
    feeds={
        "outcome": part("with the report of SWE-bench beside the trajectories"),
        "endings": YES,
        "repeats": no("one trajectory a case and folder"),
        "turns": YES,
        "tool_calls": part("a command as one text"),
        "tool_results": YES,
        "catalog": no("not recorded"),
        "answer": part("the submitted patch"),
        "context": part("the system prompt and the first message"),
        "tokens": part("not of replays"),
        "cost": part("not of replays"),
        "duration": no("times of commands alone, and not in every version"),
        "headline": no("it stands in the report of SWE-bench"),
    },
)
