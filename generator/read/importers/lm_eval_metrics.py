"""Metrics of lm-eval: which column of a sample is the verdict, and the headline that the results state."""

import math

from generator.model.base import Json
from generator.model.batches import DifferenceReason
from generator.read.importers.harness import Reported
from generator.read.importers.values import as_count, as_list, as_number, as_object, as_text

PREFERRED = ("exact_match", "acc", "pass@1", "acc_norm", "em", "f1")
Scored = list[tuple[str, str | None, list[dict[str, Json]]]]


def main_metric(rows: list[dict[str, Json]]) -> str | None:
    """The metric that says whether a document was passed: one that is 0 or 1 everywhere, else one that is between.

    The usual ones go first, then the order of the file. A metric on another scale (BLEU in percent, an error) is no
    verdict.
    """
    names = list(dict.fromkeys(str(name) for row in rows for name in as_list(row.get("metrics"))))
    ordered = [*(name for name in PREFERRED if name in names), *(name for name in names if name not in PREFERRED)]
    values = {name: [as_number(row.get(name)) for row in rows] for name in ordered}
    whole = [name for name in ordered if all(value in (0, 1) for value in values[name])]
    shares = [name for name in ordered if all(value is not None and 0 <= value <= 1 for value in values[name])]
    return next(iter([*whole, *shares]), None)


def reported(head: dict[str, Json], scored: Scored) -> list[Reported]:
    """The main metric of the one task and filter. Of several, no headline is of all runs."""
    if len(scored) != 1:
        return []
    task, metric, rows = scored[0]
    filters = {as_text(row.get("filter")) or "none" for row in rows}
    if metric is None or len(filters) != 1:
        return []
    name = f"{metric},{filters.pop()}"
    value = as_number(as_object(as_object(head.get("results")).get(task)).get(name))
    if value is None:
        return []
    count = as_count(as_object(as_object(head.get("n-samples")).get(task)).get("effective"))
    return [
        Reported(name=f"{task}/{name}", value=value, denominator=count, reasons=_reasons(rows, metric, value, count))
    ]


def _reasons(rows: list[dict[str, Json]], metric: str, value: float | int, count: int | None) -> list[DifferenceReason]:
    values = [given for row in rows if (given := as_number(row.get(metric))) is not None]
    reasons: list[DifferenceReason] = ["other_runs"] if count is not None and count != len(rows) else []
    is_mean = bool(values) and math.isclose(math.fsum(values) / len(values), value, rel_tol=1e-9, abs_tol=1e-9)
    if is_mean and any(0 < given < 1 for given in values):
        reasons.append("partial_credit")
    return reasons
