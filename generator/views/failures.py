"""What failed, put down to its layer and entry; and examples of failures and successes, chosen by a rule."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from generator.model.assertions import layer_place
from generator.model.experiments import Variant
from generator.model.report import BatchReport
from generator.model.rows import RunRow
from generator.views.frame import shown_variants

RUNS_SHOWN = 12
ENTRIES_SHOWN = 60
EXAMPLES = 3


@dataclass(frozen=True)
class EntryRuns:
    """Runs of one variant that failed at one entry: the first by run id, and whether there are more."""

    shown: list[RunRow]
    more: bool


@dataclass(frozen=True)
class FailureEntry:
    """`entry` is None where the layer names none."""

    entry: str | None
    by_variant: list[EntryRuns]


@dataclass(frozen=True)
class FailureLayer:
    layer: str
    metric: str
    entries: list[FailureEntry]
    more: bool


@dataclass(frozen=True)
class Examples:
    """The first runs by run id of a variant that failed and that passed."""

    variant: Variant
    failures: list[RunRow] = field(default_factory=list)
    successes: list[RunRow] = field(default_factory=list)


def failure_layers(batch: BatchReport) -> list[FailureLayer]:
    """Every attribution of every run: layers in the order of the judge, guards after it by metric id."""
    found: dict[tuple[str, str], dict[str | None, list[RunRow]]] = {}
    for row in batch.rows:
        for attribution in row.attribution:
            entries = found.setdefault((attribution.layer, attribution.metric), {})
            for entry in dict.fromkeys(attribution.entries) or [None]:
                entries.setdefault(entry, []).append(row)
    variants = [variant.id for variant in shown_variants(batch)]
    return [
        FailureLayer(
            layer,
            metric,
            [
                FailureEntry(entry, [_runs_of(variant, found[layer, metric][entry]) for variant in variants])
                for entry in sorted(found[layer, metric], key=lambda entry: entry or "")[:ENTRIES_SHOWN]
            ],
            more=len(found[layer, metric]) > ENTRIES_SHOWN,
        )
        for layer, metric in sorted(found, key=_layer_order)
    ]


def failed(row: RunRow, pass_metric: str) -> bool:
    """A valid run that did not pass: its state says so, or its pass metric missed."""
    judged = row.assertions.get(pass_metric)
    return row.state == "FAILED" or (judged is not None and judged.outcome == "miss")


def passed(row: RunRow, pass_metric: str) -> bool:
    judged = row.assertions.get(pass_metric)
    return row.state == "COMPLETE" and judged is not None and judged.outcome == "hit"


def examples(batch: BatchReport) -> list[Examples]:
    metric = batch.experiment.pass_metric
    return [
        Examples(
            variant,
            _first(row for row in batch.rows if row.variant == variant.id and failed(row, metric)),
            _first(row for row in batch.rows if row.variant == variant.id and passed(row, metric)),
        )
        for variant in shown_variants(batch)
    ]


def _first(rows: Iterable[RunRow]) -> list[RunRow]:
    return sorted(rows, key=lambda row: row.run_id)[:EXAMPLES]


def _runs_of(variant: str, rows: list[RunRow]) -> EntryRuns:
    own = sorted((row for row in rows if row.variant == variant), key=lambda row: row.run_id)
    return EntryRuns(own[:RUNS_SHOWN], len(own) > RUNS_SHOWN)


def _layer_order(key: tuple[str, str]) -> tuple[int, str, str]:
    layer, metric = key
    return layer_place(layer), layer, metric
