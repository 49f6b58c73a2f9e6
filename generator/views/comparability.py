"""Whether the variants of a batch may be compared: what differs, what was asked for and was not in effect, in which
order the runs were made."""

from dataclasses import dataclass
from typing import Literal

from generator.model.base import Text
from generator.model.experiments import Experiment, Variant
from generator.model.report import BatchReport, Report
from generator.model.rows import ConfigSeen, RunRow
from generator.views.configuration import flatten, published_paths, shown_values, value_words
from generator.views.frame import shown_variants

ORDER_WIDTH = 1000
RUNS_SHOWN = 6

Role = Literal["independent", "accepted", "other"]


@dataclass(frozen=True)
class Difference:
    """A path whose values are not the same under all variants. A value is None where the path is absent, an empty list
    where the whitelist withholds it."""

    path: str
    role: Role
    reason: Text | None
    values: list[list[str] | None]


@dataclass(frozen=True)
class NotInEffect:
    """A path whose requested value was not the effective one, with the first runs by run id for each variant."""

    path: str
    by_variant: list[list[RunRow]]
    more: bool


@dataclass(frozen=True)
class OrderStrip:
    """Places of a variant's runs in the executed order, as whole steps of `ORDER_WIDTH`."""

    variant: Variant
    places: list[int]


@dataclass(frozen=True)
class Comparability:
    differences: list[Difference]
    not_in_effect: list[NotInEffect]
    order: list[OrderStrip]


def comparability(report: Report, batch: BatchReport) -> Comparability:
    variants = shown_variants(batch)
    is_published = published_paths(report.source.projection)
    by_variant = [config_values(batch.configs, variant.id) for variant in variants]
    differences = []
    for path in sorted({path for values in by_variant for path in values}):
        found = [values.get(path) for values in by_variant]
        if all(values == found[0] for values in found):
            continue
        role, reason = _role(batch.experiment, path)
        shown = [shown_values(values, path, is_published) for values in found]
        differences.append(Difference(path, role, reason, shown))
    return Comparability(differences, _not_in_effect(batch, variants), _order(batch, variants))


def config_values(configs: list[ConfigSeen], variant: str) -> dict[str, list[str]]:
    """Path → the values that occur in the effective configurations of a variant, sorted, each once."""
    found: dict[str, set[str]] = {}
    for seen in configs:
        if seen.variant == variant:
            for path, value in flatten(seen.effective):
                found.setdefault(path, set()).add(value_words(value))
    return {path: sorted(values) for path, values in found.items()}


def below(path: str, root: str) -> bool:
    """Whether `path` is `root` or lies inside it."""
    return path == root or path.startswith((f"{root}.", f"{root}["))


def _role(experiment: Experiment, path: str) -> tuple[Role, Text | None]:
    if below(path, experiment.independent_variable):
        return "independent", None
    for accepted in experiment.accepted_differences:
        if below(path, accepted.path):
            return "accepted", accepted.reason
    return "other", None


def _not_in_effect(batch: BatchReport, variants: list[Variant]) -> list[NotInEffect]:
    by_path: dict[str, list[RunRow]] = {}
    for row in batch.rows:
        for path in row.requested_differs:
            by_path.setdefault(path, []).append(row)
    found = []
    for path, rows in sorted(by_path.items()):
        ordered = sorted(rows, key=lambda row: row.run_id)
        groups = [[row for row in ordered if row.variant == variant.id] for variant in variants]
        more = any(len(group) > RUNS_SHOWN for group in groups)
        found.append(NotInEffect(path, [group[:RUNS_SHOWN] for group in groups], more))
    return found


def _order(batch: BatchReport, variants: list[Variant]) -> list[OrderStrip]:
    """Rows are in executed order, so the place of a row is its index."""
    total = max(len(batch.rows), 1)
    places: dict[str, list[int]] = {variant.id: [] for variant in variants}
    for index, row in enumerate(batch.rows):
        places.setdefault(row.variant, []).append(index * ORDER_WIDTH // total)
    return [OrderStrip(variant, sorted(set(places[variant.id]))) for variant in variants]
