"""What an import proposes to its source: an experiment that is not registered yet, and the case bank."""

import hashlib
import re

from generator.model.base import Json, Text
from generator.model.cases import Case, CaseBank, Category
from generator.model.experiments import Experiment, Schedule, Variant, declared_value
from generator.model.json_leaves import dotted, leaves
from generator.model.prose import figures
from generator.read.importers.harness import Harness, HarnessFile
from generator.read.importers.variants import Group, differing_paths, slug

_BRACKET = re.compile(r"\[([A-Za-z0-9_-]+)\]")
_HASH = re.compile(r"(sha256:[0-9a-f]{12})[0-9a-f]{52}")
PROMPTS = ("policy",)
"""Keys of a configuration under which system prompts and policies stand: a template never shows them."""
HASHED_CHARACTERS = 64
PASS_METRIC = "task_pass_rate"
_LONGEST_NAME = 60


def propose_experiment(
    harness: Harness, groups: list[Group], path: str, experiment_id: str
) -> tuple[Experiment, list[str]]:
    """The template, and the paths besides the independent variable that differ between its variants."""
    configs = [group.effective for group in groups]
    differs = [found for found in differing_paths(configs) if found != path and not found.startswith(f"{path}.")]
    repeats = max(file.planned_repeats for group in groups for file in group.files)
    subject = _subject(harness, groups)
    experiment = Experiment(
        id=experiment_id,
        title=Text(zh=f"{subject}：比较 {path}", en=f"{subject}: comparison of {path}"),
        purpose=Text(
            zh=f"从 {harness.title} 的结果文件导入，比较 {path} 的各个取值。",
            en=f"Imported from result files of {harness.title}; compares the values of {path}.",
        ),
        independent_variable=path,
        variants=[
            Variant(id=group.id, name=Text(zh=group.title, en=group.title), value=declared_value(group.value))
            for group in groups
        ],
        baseline=groups[0].id,
        fixed_conditions=_fixed(groups[0].effective, path, differs),
        repeats=repeats,
        schedule=Schedule(method="as_recorded"),
        pass_metric=PASS_METRIC,
        main_metrics=_main_metrics(groups, repeats),
    )
    return experiment, differs


def _subject(harness: Harness, groups: list[Group]) -> str:
    """What all variants are of, so that experiments of one harness can be told apart: its domain and model, where they
    are the same everywhere and fit into a title."""
    domains = {file.domain for group in groups for file in group.files}
    shared = [found.pop() for found in (domains, {group.model for group in groups}) if len(found) == 1]
    names = [name for name in shared if name is not None and len(name) <= _LONGEST_NAME and not figures(name)]
    return " · ".join([harness.title, *names])


def _fixed(effective: dict[str, Json], path: str, differs: list[str]) -> list[Text]:
    """What all variants share; long texts as their hash."""
    shared: list[Text] = []
    for keys, value in leaves(effective):
        leaf = dotted(keys)
        if leaf == path or leaf.startswith(f"{path}.") or leaf in differs:
            continue
        shown = _secret(value) if keys[-1] in PROMPTS else _brief(value)
        if shown is not None:
            shared.append(Text(zh=f"{leaf}：{shown}", en=f"{leaf}: {shown}"))
    return shared


def _secret(value: Json) -> str | None:
    """The first digits of the hash of a prompt; None for a text so short that its hash could be guessed."""
    text = value if isinstance(value, str) else ""
    if len(text) < HASHED_CHARACTERS:
        return None
    return _HASH.sub(r"\1…", "sha256:" + hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest())


def _brief(value: Json) -> str:
    """A declared value, a hash by its first digits."""
    shown = str(declared_value(value))
    return _HASH.sub(r"\1…", shown)


def _main_metrics(groups: list[Group], repeats: int) -> list[str]:
    runs = [run for group in groups for file in group.files for run in file.runs]
    metrics = [PASS_METRIC]
    if repeats > 1:
        metrics.append(f"pass_hat_{min(repeats, 4)}")
    metrics.append("avg_turns")
    if any(run.usage is not None for run in runs):
        metrics.append("avg_tokens")
    if any(run.timing is not None for run in runs):
        metrics.append("duration_p50")
    return metrics


def propose_bank(harness: Harness, files: list[HarnessFile]) -> CaseBank:
    """Ids, categories and titles alone: the tasks are scripts of simulated users with their gold actions.

    The category is the kind of task that the id names in brackets, else the domain.
    """
    domain = next((file.domain for file in files if file.domain is not None), None)
    subject = f"{harness.title} {domain}" if domain is not None else harness.title
    case_ids = _in_order(list(dict.fromkeys(case for file in files for case in file.planned_cases)))
    kinds = {case: _kind(case) or domain or harness.id for case in case_ids}
    categories = {kind: Category(id=slug(kind), name=Text(zh=kind, en=kind)) for kind in kinds.values()}
    return CaseBank(
        id=slug(f"{harness.id.removesuffix('-bench')}-{domain}" if domain is not None else harness.id),
        version=1,
        title=Text(zh=f"{subject} 任务", en=f"{subject} tasks"),
        categories=list(categories.values()),
        cases=[
            Case(
                id=case,
                category=categories[kinds[case]].id,
                title=Text(zh=f"{domain or harness.id} 任务 {case}", en=f"{domain or harness.id} task {case}"),
                prompt=None,
            )
            for case in case_ids
        ],
    )


def _in_order(case_ids: list[str]) -> list[str]:
    """Numbers by size; anything else as the files have it."""
    if all(case.isascii() and case.isdigit() for case in case_ids):
        return sorted(case_ids, key=lambda case: (int(case), case))
    return case_ids


def _kind(case: str) -> str | None:
    match = _BRACKET.match(case)
    return match[1] if match is not None else None
