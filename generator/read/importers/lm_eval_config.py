"""What the results file of an lm-eval run says of its setting. Only named arguments pass."""

import datetime

from generator.model.base import Json, Text
from generator.read.importers.arguments import Allowed, withheld_note
from generator.read.importers.values import as_number, as_object, as_text, drop_absent

MODEL_ARGUMENTS = Allowed(
    numbers=("max_length", "max_gen_toks", "batch_size"),
    flags=("enable_thinking", "load_in_4bit", "load_in_8bit", "trust_remote_code"),
    choices={"dtype": ("auto", "float16", "bfloat16", "float32")},
)
GENERATION = Allowed(
    numbers=("temperature", "top_p", "top_k", "max_gen_toks", "max_tokens", "repetition_penalty"), flags=("do_sample",)
)
_SEEDS = ("random_seed", "numpy_seed", "torch_seed", "fewshot_seed")


def model_name(head: dict[str, Json]) -> str | None:
    """The model; of a path the last part."""
    name = as_text(head.get("model_name")) or as_text(_arguments(head).get("pretrained"))
    name = name or as_text(_arguments(head).get("model"))
    if name is not None and name.startswith(("/", "~", ".")):
        return name.rstrip("/").rsplit("/", 1)[-1] or None
    return name


def effective_config(head: dict[str, Json], tasks: list[str]) -> dict[str, Json]:
    """What was in effect for every document. How many documents were taken is the plan's, not the configuration's."""
    config, configs = as_object(head.get("config")), as_object(head.get("configs"))
    shots: dict[str, Json] = {
        task: shot for task in tasks if (shot := as_number(as_object(head.get("n-shot")).get(task))) is not None
    }
    sampling = GENERATION.passed(config.get("gen_kwargs"))
    if not sampling and len(tasks) == 1:
        sampling = GENERATION.passed(as_object(configs.get(tasks[0])).get("generation_kwargs"))
    return drop_absent(
        harness="lm-eval",
        model=model_name(head),
        backend=as_text(config.get("model")),
        model_args=MODEL_ARGUMENTS.passed(_arguments(head)) or None,
        sampling=sampling or None,
        num_fewshot=shots or None,
        seeds=drop_absent(**{seed: as_number(config.get(seed)) for seed in _SEEDS}) or None,
        chat_template_sha256=as_text(head.get("chat_template_sha")),
        environment_info=drop_absent(
            domain_name=", ".join(sorted(tasks)), policy=as_text(head.get("system_instruction"))
        ),
    )


def _arguments(head: dict[str, Json]) -> dict[str, Json]:
    """`model_args` as an object; newer files have one, older ones a text of `key=value`, divided by commas."""
    given = as_object(head.get("config")).get("model_args")
    if not isinstance(given, str):
        return as_object(given)
    pairs = (item.partition("=") for item in given.split(",") if "=" in item)
    return {key.strip(): _value(text.strip()) for key, _, text in pairs}


def _value(text: str) -> Json:
    if text in ("True", "False"):
        return text == "True"
    return int(text) if text.isascii() and text.isdigit() and len(text) < 16 else text


_NAMING = ("pretrained", "model")
"""Arguments that name the model, which stands in the configuration as `model`."""


def withheld_arguments(head: dict[str, Json]) -> int:
    """How many launch arguments did not pass."""
    arguments = {key: value for key, value in _arguments(head).items() if key not in _NAMING}
    kwargs = as_object(head.get("config")).get("gen_kwargs")
    return MODEL_ARGUMENTS.withheld(arguments) + GENERATION.withheld(kwargs)


def executed_on(head: dict[str, Json]) -> datetime.date | None:
    """The day of the evaluation in UTC."""
    seconds = as_number(head.get("date"))
    if seconds is None or not 0 <= seconds < 2**35:
        return None
    return datetime.datetime.fromtimestamp(seconds, tz=datetime.UTC).date()


def notes_of(file: str, withheld: int, metrics: list[tuple[str, str | None]]) -> list[Text]:
    """Which metric of each task is its verdict."""
    named = ", ".join(f"{task}: {metric}" for task, metric in metrics if metric is not None)
    notes = withheld_note(file, withheld)
    if named:
        notes.append(
            Text(
                zh=f"{file}：用作通过与否的任务指标是 {named}；其余指标只保留，不判定。",
                en=f"{file}: the metric of each task that says whether a document was passed is {named}; others are "
                "kept and decide nothing.",
            )
        )
    return notes
