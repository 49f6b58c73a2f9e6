"""The verdicts on the relations of a batch, as its site shows them: how often pairs of runs may violate what should
hold between them."""

from collections.abc import Iterator

from generator.model.addresses import file_name, slice_name, variant_name
from generator.model.formatting import exact, published_float
from generator.model.gate import GateCounts, GateScenario, Why
from generator.model.numbers import Number, Verdict
from generator.model.report import BatchReport

METRIC = "violation_rate"
_WHY: dict[str, Why] = {
    "pass": "violations_tolerated",
    "fail": "violations_beyond",
    "inconclusive": "violations_undecided",
}


def relation_scenarios(report: BatchReport) -> Iterator[GateScenario]:
    """One a relation, in the order of the template; none where the batch is of another kind."""
    original = report.experiment.baseline
    for variant in report.experiment.ordered_variants:
        slice_ = slice_name("relation", variant.id)
        number = report.number(variant_name(original), METRIC, slice_)
        if number is not None and number.verdict is not None:
            yield _scenario(report, original, number, number.verdict)


def _scenario(report: BatchReport, original: str, number: Number, verdict: Verdict) -> GateScenario:
    bound = exact(verdict.epsilon or 0) + exact(verdict.delta or 0)
    return GateScenario(
        id=number.id.removeprefix(f"{file_name(number.batch)}/"),
        variant=original,
        metric=number.metric,
        slice=number.slice,
        outcome=verdict.outcome,
        why=_WHY[verdict.outcome] if number.denominator else "no_judged_run",
        current=_counts(report, original, number),
        theta=published_float(bound),
        more_runs=verdict.more_runs,
    )


def _counts(report: BatchReport, original: str, number: Number) -> GateCounts:
    unpaired = (number.detail or {}).get("unpaired")
    assert isinstance(unpaired, dict)
    runs = None if number.numerator_runset is None else report.runsets[number.numerator_runset]
    return GateCounts(
        batch=number.batch,
        variant=original,
        hits=number.numerator or 0,
        n=number.denominator or 0,
        judged=number.denominator or 0,
        excluded={f"unpaired:{reason}": count for reason, count in unpaired.items() if isinstance(count, int)},
        value=number.value,
        interval=number.interval,
        number=number.id,
        page=number.page,
        missed=list(runs or ()),
        waived=[],
    )
