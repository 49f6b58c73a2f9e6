"""Rules of batches that try the runs themselves: what a mutant changes, and which run another one follows."""

from collections.abc import Iterator

from generator.errors import Finding, Place
from generator.model.base import Json
from generator.model.canonical import canonical
from generator.model.experiments import Experiment
from generator.model.json_leaves import ABSENT, Absent, is_below, keys_to, leaves
from generator.model.kinds import COMPONENTS
from generator.model.rows import ConfigSeen, RunRow
from generator.model.rules import finding, visible_id
from generator.model.source import BatchSource
from generator.model.words import in_words


def check_components(batch: BatchSource, experiment: Experiment, configs: list[ConfigSeen]) -> Iterator[Finding]:
    """RC322. What differs outside of the independent variable, or within a variant, is found by the guard.

    A component that is none of the four is not named: the configuration may hold what nobody may read.
    """
    if experiment.kind != "mutation":
        return
    seen = sorted(configs, key=lambda config: config.first_line)
    original = next((config for config in seen if config.variant == experiment.baseline), None)
    mutants = {variant.id: variant.mutation for variant in experiment.variants if variant.mutation is not None}
    for config in seen:
        mutation = mutants.get(config.variant)
        if mutation is None or original is None or config.variant == experiment.baseline:
            continue
        changed = _changed(experiment, original, config)
        if changed != {mutation.component}:
            field = f"config.effective.{experiment.independent_variable}"
            place = Place(batch.runs.name, config.first_line, visible_id(config.first_run), field)
            named = [component for component in COMPONENTS if component in changed]
            other = ["another one"] if changed - {*COMPONENTS} else []
            expected = (
                f"a change of `{mutation.component}` alone for `{visible_id(config.variant)}` ({mutation.operator})"
            )
            found = f"changes of {in_words([*named, *other])}" if changed else "the value of the original"
            yield finding("RC322", place, expected, found, "change one component, or correct the operator")


def check_sources(batch: BatchSource, rows: list[RunRow], experiment: Experiment, *, every: bool) -> Iterator[Finding]:
    """RC323. Without `every`, runs may be missing from `rows`, and a source among them is not missed."""
    if experiment.kind == "comparison":
        return
    by_id = {row.run_id: row for row in rows}
    for row in sorted(rows, key=lambda row: row.line):
        problem = _wrong_source(row, by_id, experiment, every)
        if problem is not None:
            expected, found = problem
            remedy = "name the run that this one follows, and let projection.yaml show `source_run_id`"
            place = Place(batch.runs.name, row.line, visible_id(row.run_id), "source_run_id")
            yield finding("RC323", place, expected, found, remedy)


def _wrong_source(row: RunRow, by_id: dict[str, RunRow], experiment: Experiment, every: bool) -> tuple[str, str] | None:
    """What was expected and found, or None where nothing is wrong."""
    if row.variant == experiment.baseline:
        return None if row.source_run_id is None else ("none, for runs of the baseline are sources", "one")
    expected = f"a run of `{visible_id(experiment.baseline)}` and of the same case"
    if row.source_run_id is None:
        return (expected, "none") if experiment.kind == "metamorphic" else None
    source = by_id.get(row.source_run_id)
    if source is None:
        return (expected, "no run of this batch") if every else None
    if source.variant != experiment.baseline:
        return expected, f"a run of `{visible_id(source.variant)}`"
    return None if source.case_id == row.case_id else (expected, f"a run of the case `{visible_id(source.case_id)}`")


def _changed(experiment: Experiment, original: ConfigSeen, mutant: ConfigSeen) -> set[str]:
    """The keys below the independent variable at which two configurations differ."""
    variable = keys_to(experiment.independent_variable)
    one, other = (
        {keys: value for keys, value in leaves(config.effective) if is_below(keys, variable)}
        for config in (original, mutant)
    )
    paths = [keys for keys in one.keys() | other.keys() if not _is_same(one.get(keys, ABSENT), other.get(keys, ABSENT))]
    return {str(keys[len(variable)]) if len(keys) > len(variable) else "" for keys in paths}


def _is_same(one: Json | Absent, other: Json | Absent) -> bool:
    if isinstance(one, Absent) or isinstance(other, Absent):
        return one is other
    return canonical(one) == canonical(other)
