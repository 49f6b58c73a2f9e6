"""The report of one batch."""

from collections.abc import Iterator, Sequence

import msgspec

from generator.aggregate.accounting import account
from generator.aggregate.box import Box
from generator.aggregate.composed import composed
from generator.aggregate.decisions import Decisions
from generator.aggregate.derived import derived_numbers, valid_runs
from generator.aggregate.differences import Pair, difference
from generator.aggregate.groups import Setting, sliced_numbers, whole_numbers
from generator.aggregate.made import Ground
from generator.aggregate.runsets import RunSets
from generator.aggregate.table import By, RunTable
from generator.model.addresses import difference_variant, number_id
from generator.model.batches import Batch
from generator.model.box import COMPARED, RMSL
from generator.model.experiments import Experiment
from generator.model.formatting import exact, published_float
from generator.model.measured import measured
from generator.model.metrics import Metric
from generator.model.numbers import Interval, Number
from generator.model.report import BatchReport
from generator.model.rows import ConfigSeen, RunRow
from generator.model.source import Source


def make_report(
    source: Source,
    batch: Batch,
    rows: Sequence[RunRow],
    configs: Sequence[ConfigSeen],
    published: Sequence[BatchReport] = (),
) -> BatchReport:
    """See `generator.aggregate.aggregate_batch`."""
    experiment = source.experiments[batch.experiment]
    table = RunTable(rows)
    variants = _variants(experiment, batch, table)
    setting = Setting(
        batch=batch,
        experiment=experiment,
        table_version=source.metrics.version,
        variants=variants,
        accounting={variant: account(batch, variant, table) for variant in variants},
        threshold=source.min_valid(experiment),
        level=published_float(1 - exact(source.publication.thresholds.alpha)),
        interval_method=source.publication.thresholds.interval,
        order=_order(source, batch),
        table=table,
        runsets=RunSets(table),
        time_caps=source.time_caps,
    )
    ground = _ground(source, setting, published)
    numbers = {number.id: number for number in _numbers(ground)}
    decisions = Decisions(setting, source.publication.thresholds, source.metrics.by_id())
    numbers = {number.id: number for number in decisions.decided(numbers)}
    return BatchReport(
        batch=batch,
        experiment=experiment,
        rows=sorted(table.rows, key=lambda row: (row.sequence, row.run_id)),
        numbers=numbers,
        runsets=setting.runsets.by_name,
        accounting=setting.accounting,
        measurement=measured(source.metrics.metrics, table.rows),
        configs=sorted(configs, key=lambda seen: (variants.index(seen.variant), seen.first_line, seen.config_hash)),
        box={} if ground.box is None else ground.box.of_runs(),
    )


def _ground(source: Source, setting: Setting, published: Sequence[BatchReport]) -> Ground:
    """Mutants, and runs that follow others, are not held against the box: they try the tests, not the agent."""
    runs, profile = valid_runs(setting), source.box_profile
    is_boxed = profile is not None and setting.experiment.kind == "comparison"
    return Ground(
        source, setting, runs, published, Box(profile, runs, source.time_caps) if profile and is_boxed else None
    )


def _numbers(ground: Ground) -> Iterator[Number]:
    """Metric by metric in the order of the table: the whole groups, their differences, the slices."""
    setting = ground.setting
    for metric in ground.source.metrics.metrics:
        if metric.family is not None or metric.aggregate == "evidence":
            continue
        if metric.operation is not None:
            derived = list(derived_numbers(ground, metric))
            yield from derived
            if metric.operation in COMPARED:
                yield from _differences(ground, metric, {number.variant: number for number in derived})
            continue
        whole = {number.variant: number for number in whole_numbers(setting, metric)}
        yield from whole.values()
        yield from _differences(ground, metric, whole)
        yield from sliced_numbers(setting, metric)


def _differences(ground: Ground, metric: Metric, whole: dict[str, Number]) -> Iterator[Number]:
    """One a variant besides the baseline. Accounting has none: it says what became of the plan, not how agents do. Of
    mutants, and of runs that follow others, only the pass metric is compared."""
    setting = ground.setting
    baseline, experiment = whole.get(setting.experiment.baseline), setting.experiment
    is_compared = experiment.kind == "comparison" or metric.id == experiment.pass_metric
    if baseline is None or metric.aggregate == "count" or not is_compared:
        return
    of_cases = metric.aggregate == "pass_hat"
    for number in whole.values():
        if number is not baseline:
            same_cases = not of_cases or _cases(setting, number) == _cases(setting, baseline)
            drawn = _drawn(ground, metric, number, baseline)
            found = difference(Pair(metric, number, baseline, same_cases, drawn), setting.level)
            if found is not None:
                yield msgspec.structs.replace(found, detail=composed(setting, metric, number.variant))


def _drawn(ground: Ground, metric: Metric, number: Number, baseline: Number) -> Interval | None:
    """Of RMSL. The id of the difference names the stream."""
    if ground.box is None or metric.operation != RMSL or number.value is None or baseline.value is None:
        return None
    seed = number_id(number.batch, difference_variant(number.variant, baseline.variant), metric.id)
    return ground.box.rmsl_interval(number.variant, baseline.variant, seed, ground.setting.level)


def _cases(setting: Setting, number: Number) -> set[str]:
    """The cases of the runs that a number counts."""
    runs = set() if number.runset is None else set(setting.runsets.by_name[number.runset])
    return {row.case_id for row in setting.table.rows if row.run_id in runs}


def _variants(experiment: Experiment, batch: Batch, table: RunTable) -> list[str]:
    """Baseline first, then as registered; what is not registered (validation refuses it) last."""
    present = set(batch.planned.variants) | {row.variant for row in table.rows}
    known = [variant.id for variant in experiment.ordered_variants if variant.id in present]
    return known + sorted(present.difference(known))


def _order(source: Source, batch: Batch) -> dict[By, list[str]]:
    bank = source.case_banks.get(batch.case_bank.id)
    categories = [] if bank is None else [category.id for category in bank.categories]
    return {"category": categories, "case": list(batch.planned.cases), "stratum": []}
