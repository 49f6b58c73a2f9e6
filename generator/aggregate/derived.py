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
from generator.model.addresses import difference_variant, slice_name, variant_name
from generator.model.box import BOX_OPERATIONS, FACTOR, MARGIN
from generator.model.metrics import PAIRED, Metric
from generator.model.numbers import Number
from generator.model.publication import Thresholds
from generator.model.rows import RunRow

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


def _margin(ground: Ground, variants: tuple[str, ...]) -> Made:
    assert ground.box is not None
    return ground.box.margin(*variants)


OPERATIONS: dict[str, Operation] = {
    "order_drift": _judged(order_drift),
    "identical_answers": lambda ground, variants: identical_answers(ground.runs[variants[0]]),
    "judge_agreement": lambda ground, variants: judge_agreement(ground.runs[variants[0]]),
    "effective_runs": _judged(effective_runs),
    "runs_needed": _judged(runs_needed),
    "warm_start_runs": _warm,
    "fidelity": _fidelity,
    "against_earlier": _against_earlier,
    "hotelling": lambda ground, variants: shift(
        ground.features, ground.levels.alpha, *(ground.runs[variant] for variant in variants)
    ),
    "effective_dimension": lambda ground, variants: dimension(ground.features, ground.runs[variants[0]]),
    MARGIN: _margin,
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


def valid_runs(setting: Setting) -> dict[str, list[RunRow]]:
    """The valid runs of each variant, in the order of their ids."""
    runs: dict[str, list[RunRow]] = {variant: [] for variant in setting.variants}
    for row in setting.table.rows:
        if row.validity == "valid":
            runs[row.variant].append(row)
    return runs


def derived_numbers(ground: Ground, metric: Metric) -> Iterator[Number]:
    """One a variant; of an operation that compares, one a variant besides the baseline; of one on all runs of a batch
    of its kind, one for the whole and for each slice, under the name of the baseline; of one that has slices, those.
    Those of the box are made where there is a profile.

    Raises
    ------
    ValueError
        The table names an operation that has no code.
    """
    name, setting, runs = metric.operation or "", ground.setting, ground.runs
    if not any(name in known for known in (OPERATIONS, KINDS, SLICED, BOX_OPERATIONS)):
        raise ValueError(f"{metric.id}: no code for the operation {metric.operation}")
    baseline = setting.experiment.baseline
    if name in BOX_OPERATIONS and name != MARGIN:
        yield from _of_box(ground, metric)
        return
    if name == MARGIN and ground.box is None:
        return
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


def _of_box(ground: Ground, metric: Metric) -> Iterator[Number]:
    """One a variant, or one a variant and factor; none without a profile."""
    box, setting, operation = ground.box, ground.setting, metric.operation
    if box is None or operation is None:
        return
    for variant in setting.variants:
        for factor, made in box.of_variant(variant, operation, setting.level, setting.interval_method):
            slice_ = None if factor is None else slice_name(FACTOR, factor)
            yield _number(ground, metric, variant, variant_name(variant), (variant,), made, slice_)


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
        marks=_marks(ground, variants, made),
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


def _marks(ground: Ground, variants: tuple[str, ...], made: Made) -> tuple[str, ...]:
    if made.value is None:
        return ()
    return (*(("small_n",) if _is_small(ground, variants, made) else ()), *made.marks)
