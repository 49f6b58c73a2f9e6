"""What earlier batches of the same experiment say of a variant, and whether they may be compared."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from generator.aggregate.assumptions import judged
from generator.aggregate.made import Detail, Made
from generator.model.batches import Batch
from generator.model.formatting import exact, published_float
from generator.model.publication import Thresholds
from generator.model.report import BatchReport
from generator.model.rows import RunRow
from generator.stats.fisher import fisher_one_sided
from generator.stats.holm import holm
from generator.stats.regression import regression_verdict

_SAME = ("metric_table_version", "case_bank", "catalog", "fixtures", "judges")


@dataclass(frozen=True)
class Earlier:
    """Judged runs of a variant in an earlier batch. `difference` is the reason why its runs may not be taken together
    with those of the batch at hand; None where they may."""

    batch: str
    hits: int
    runs: int
    difference: str | None


def earlier_runs(variant: str, metric: str, batch: Batch, reports: Sequence[BatchReport]) -> list[Earlier]:
    """Of every earlier batch of the experiment, in the order of publication."""
    return list(_earlier_runs(variant, metric, batch, reports))


def against_earlier(
    variant: str,
    metric: str,
    levels: Thresholds,
    groups: Mapping[str, Sequence[RunRow]],
    newest: Mapping[str, Earlier | None],
) -> Made:
    """The value is the one-sided p-value of a drop since the newest earlier batch; `newest` by variant.

    All variants of the batch are one family.
    """
    counts = {name: (sum(hit for _, hit in ordered), len(ordered)) for name, ordered in _judged(metric, groups)}
    counted = tuple(run for run, _ in judged(metric, groups[variant]))
    before = newest[variant]
    if before is None or before.difference is not None:
        return Made(None, counted, "no_earlier_batch" if before is None else before.difference)
    if not counted or not before.runs:
        return Made(None, counted, "no_valid_runs" if not groups[variant] else "not_judged")
    compared = {
        name: (one.hits, one.runs, *counts[name])
        for name, one in newest.items()
        if one is not None and one.difference is None and one.runs and counts[name][1]
    }
    p_values = {name: fisher_one_sided(*four) for name, four in compared.items()}
    adjusted = dict(zip(p_values, holm(list(p_values.values()), exact(levels.alpha)).adjusted, strict=True))
    found = regression_verdict(
        *compared[variant],
        delta=exact(levels.delta),
        alpha=exact(levels.alpha),
        beta=exact(levels.beta),
        adjusted=adjusted[variant],
        comparisons=len(compared),
    )
    hits, n = counts[variant]
    detail: Detail = {
        "batch": before.batch,
        "decides": found.outcome,
        "earlier_hits": before.hits,
        "earlier_runs": before.runs,
        "hits": hits,
        "runs": n,
        "change": published_float(Fraction(hits, n) - Fraction(before.hits, before.runs)),
        "p_adjusted": published_float(adjusted[variant]),
        "power": None if found.power is None else published_float(found.power),
        "family_size": len(compared),
    }
    return Made(exact(published_float(p_values[variant])), counted, None, detail)


def _judged(metric: str, groups: Mapping[str, Sequence[RunRow]]) -> Iterator[tuple[str, list[tuple[RunRow, bool]]]]:
    return ((name, judged(metric, runs)) for name, runs in groups.items())


def _earlier_runs(variant: str, metric: str, batch: Batch, reports: Sequence[BatchReport]) -> Iterator[Earlier]:
    for report in reports:
        if report.batch.experiment != batch.experiment or variant not in report.accounting:
            continue
        outcomes = [hit for _, hit in judged(metric, (row for row in report.rows if row.variant == variant))]
        differing = next((name for name in _SAME if getattr(report.batch, name) != getattr(batch, name)), None)
        difference = None if differing is None else f"other_{differing}"
        yield Earlier(report.batch.id, sum(outcomes), len(outcomes), difference)
