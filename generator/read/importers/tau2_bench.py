"""τ²-bench: one object a file, `{timestamp, info, tasks, simulations}`.

Submissions without `info` have a header of their own: `{domain, agent, model, total_tasks, passed, pass_rate}`.

| recorded | becomes |
| --- | --- |
| `simulations[].{id, task_id, trial}` | run id, case, repeat |
| `info.agent_info`, `environment_info`, `user_info`, limits, seed | configuration; of `llm_args` a short list |
| `num_trials` × `tasks` | the plan; what is absent is skipped |
| `termination_reason`, `info.error_type` | state and reason |
| `reward_info.{reward, reward_breakdown}` | `extra.reward`, `extra.reward_<part>` |
| `messages`, `policy` | context, trace, answer; calls of the simulated user are counted |
| `duration`, `agent_cost`, `usage` | `timing.duration_ms`, `usage` |
| `total_tasks`, `passed` of a submission | its own headline |
"""

import datetime

from generator.errors import Finding, Place
from generator.model.base import Json, Text
from generator.model.imported import ImportOptions
from generator.model.rules import finding
from generator.model.runs import State
from generator.model.words import kind_of
from generator.read.importers.arguments import SAMPLING, withheld_note
from generator.read.importers.beginning import Beginning
from generator.read.importers.capabilities import YES, part
from generator.read.importers.files import ForeignFile
from generator.read.importers.harness import Harness, HarnessFile, HarnessRun, missing, wrong_format
from generator.read.importers.importer import Importer, each_file
from generator.read.importers.tau2_config import catalog, effective_config, withheld_arguments
from generator.read.importers.tau2_messages import record_messages, total_duration, total_usage
from generator.read.importers.values import as_count, as_id, as_list, as_number, as_object, as_text, drop_absent

HARNESS = Harness("tau2-bench", "τ²-bench")
TERMINATION: dict[str, tuple[State, str | None]] = {
    "user_stop": ("COMPLETE", None),
    "agent_stop": ("COMPLETE", None),
    "max_steps": ("FAILED", "max_steps"),
    "timeout": ("FAILED", "timeout"),
    "too_many_errors": ("FAILED", "too_many_errors"),
    "agent_error": ("FAILED", "agent_error"),
    "context_window_exceeded": ("FAILED", "context_window_exceeded"),
    "user_error": ("INVALID", "harness_error"),
    "infrastructure_error": ("INVALID", "harness_error"),
    "unexpected_error": ("INVALID", "harness_error"),
}
_SHAPE = "an object with simulations (a list of runs), and with info and tasks beside it"


def _read(file: ForeignFile, options: ImportOptions) -> tuple[HarnessFile | None, list[Finding]]:
    problem = _shape(file)
    if problem is not None:
        return None, [problem]
    content = as_object(file.value)
    info, simulations = as_object(content.get("info")), as_list(content["simulations"])
    policies = list(dict.fromkeys(policy for item in simulations if (policy := as_text(as_object(item).get("policy")))))
    policy = as_text(as_object(info.get("environment_info")).get("policy"))
    if policy is None and len(policies) == 1:
        policy = policies[0]
    tasks, findings = _tasks(file.name, as_list(content.get("tasks")))
    effective = effective_config(content, info, policy)
    runs: list[HarnessRun] = []
    for index, simulation in enumerate(simulations):
        run = _run(file.name, index, as_object(simulation), policy, tasks, "solo" in _implementation(effective))
        if isinstance(run, Finding):
            findings.append(run)
        else:
            runs.append(run)
    environment = as_object(effective["environment_info"])
    domain = as_text(environment.get("domain_name"))
    read = HarnessFile(
        source=file.source,
        effective=effective,
        label=domain or file.path.stem,
        domain=domain,
        model=as_text(effective.get("model")),
        runs=runs,
        tasks=tasks,
        repeats=as_count(info.get("num_trials")),
        catalog=catalog(info),
        revision=as_text(info.get("git_commit")),
        date=_date(content, simulations),
        notes=[*withheld_note(file.name, withheld_arguments(info)), *_claims(file.name, content)],
    )
    return read, findings


def _shape(file: ForeignFile) -> Finding | None:
    content = file.value
    if isinstance(content, list):
        found = "a bare list, which does not say what was run"
        if any("traj" in as_object(item) for item in content):
            found = "a list of runs as `tau-bench` writes it"
        return wrong_format(file.name, _SHAPE, found)
    if not isinstance(content, dict):
        return wrong_format(file.name, _SHAPE, kind_of(content))
    simulations = content.get("simulations")
    if simulations is None and "info" in content:
        found = "a header alone: the folder format of τ³-bench, whose runs stand in files of their own"
        return wrong_format(file.name, _SHAPE, found)
    if isinstance(content.get("ticks"), list):
        return wrong_format(file.name, _SHAPE, "a single run of the folder format of τ³-bench")
    if not isinstance(simulations, list) or not all(isinstance(item, dict) for item in simulations):
        found = "an object without simulations" if simulations is None else "simulations that are no list of objects"
        return wrong_format(file.name, _SHAPE, found)
    return None


def _tasks(file: str, tasks: list[Json]) -> tuple[dict[str, Json], list[Finding]]:
    by_id: dict[str, Json] = {}
    findings: list[Finding] = []
    for index, task in enumerate(tasks):
        task_id = as_id(as_object(task).get("id"))
        if task_id is None:
            findings.append(missing(file, f"tasks[{index}].id", "the task's id"))
        else:
            by_id[task_id] = task
    return by_id, findings


def _run(
    file: str, index: int, simulation: dict[str, Json], policy: str | None, tasks: dict[str, Json], solo: bool
) -> HarnessRun | Finding:
    path = f"simulations[{index}]"
    run_id, case_id = as_id(simulation.get("id")), as_id(simulation.get("task_id"))
    trial = as_count(simulation.get("trial"))
    if run_id is None:
        return missing(file, f"{path}.id", "the run's id")
    if case_id is None:
        return missing(file, f"{path}.task_id", "the task's id")
    if trial is None:
        return missing(file, f"{path}.trial", "a whole number from 0")
    termination = as_text(simulation.get("termination_reason"))
    if termination not in TERMINATION:
        return _unknown_termination(file, f"{path}.termination_reason")
    state, reason = _state(termination, simulation)
    ticket = as_text(as_object(tasks.get(case_id)).get("ticket")) if solo else None
    talk = record_messages(as_list(simulation.get("messages")), as_text(simulation.get("policy")) or policy, ticket)
    extra = _extra(termination, simulation)
    return HarnessRun(
        place=Place(file, field=path),
        run_id=run_id,
        case_id=case_id,
        repeat_index=trial,
        state=state,
        reason=reason,
        mode="autonomous" if solo else "interactive",
        context=talk.conversation.context,
        trace=talk.conversation.trace,
        answer=talk.conversation.answer,
        extra=extra | talk.counts,
        usage=total_usage(talk.conversation, as_number(simulation.get("agent_cost"))),
        timing=total_duration(as_number(simulation.get("duration"))),
        started_at=as_text(simulation.get("start_time")),
    )


def _state(termination: str, simulation: dict[str, Json]) -> tuple[State, str | None]:
    error_type = as_text(as_object(simulation.get("info")).get("error_type"))
    if termination == "infrastructure_error" and "RateLimit" in (error_type or ""):
        return "INVALID", "rate_limited"
    return TERMINATION[termination]


def _extra(termination: str, simulation: dict[str, Json]) -> dict[str, Json]:
    """The harness's verdict and the scalars that explain it; checks and justifications hold gold actions."""
    verdict = as_object(simulation.get("reward_info"))
    parts = {
        f"reward_{name.lower()}": value
        for name, part in sorted(as_object(verdict.get("reward_breakdown")).items())
        if (value := as_number(part)) is not None
    }
    return {
        "reward": as_number(verdict.get("reward")),
        **parts,
        "termination_reason": termination,
        **drop_absent(
            seed=as_count(simulation.get("seed")),
            user_cost_usd=as_number(simulation.get("user_cost")),
        ),
    }


def _implementation(effective: dict[str, Json]) -> str:
    return as_text(as_object(effective.get("agent")).get("implementation")) or ""


def _date(content: dict[str, Json], simulations: list[Json]) -> datetime.date | None:
    stamps = [content.get("timestamp"), *(as_object(item).get("timestamp") for item in simulations)]
    days: list[datetime.date] = []
    for stamp in stamps:
        try:
            days.append(datetime.date.fromisoformat((as_text(stamp) or "")[:10]))
        except ValueError:
            continue
    return min(days, default=None)


def _claims(file: str, content: dict[str, Json]) -> list[Text]:
    """Totals that stand in the header may count runs that the file does not hold: that there are any is told, what they
    say is neither shown nor compared."""
    if as_number(content.get("total_tasks")) is None or as_number(content.get("passed")) is None:
        return []
    return [
        Text(
            zh=f"{file} 的文件头自带总数，可能包括文件中没有的运行；本页只统计文件中的运行。",
            en=f"The header of {file} states totals of its own, which may count runs that the file does not hold; only "
            "the runs of the file are counted here.",
        )
    ]


def _unknown_termination(file: str, path: str) -> Finding:
    expected = "one of " + ", ".join(TERMINATION)
    remedy = "a newer harness may have new reasons: report it, so that nobody guesses whether the run is valid"
    return finding("RC503", Place(file, field=path), expected, "another value", remedy)


def _recognises(beginning: Beginning) -> bool:
    if beginning.has("simulations", "domain", "agent"):
        return True
    return beginning.has("info") and bool(beginning.paths & {"info.agent_info", "info.num_trials", "info.user_info"})


IMPORTER = Importer(
    harness=HARNESS,
    recognises=_recognises,
    read=each_file(_read),
    passes=SAMPLING.keys,
    feeds={
        "outcome": YES,
        "endings": YES,
        "repeats": YES,
        "turns": YES,
        "tool_calls": YES,
        "tool_results": YES,
        "catalog": part("where the header defines the tools"),
        "answer": YES,
        "context": YES,
        "tokens": YES,
        "cost": YES,
        "duration": YES,
        "headline": part("submissions alone have one"),
    },
)
