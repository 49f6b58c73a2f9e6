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
    """Judged runs of a variant in an earlier batch. `difference` is the reason why they may not be compared with those
    of the batch at hand; None where they may. With `is_other_agent` the configuration differs: that is what a
    comparison is for, but such runs are no runs of this agent."""

    batch: str
    hits: int
    runs: int
    difference: str | None
    is_other_agent: bool = False

    @property
    def why_not_pooled(self) -> str | None:
        """The reason why these runs say nothing of the agent at hand; None where they do."""
        if self.difference is not None:
            return self.difference
        if self.is_other_agent:
            return "other_configuration"
        return None if self.runs else "no_earlier_run"


def earlier_runs(
    variant: str, metric: str, batch: Batch, runs: Sequence[RunRow], reports: Sequence[BatchReport]
) -> list[Earlier]:
    """Of every earlier batch of the experiment, in the order of publication. `runs` are those of the batch at hand."""
    configurations = {run.config_hash for run, _ in judged(metric, runs)}
    return list(_earlier_runs(variant, metric, batch, configurations, reports))


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


def _earlier_runs(
    variant: str, metric: str, batch: Batch, configurations: set[str], reports: Sequence[BatchReport]
) -> Iterator[Earlier]:
    for report in reports:
        if report.batch.experiment != batch.experiment or variant not in report.accounting:
            continue
        runs = judged(metric, (row for row in report.rows if row.variant == variant))
        differing = next((name for name in _SAME if getattr(report.batch, name) != getattr(batch, name)), None)
        if differing is None and set(report.batch.planned.cases) != set(batch.planned.cases):
            differing = "cases"
        difference = None if differing is None else f"other_{differing}"
        is_other_agent = {run.config_hash for run, _ in runs} != configurations
        yield Earlier(report.batch.id, sum(hit for _, hit in runs), len(runs), difference, is_other_agent)
