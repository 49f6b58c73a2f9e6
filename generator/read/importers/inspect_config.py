"""What an Inspect log says of the setting of its runs: configuration, plan, tools, day. Only named arguments pass."""

import datetime

from generator.model.base import Json
from generator.read.importers.arguments import REASONING_EFFORTS, SAMPLING_NUMBERS, Allowed
from generator.read.importers.inspect_messages import content_text
from generator.read.importers.values import as_count, as_id, as_list, as_number, as_object, as_text, drop_absent

GENERATE = Allowed(
    numbers=(*SAMPLING_NUMBERS, "num_choices", "reasoning_tokens"), choices={"reasoning_effort": REASONING_EFFORTS}
)
TASK_ARGUMENTS = Allowed(
    numbers=("limit", "max_attempts", "max_messages", "fewshot", "seed", "sample_count"),
    flags=("cot", "shuffle"),
    words=("split", "subset", "language", "difficulty", "level"),
)
MODEL_ARGUMENTS = Allowed(
    numbers=("batch_size", "max_model_len"), choices={"dtype": ("auto", "float16", "bfloat16", "float32")}
)
LIMITS = ("message_limit", "token_limit", "time_limit", "working_limit")


def effective_config(log: dict[str, Json], spec: dict[str, Json], prompts: list[str | None]) -> dict[str, Json]:
    """What was in effect for every run of the log. The solvers stand by name: their parameters hold prompts."""
    config = as_object(spec.get("config"))
    plan = as_object(log.get("plan"))
    solvers = [name for step in as_list(plan.get("steps")) if (name := as_text(as_object(step).get("solver")))]
    sampling = GENERATE.passed(plan.get("config")) | GENERATE.passed(spec.get("model_generate_config"))
    return drop_absent(
        harness="inspect",
        model=as_text(spec.get("model")),
        agent=drop_absent(implementation=" → ".join(solver.partition("(")[0] for solver in solvers) or None) or None,
        sampling=sampling or None,
        limits=drop_absent(**{name: as_number(config.get(name)) for name in LIMITS}) or None,
        task_args=TASK_ARGUMENTS.passed(spec.get("task_args")) or None,
        model_args=MODEL_ARGUMENTS.passed(spec.get("model_args")) or None,
        environment_info=drop_absent(
            domain_name=as_text(spec.get("task")), policy=prompts[0] if len(prompts) == 1 else None
        ),
    )


def withheld_arguments(spec: dict[str, Json]) -> int:
    """How many launch arguments did not pass."""
    return (
        TASK_ARGUMENTS.withheld(spec.get("task_args"))
        + MODEL_ARGUMENTS.withheld(spec.get("model_args"))
        + GENERATE.withheld(spec.get("model_generate_config"))
    )


def planned_tasks(spec: dict[str, Json], samples: list[dict[str, Json]]) -> dict[str, Json]:
    """The planned cases in their order, with what they are. The list of a log that numbers its samples while they have
    names is no plan."""
    content: dict[str, Json] = {}
    for sample in samples:
        case_id = as_id(sample.get("id"))
        if case_id is not None:
            content.setdefault(case_id, [_input_text(sample), sample.get("target")])
    planned = [as_id(item) for item in as_list(as_object(spec.get("dataset")).get("sample_ids"))]
    if not set(content) <= set(planned):
        return {}
    return {case_id: content.get(case_id) for case_id in planned if case_id is not None}


def _input_text(sample: dict[str, Json]) -> Json:
    """Messages have ids of their own in every run."""
    attachments, given = as_object(sample.get("attachments")), sample.get("input")
    if isinstance(given, str):
        return content_text(given, attachments)
    return [content_text(as_object(message).get("content"), attachments) for message in as_list(given)]


def shared_catalog(samples: list[dict[str, Json]]) -> list[str] | None:
    """The tools that the model was offered, where every sample says so and all say the same."""
    seen: set[tuple[str, ...]] = set()
    for sample in samples:
        offers = [as_object(event).get("tools") for event in as_list(sample.get("events"))]
        if not offers or not all(isinstance(offer, list) for offer in offers):
            return None
        seen.add(tuple(sorted({name for offer in offers for tool in as_list(offer) if (name := as_text(tool))})))
    return list(seen.pop()) if len(seen) == 1 else None


def executed_on(log: dict[str, Json], spec: dict[str, Json]) -> datetime.date | None:
    """The day on which the evaluation began."""
    for stamp in (as_object(log.get("stats")).get("started_at"), spec.get("created")):
        try:
            return datetime.date.fromisoformat((as_text(stamp) or "")[:10])
        except ValueError:
            continue
    return None


def reasons_apart(used: dict[str, Json]) -> bool:
    """Whether the tokens of reasoning stand beside those of the output: the total has them on top of both."""
    parts = [as_count(used.get(name)) or 0 for name in ("input_tokens", "output_tokens", "reasoning_tokens")]
    return parts[2] > 0 and as_count(used.get("total_tokens")) == sum(parts)
