"""τ²-bench: one object a file, `{timestamp, info, tasks, simulations}`.

Submissions without `info` have a header of their own: `{domain, agent, model, total_tasks, passed, pass_rate}`. The
folder of τ³-bench holds a header in `results.json` and each run in `simulations/*.json`. A bare list of runs says
nothing of its setting.

| recorded | becomes |
| --- | --- |
| `simulations[].{id, task_id, trial}` | run id, case, repeat |
| `info.agent_info`, `environment_info`, `user_info`, limits, seed | configuration; of `llm_args` a short list |
| `num_trials` × `tasks` | the plan; what is absent is skipped |
| `termination_reason`, `info.error_type` | state and reason |
| `reward_info.{reward, reward_breakdown}` | `extra.reward`, `extra.reward_<part>` |
| `ticks` of the folder format | nothing: they are no messages, and there is no verdict |
| `messages`, `policy` | context, trace, answer; calls of the simulated user are counted |
| `duration`, `agent_cost`, `usage` | `timing.duration_ms`, `usage` |
| `total_tasks`, `passed` of a submission | its own headline |
"""

import datetime

from generator.errors import Finding, Place
from generator.model.base import Json
from generator.model.batches import DifferenceReason
from generator.model.imported import ImportOptions
from generator.model.rules import finding
from generator.model.runs import State
from generator.read.importers.arguments import SAMPLING, withheld_note
from generator.read.importers.beginning import Beginning
from generator.read.importers.capabilities import YES, part
from generator.read.importers.files import ForeignFile, visible
from generator.read.importers.harness import Harness, HarnessFile, HarnessRun, Reported, missing
from generator.read.importers.importer import Importer, ReadResult
from generator.read.importers.tau2_config import catalog, effective_config, withheld_arguments
from generator.read.importers.tau2_folder import Evaluation, Part, bare_config, companions, evaluations
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


def _read(foreign: list[ForeignFile], options: ImportOptions) -> ReadResult:
    found, findings = evaluations(foreign)
    files: list[HarnessFile] = []
    for evaluation in found:
        read, problems = _evaluation(evaluation)
        findings += problems
        files.append(read)
    return files, findings


def _evaluation(evaluation: Evaluation) -> tuple[HarnessFile, list[Finding]]:
    file, content = evaluation.file, evaluation.head
    info = as_object(content.get("info"))
    policies = list(dict.fromkeys(text for item in evaluation.runs if (text := as_text(item.content.get("policy")))))
    policy = as_text(as_object(info.get("environment_info")).get("policy"))
    if policy is None and len(policies) == 1:
        policy = policies[0]
    tasks, findings = _tasks(file.name, as_list(content.get("tasks")))
    effective = effective_config(content, info, policy)
    if evaluation.bare:
        effective |= bare_config(file)
    runs: list[HarnessRun] = []
    for recorded in evaluation.runs:
        run = _run(recorded, policy, tasks, "solo" in _implementation(effective))
        if isinstance(run, Finding):
            findings.append(run)
        else:
            runs.append(run)
    domain = as_text(as_object(effective["environment_info"]).get("domain_name"))
    read = HarnessFile(
        source=file.source,
        others=evaluation.others,
        effective=effective,
        label=domain or visible(file.path.stem),
        domain=domain,
        model=as_text(effective.get("model")),
        runs=runs,
        tasks=tasks,
        repeats=as_count(info.get("num_trials")),
        catalog=catalog(info),
        revision=as_text(info.get("git_commit")),
        date=_date(content, evaluation.runs),
        notes=withheld_note(file.name, withheld_arguments(info)),
        reported=_headline(content, runs),
    )
    return read, findings


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


def _run(recorded: Part, policy: str | None, tasks: dict[str, Json], solo: bool) -> HarnessRun | Finding:
    file, simulation = recorded.file, recorded.content
    path = f"{recorded.path}." if recorded.path else ""
    run_id, case_id = as_id(simulation.get("id")), as_id(simulation.get("task_id"))
    trial = as_count(simulation.get("trial"))
    if run_id is None:
        return missing(file, f"{path}id", "the run's id")
    if case_id is None:
        return missing(file, f"{path}task_id", "the task's id")
    if trial is None:
        return missing(file, f"{path}trial", "a whole number from 0")
    termination = as_text(simulation.get("termination_reason"))
    if termination not in TERMINATION:
        return _unknown_termination(file, f"{path}termination_reason")
    state, reason = _state(termination, simulation)
    ticket = as_text(as_object(tasks.get(case_id)).get("ticket")) if solo else None
    messages = simulation.get("messages")
    talk = record_messages(as_list(messages), as_text(simulation.get("policy")) or policy, ticket)
    extra = _extra(termination, simulation)
    return HarnessRun(
        place=Place(file, field=recorded.path or None),
        run_id=run_id,
        case_id=case_id,
        repeat_index=trial,
        state=state,
        reason=reason,
        mode="autonomous" if solo else "interactive",
        context=talk.conversation.context,
        trace=talk.conversation.trace if isinstance(messages, list) else None,
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
    graded: dict[str, Json] = {"reward": as_number(verdict.get("reward"))}
    if isinstance(simulation.get("ticks"), list) and not verdict:
        graded = {}
    return {
        **graded,
        **parts,
        "termination_reason": termination,
        **drop_absent(
            seed=as_count(simulation.get("seed")),
            user_cost_usd=as_number(simulation.get("user_cost")),
        ),
    }


def _implementation(effective: dict[str, Json]) -> str:
    return as_text(as_object(effective.get("agent")).get("implementation")) or ""


def _date(content: dict[str, Json], runs: list[Part]) -> datetime.date | None:
    stamps = [content.get("timestamp"), *(run.content.get("timestamp") for run in runs)]
    days: list[datetime.date] = []
    for stamp in stamps:
        try:
            days.append(datetime.date.fromisoformat((as_text(stamp) or "")[:10]))
        except ValueError:
            continue
    return min(days, default=None)


def _headline(content: dict[str, Json], runs: list[HarnessRun]) -> list[Reported]:
    """The totals of a submission. They count crashed runs, and runs that the file does not hold."""
    total, passed = as_count(content.get("total_tasks")), as_count(content.get("passed"))
    if not total or passed is None:
        return []
    stated = as_number(content.get("pass_rate"))
    reasons: list[DifferenceReason] = ["other_runs"] if total != len(runs) else []
    reasons += ["errors_counted"] if any(run.state == "INVALID" for run in runs) else []
    return [
        Reported(
            name="pass_rate",
            value=passed / total,
            stated=None if stated is None else str(stated),
            numerator=passed,
            denominator=total,
            reasons=reasons,
        )
    ]


def _unknown_termination(file: str, path: str) -> Finding:
    expected = "one of " + ", ".join(TERMINATION)
    remedy = "a newer harness may have new reasons: report it, so that nobody guesses whether the run is valid"
    return finding("RC503", Place(file, field=path), expected, "another value", remedy)


def _recognises(beginning: Beginning) -> bool:
    if beginning.has("simulations", "domain", "agent"):
        return True
    if beginning.has("[].termination_reason", "[].task_id") or beginning.has("termination_reason", "task_id", "trial"):
        return True
    return beginning.has("info") and bool(beginning.paths & {"info.agent_info", "info.num_trials", "info.user_info"})


IMPORTER = Importer(
    harness=HARNESS,
    recognises=_recognises,
    read=_read,
    companions=companions,
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
