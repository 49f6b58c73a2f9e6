"""The definitions that a recorded batch proposes to its source."""

import re

from generator.model.base import Json, Text
from generator.model.cases import Case, CaseBank, Category
from generator.model.experiments import Experiment, Schedule, Variant, declared_value
from generator.model.json_leaves import Absent, dotted, keys_to, leaves, value_at
from generator.model.recording import BatchAim

PASS_METRIC = "task_pass_rate"
_ALL = "all"
_DEEPEST_PASS_HAT = 4


def recorded_experiment(
    aim: BatchAim, config: dict[str, Json], values: dict[str, dict[str, Json]], repeats: int, fed: set[str]
) -> Experiment:
    """The template. `config` is that of any run, `values` the configuration of each variant, `fed` the metrics besides
    the pass rate for which something was recorded."""
    path = aim.independent_variable
    metrics = [PASS_METRIC]
    if repeats > 1:
        metrics.append(f"pass_hat_{min(repeats, _DEEPEST_PASS_HAT)}")
    metrics += [metric for metric in ("avg_turns", "avg_tokens", "duration_p50") if metric in fed]
    return Experiment(
        id=aim.experiment,
        title=Text(zh=f"自行记录的运行：比较 {path}", en=f"Recorded runs: comparison of {path}"),
        purpose=Text(
            zh=f"由自己的代码逐次记录运行，比较 {path} 的各个取值。",
            en=f"Recorded run by run from one's own code; compares the values of {path}.",
        ),
        independent_variable=path,
        variants=[
            Variant(id=variant, name=Text(zh=variant, en=variant), value=declared_value(_value(config, path)))
            for variant, config in values.items()
        ],
        baseline=next(iter(values)),
        fixed_conditions=_shared(config, path, list(values.values())),
        repeats=repeats,
        schedule=Schedule(method="as_recorded"),
        pass_metric=PASS_METRIC,
        main_metrics=metrics,
    )


def recorded_bank(aim: BatchAim, cases: list[str], words: dict[str, tuple[str | None, str | None]]) -> CaseBank:
    """Ids, categories and titles; `words` maps a case to its category and title."""
    categories = {case: words.get(case, (None, None))[0] or _ALL for case in cases}
    titles = {case: words.get(case, (None, None))[1] or case for case in cases}
    return CaseBank(
        id=_plain(aim.experiment),
        version=1,
        title=Text(zh=f"{aim.experiment} 的用例", en=f"Cases of {aim.experiment}"),
        categories=[_category(category) for category in dict.fromkeys(categories.values())],
        cases=[
            Case(id=case, category=categories[case], title=Text(zh=titles[case], en=titles[case]), prompt=None)
            for case in cases
        ],
    )


def _category(category: str) -> Category:
    name = Text(zh="全部", en="all") if category == _ALL else Text(zh=category, en=category)
    return Category(id=category, name=name)


def _value(config: dict[str, Json], path: str) -> Json:
    value = value_at(config, keys_to(path))
    return None if isinstance(value, Absent) else value


def _shared(config: dict[str, Json], path: str, all_configs: list[dict[str, Json]]) -> list[Text]:
    shared = []
    for keys, value in leaves(config):
        leaf = dotted(keys)
        same = all(value_at(other, keys) == value for other in all_configs)
        if same and leaf != path and not leaf.startswith(f"{path}."):
            shown = declared_value(value)
            shared.append(Text(zh=f"{leaf}：{shown}", en=f"{leaf}: {shown}"))
    return shared


def _plain(identifier: str) -> str:
    return re.sub(r"[^a-z0-9_]+", "-", identifier.lower()).strip("-_")[:40] or "cases"
