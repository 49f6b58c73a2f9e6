"""Which aspects of a number changed, and what it rests on."""

from typing import Literal

import msgspec

from generator.compare.published import Batch, Number

Aspect = Literal["value", "counts", "interval", "runset", "marks", "detail", "verdict", "evidence"]


def changed_figures(old: Number, new: Number) -> list[Aspect]:
    """Everything but the evidence, in this order."""
    pairs: list[tuple[Aspect, object, object]] = [
        ("value", _value(old), _value(new)),
        ("counts", _counts(old), _counts(new)),
        ("interval", old.interval, new.interval),
        ("runset", _runsets(old), _runsets(new)),
        ("marks", (old.marks, old.change), (new.marks, new.change)),
        ("detail", old.detail, new.detail),
        ("verdict", (old.verdict, old.tests, old.sequential), (new.verdict, new.tests, new.sequential)),
    ]
    return [aspect for aspect, before, after in pairs if before != after]


def _value(number: Number) -> object:
    return number.value, number.reason, number.unit


def _counts(number: Number) -> object:
    excluded = {key: counted.count for key, counted in number.excluded.items()}
    return number.numerator, number.denominator, excluded, 0 if number.missing is None else number.missing.count


def _runsets(number: Number) -> object:
    excluded = {key: counted.runset for key, counted in number.excluded.items()}
    missing = None if number.missing is None else number.missing.runset
    return number.runset, number.numerator_runset, excluded, missing


class Ground(msgspec.Struct, frozen=True):
    """What a number rests on in one site: the runs of its group, and the metrics whose assertions decide it."""

    runs: frozenset[str]
    metrics: frozenset[str]


def is_of_box(row: dict[str, object] | None) -> bool:
    """Whether a row of the metric table is about runs against the box profile."""
    return row is not None and str(row.get("operation")).startswith("box_")


def ground(
    number: Number, batch: Batch, rows: dict[str, dict[str, object]], columns: frozenset[str] = frozenset()
) -> Ground:
    """`rows` are those of the metric table, by id; `columns` those of the factors of the box profile.

    The group of a count is every run of its variant; that of a difference the groups of both sides; any other is what
    the number counts, misses and excludes. A derived number may rest on the pass metric.
    """
    if number.compares is not None:
        sides = [batch.numbers[side] for side in number.compares if side in batch.numbers]
        grounds = [ground(side, batch, rows, columns) for side in sides if side.compares is None]
        return Ground(
            frozenset(run for found in grounds for run in found.runs),
            frozenset(metric for found in grounds for metric in found.metrics),
        )
    row = rows.get(number.metric)
    aggregate = None if row is None else row.get("aggregate")
    if aggregate == "count":
        runs = {run.run_id for run in batch.head.runs if run.variant == number.variant}
        return Ground(frozenset(runs), frozenset())
    metrics = frozenset([batch.head.pass_metric if aggregate == "pass_hat" else number.metric])
    if aggregate == "derived":
        metrics |= {batch.head.pass_metric, *(columns if is_of_box(row) else ())}
    names = [number.runset, *(counted.runset for counted in number.excluded.values())]
    if number.missing is not None:
        names.append(number.missing.runset)
    runs = {run for name in names if name is not None for run in batch.runsets.get(name, [])}
    return Ground(frozenset(runs), metrics)
