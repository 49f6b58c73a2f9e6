"""Numbers that an operation of the closed list makes of many runs at once."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence

import msgspec

from generator.aggregate.assumptions import effective_runs, identical_answers, judge_agreement, order_drift
from generator.aggregate.behaviour import COVERAGES, Cover
from generator.aggregate.boundaries import boundary_change, tokens_per_call
from generator.aggregate.budget import fidelity, runs_needed, warm_start_runs
from generator.aggregate.completion import Sliced, within
from generator.aggregate.earlier import Earlier, against_earlier, earlier_runs
from generator.aggregate.fingerprint import dimension, shift
from generator.aggregate.groups import Setting, measured_number
from generator.aggregate.kinds import KINDS
from generator.aggregate.made import Ground, Made
from generator.aggregate.measures import Measure
from generator.aggregate.strata import call_strata, run_strata
from generator.aggregate.table import NOT_GIVEN, Positions
from generator.aggregate.waived import gate_failures, waived_failures
from generator.model.addresses import difference_variant, variant_name
from generator.model.metrics import PAIRED, Metric
from generator.model.numbers import Number
from generator.model.publication import Thresholds
from generator.model.report import BatchReport
from generator.model.rows import RunRow
from generator.model.source import Source

Operation = Callable[[Ground, tuple[str, ...]], Made]


def _covered(cover: Cover) -> Operation:
    def operation(ground: Ground, variants: tuple[str, ...]) -> Made:
        return cover(ground.source, ground.setting.batch, variants[0], ground.runs[variants[0]])

    return operation


def _judged(made: Callable[[str, Thresholds, Sequence[RunRow]], Made]) -> Operation:
    """Of what is made of the outcomes of the pass metric."""

    def operation(ground: Ground, variants: tuple[str, ...]) -> Made:
        return made(ground.pass_metric, ground.levels, ground.runs[variants[0]])

    return operation


def _earlier(ground: Ground, variant: str) -> list[Earlier]:
    """What the earlier batches of the experiment say of a variant, oldest first."""
    return earlier_runs(variant, ground.pass_metric, ground.setting.batch, ground.runs[variant], ground.published)


def _warm(ground: Ground, variants: tuple[str, ...]) -> Made:
    runs, earlier = ground.runs[variants[0]], _earlier(ground, variants[0])
    return warm_start_runs(ground.pass_metric, ground.levels, runs, earlier)


def _against_earlier(ground: Ground, variants: tuple[str, ...]) -> Made:
    newest = {variant: next(reversed(_earlier(ground, variant)), None) for variant in ground.runs}
    return against_earlier(variants[0], ground.pass_metric, ground.levels, ground.runs, newest)


def _fidelity(ground: Ground, variants: tuple[str, ...]) -> Made:
    return fidelity(ground.pass_metric, ground.levels, {variant: ground.runs[variant] for variant in variants})


OPERATIONS: dict[str, Operation] = {
    "order_drift": _judged(order_drift),
    "identical_answers": lambda ground, variants: identical_answers(ground.runs[variants[0]]),
    "judge_agreement": lambda ground, variants: judge_agreement(ground.runs[variants[0]]),
    "effective_runs": _judged(effective_runs),
    "runs_needed": _judged(runs_needed),
    "warm_start_runs": _warm,
    "fidelity": _fidelity,
    "against_earlier": _against_earlier,
    "hotelling": lambda ground, variants: shift(ground.features, *(ground.runs[variant] for variant in variants)),
    "effective_dimension": lambda ground, variants: dimension(ground.features, ground.runs[variants[0]]),
    "tokens_per_call": lambda ground, variants: tokens_per_call(ground, variants[0]),
    "boundary_change": boundary_change,
    "time_strata_runs": lambda ground, variants: run_strata(ground, variants[0]),
    "time_strata_calls": lambda ground, variants: call_strata(ground, variants[0]),
    **{name: _covered(cover) for name, cover in COVERAGES.items()},
}
"""Operation → what it makes of the valid runs of one variant, or of a variant and the baseline."""

SLICED: dict[str, Callable[[Ground], Iterator[Sliced]]] = {
    "time_within": within,
    "gate_failures": gate_failures,
    "waived_failures": waived_failures,
}
"""Operation → its numbers of a batch, each of one variant; none where it says nothing."""


def derived_numbers(
    setting: Setting, source: Source, metric: Metric, published: Sequence[BatchReport] = ()
) -> Iterator[Number]:
    """One a variant; of an operation that compares, one a variant besides the baseline; of one on all runs of a batch
    of its kind, one for the whole and for each slice, under the name of the baseline; of one that has slices, those.
    `published` are the batches that were published before.

    Raises
    ------
    ValueError
        The table names an operation that has no code.
    """
    name = metric.operation or ""
    if name not in OPERATIONS and name not in KINDS and name not in SLICED:
        raise ValueError(f"{metric.id}: no code for the operation {metric.operation}")
    runs = {
        variant: [row for row in setting.table.rows if row.variant == variant and row.validity == "valid"]
        for variant in setting.variants
    }
    ground = Ground(source, setting, runs, published)
    baseline = setting.experiment.baseline
    if name in KINDS:
        groups, operate = KINDS[name]
        for group in groups(setting):
            made = operate(ground, group)
            yield _number(ground, metric, baseline, variant_name(baseline), group.variants, made, group.slice)
        return
    if name in SLICED:
        for variant, slice_, made in SLICED[name](ground):
            yield _number(ground, metric, variant, variant_name(variant), (variant,), made, slice_)
        return
    operation = OPERATIONS[name]
    if metric.operation in PAIRED:
        pairs = [(variant, baseline) for variant in setting.variants if variant != baseline and baseline in runs]
        for pair in pairs:
            name = difference_variant(*pair)
            yield _number(ground, metric, name, name, pair, operation(ground, pair))
        return
    for variant in setting.variants:
        made = operation(ground, (variant,))
        yield _number(ground, metric, variant, variant_name(variant), (variant,), made)


def _number(
    ground: Ground,
    metric: Metric,
    variant: str,
    group: str,
    variants: tuple[str, ...],
    made: Made,
    slice_: str | None = None,
) -> Number:
    setting = ground.setting
    counted = _places(setting, made.counted)
    valid = [row for one in variants for row in ground.runs[one]]
    left_out = {row.run_id for row in valid}.difference(row.run_id for row in made.counted)
    measure = Measure(
        value=made.value,
        sample=counted,
        denominator=len(counted),
        excluded=_excluded(setting, variants),
        missing=_places(setting, (row for row in valid if row.run_id in left_out)),
        numerator=None if made.hits is None else _places(setting, made.hits),
        interval=made.interval,
        reason=made.reason,
    )
    return msgspec.structs.replace(
        measured_number(setting, metric, group, slice_, measure),
        variant=variant,
        marks=("small_n",) if made.value is not None and _is_small(ground, variants, made) else (),
        verdict=made.verdict,
        detail=made.detail,
    )


def _places(setting: Setting, rows: Iterable[RunRow]) -> Positions:
    ids = {row.run_id for row in rows}
    return setting.table.select([row.run_id in ids for row in setting.table.rows])


def _excluded(setting: Setting, variants: tuple[str, ...]) -> dict[str, Positions]:
    """Runs that are not valid, by reason: invalid first, then cancelled."""
    found: dict[str, list[RunRow]] = defaultdict(list)
    for row in setting.table.rows:
        if row.variant in variants and row.validity != "valid":
            found[f"{row.validity}:{row.reason or NOT_GIVEN}"].append(row)
    order = sorted(found, key=lambda key: (key.startswith("cancelled:"), key))
    return {key: _places(setting, found[key]) for key in order}


def _is_small(ground: Ground, variants: tuple[str, ...], made: Made) -> bool:
    """Whether one of the groups that are compared, or the runs of a ratio together, are fewer than the threshold."""
    groups = [sum(row.variant == variant for row in made.counted) for variant in variants]
    return (min(groups) if made.hits is None else len(made.counted)) < ground.setting.threshold
