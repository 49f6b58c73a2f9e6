"""Whether the variants of a batch may be compared: what differs, what was asked for and was not in effect, in which
order the runs were made."""

from dataclasses import dataclass, replace
from typing import Literal

from generator.model.base import Text
from generator.model.canonical import canonical
from generator.model.experiments import Experiment, Variant
from generator.model.json_leaves import Keys, dotted, is_below, keys_to, leaves
from generator.model.report import BatchReport, Report
from generator.model.rows import UNPUBLISHED, ConfigSeen, RunRow
from generator.views.configuration import ABSENT_VALUE, WITHHELD, ShownValue, public_name, shown_value
from generator.views.frame import shown_variants

ORDER_WIDTH = 1000
RUNS_SHOWN = 6

Role = Literal["independent", "accepted", "other"]


@dataclass(frozen=True)
class Difference:
    """A leaf of the configuration whose values are not the same under all variants, and what may be shown of them: each
    value that occurs under a variant. `path` is None where the name is withheld with the values."""

    path: str | None
    role: Role
    reason: Text | None
    values: list[list[ShownValue]]


@dataclass(frozen=True)
class NotInEffect:
    """A path whose requested value was not the effective one, with the first runs by run id for each variant. `path` is
    None for all paths that are withheld."""

    path: str | None
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
    return Comparability(_differences(batch, variants), _not_in_effect(batch, variants), _order(batch, variants))


Values = dict[bytes | None, ShownValue]
"""What occurs at a leaf under one variant: the canonical form of the value, by which values are compared, and how it is
shown."""


def _differences(batch: BatchReport, variants: list[Variant]) -> list[Difference]:
    """Public leaves by path, then what is withheld, all leaves of one name together."""
    configs = [[_Seen(seen) for seen in batch.configs if seen.variant == variant.id] for variant in variants]
    shown: list[Difference] = []
    hidden: dict[tuple[Role, str | None], list[Difference]] = {}
    for keys in sorted({keys for own in configs for seen in own for keys in seen.leaves}):
        by_variant: list[Values] = [dict(seen.at(keys) for seen in own) for own in configs]
        if all(values.keys() == by_variant[0].keys() for values in by_variant):
            continue
        role, reason, root = _role(batch.experiment, keys)
        values = [[values[form] for form in sorted(values, key=lambda form: form or b"")] for values in by_variant]
        if any(keys in seen.published.values for own in configs for seen in own):
            shown.append(Difference(dotted(keys), role, reason, values))
        else:
            name = None if root is None else public_name([keys], root)
            hidden.setdefault((role, name), []).append(Difference(name, role, reason, values))
    return shown + [_together(alike) for alike in hidden.values()]


class _Seen:
    """A configuration with its leaves."""

    def __init__(self, seen: ConfigSeen) -> None:
        self.leaves = dict(leaves(seen.effective))
        self.published = seen.published

    def at(self, keys: Keys) -> tuple[bytes | None, ShownValue]:
        """The form of a value, which no other value has and no JSON where there is none, and how it is shown."""
        if keys not in self.leaves:
            return b"absent", ABSENT_VALUE
        return canonical(self.leaves[keys]), shown_value(self.published, keys)


def _together(alike: list[Difference]) -> Difference:
    """Withheld leaves of one name as one: withheld under a variant that has any of them."""
    columns = zip(*(difference.values for difference in alike), strict=True)
    values = [[WITHHELD] if any(WITHHELD in found for found in column) else [ABSENT_VALUE] for column in columns]
    return replace(alike[0], values=values)


def _role(experiment: Experiment, keys: Keys) -> tuple[Role, Text | None, Keys | None]:
    """With the path of the template that the leaf lies at or below; None where it names none."""
    variable = keys_to(experiment.independent_variable)
    if is_below(keys, variable):
        return "independent", None, variable
    for accepted in experiment.accepted_differences:
        if is_below(keys, keys_to(accepted.path)):
            return "accepted", accepted.reason, keys_to(accepted.path)
    return "other", None, None


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
        found.append(NotInEffect(None if path == UNPUBLISHED else path, [group[:RUNS_SHOWN] for group in groups], more))
    return found


def _order(batch: BatchReport, variants: list[Variant]) -> list[OrderStrip]:
    """Rows are in executed order, so the place of a row is its index."""
    total = max(len(batch.rows), 1)
    places: dict[str, list[int]] = {variant.id: [] for variant in variants}
    for index, row in enumerate(batch.rows):
        places.setdefault(row.variant, []).append(index * ORDER_WIDTH // total)
    return [OrderStrip(variant, sorted(set(places[variant.id]))) for variant in variants]
