"""Failures of the pass metric, told apart by whether the batch has waived their case: the gate beside the score.

A waiver takes nothing out of a rate. It says which failures a release does not stop for.
"""

from collections.abc import Iterator
from fractions import Fraction

from generator.aggregate.completion import Sliced
from generator.aggregate.made import Detail, Ground, Made
from generator.model.addresses import file_name
from generator.model.rows import RunRow

Judged = tuple[RunRow, bool]


def gate_failures(ground: Ground) -> Iterator[Sliced]:
    """Failed runs of cases that are not waived, one number a variant of a batch with waivers. Where no run of such a
    case was judged nothing is decided."""
    waived = _waived(ground)
    for variant in ground.setting.variants if waived else ():
        judged = _judged(ground, variant)
        failed = tuple(row for row, good in judged if not good and row.case_id not in waived)
        detail: Detail = {"decides": "fail" if failed else "pass", "waived_cases": len(waived)}
        if all(row.case_id in waived for row, _ in judged):
            judged = []
        yield variant, None, _counted(ground, variant, judged, failed, detail)


def waived_failures(ground: Ground) -> Iterator[Sliced]:
    """Failed runs of waived cases, one number a variant of a batch with waivers."""
    waived = _waived(ground)
    for variant in ground.setting.variants if waived else ():
        judged = _judged(ground, variant)
        failed = tuple(row for row, good in judged if not good and row.case_id in waived)
        detail: Detail = {"cases": {file_name(case): _case(case, judged) for case in sorted(waived)}}
        yield variant, None, _counted(ground, variant, judged, failed, detail)


def _waived(ground: Ground) -> frozenset[str]:
    return frozenset(waiver.case for waiver in ground.setting.batch.waivers)


def _judged(ground: Ground, variant: str) -> list[Judged]:
    """The runs to which the pass metric applies, and whether that was good."""
    metric = ground.source.metrics.metric(ground.pass_metric)
    found = []
    for row in ground.runs[variant]:
        outcome = row.assertions[metric.id].outcome
        if outcome in ("hit", "miss"):
            found.append((row, (outcome == "hit") == (metric.direction != "lower")))
    return found


def _case(case: str, judged: list[Judged]) -> Detail:
    own = [good for row, good in judged if row.case_id == case]
    return {"case": case, "failures": own.count(False), "judged": len(own)}


def _counted(ground: Ground, variant: str, judged: list[Judged], failed: tuple[RunRow, ...], detail: Detail) -> Made:
    if not judged:
        return Made(None, (), "not_judged" if ground.runs[variant] else "no_valid_runs", hits=())
    return Made(Fraction(len(failed)), tuple(row for row, _ in judged), None, detail, hits=failed)
