"""A verdict on each scenario: against theta, or against the baseline with one correction over all of them."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from generator.decide.levels import Levels
from generator.decide.scenarios import Group
from generator.model.addresses import number_id, number_page, variant_name
from generator.model.formatting import exact, published_float
from generator.model.gate import GateCounts, GateMeasure, GateScenario, Why
from generator.model.numbers import Interval
from generator.stats.fisher import fisher_one_sided
from generator.stats.holm import holm
from generator.stats.paired import CaseCounts, stratified_exact
from generator.stats.proportions import INTERVALS, newcombe_interval
from generator.stats.regression import RegressionVerdict, regression_verdict
from generator.stats.sample_size import sample_size
from generator.stats.thresholds import runs_to_decide, threshold_verdict

STRATIFIED_RUNS = 5000
"""Of both groups: beyond them the test by case takes more than seconds, and decides nothing."""


_WHY: dict[str, Why] = {"pass": "at_threshold", "fail": "below_threshold", "inconclusive": "around_threshold"}


@dataclass(frozen=True)
class Pair:
    """A group and what it is compared with; `levels` of its metric."""

    metric: GateMeasure
    current: Group
    baseline: Group | None

    @property
    def id(self) -> str:
        part = self.current.scenario.slice
        tail = self.metric.id if part is None else f"{self.metric.id}--{part}"
        return f"{variant_name(self.current.variant)}/{tail}"

    @property
    def applies(self) -> bool:
        """Whether the metric has something to say on either side."""
        return self.current.applies or (self.baseline is not None and self.baseline.applies)


def against_threshold(pair: Pair, levels: Levels) -> GateScenario:
    """Where lower is better the rate of good runs is held against 1 − theta: the same question.

    An approximate interval of a single run would let that run decide, with an error far above alpha.
    """
    group, theta = pair.current, exact(pair.metric.theta or 0)
    floor = theta if group.metric.direction == "higher" else 1 - theta
    alpha = exact(levels.alpha)
    outcome = threshold_verdict(group.good, group.n, floor, alpha, levels.interval).outcome
    more_runs = runs_to_decide(group.good, group.n, floor, alpha, levels.interval)
    why = _WHY[outcome] if group.n else "no_judged_run"
    if 0 < group.n < levels.min_runs:
        outcome, why, more_runs = "inconclusive", "too_few_judged", max(levels.min_runs - group.n, more_runs or 0)
    return GateScenario(
        id=pair.id,
        variant=group.variant,
        metric=pair.metric.id,
        slice=group.scenario.slice,
        outcome=outcome,
        why=why,
        current=_counts(group, levels),
        theta=pair.metric.theta,
        more_runs=more_runs,
    )


def against_baseline(pairs: Sequence[tuple[Pair, Group]], levels: Levels) -> list[GateScenario]:
    """The family is every comparison that could be made; where a group is empty there is none."""
    made = [place for place, (pair, base) in enumerate(pairs) if pair.current.n and base.n]
    p_values = [fisher_one_sided(*_good(pairs[place][1]), *_good(pairs[place][0].current)) for place in made]
    adjusted = dict(zip(made, holm(p_values, exact(levels.alpha)).adjusted, strict=True))
    return [
        _compared(pair, base, levels, adjusted.get(place), max(len(made), 1))
        for place, (pair, base) in enumerate(pairs)
    ]


def _compared(pair: Pair, base: Group, levels: Levels, adjusted: Fraction | None, family: int) -> GateScenario:
    group, delta = pair.current, exact(pair.metric.delta or 0)
    found = regression_verdict(
        *_good(base),
        *_good(group),
        delta=delta,
        alpha=exact(levels.alpha),
        beta=exact(levels.beta),
        adjusted=adjusted,
        comparisons=family,
    )
    why = _why(found, exact(levels.alpha), adjusted)
    return GateScenario(
        id=pair.id,
        variant=group.variant,
        metric=pair.metric.id,
        slice=group.scenario.slice,
        outcome=found.outcome,
        why=why,
        current=_counts(group, levels),
        baseline=_counts(base, levels),
        delta=pair.metric.delta,
        difference=_published(
            Fraction(group.hits, group.n) - Fraction(base.hits, base.n) if adjusted is not None else None
        ),
        difference_interval=_difference_interval(group, base, levels),
        p=_published(found.p_value),
        p_adjusted=_published(adjusted),
        p_by_case=_p_by_case(group, base),
        power=_published(found.power),
        runs_needed=_runs_needed(base, delta, levels, family) if why == "too_few_runs" else None,
    )


def _why(found: RegressionVerdict, alpha: Fraction, adjusted: Fraction | None) -> Why:
    if found.p_value is None or adjusted is None:
        return "no_judged_run"
    if found.outcome != "inconclusive":
        return "dropped" if found.outcome == "fail" else "no_drop"
    if adjusted < alpha:
        return "drop_below_delta"
    return "drop_within_family" if found.p_value < alpha else "too_few_runs"


def _runs_needed(base: Group, delta: Fraction, levels: Levels, family: int) -> int | None:
    """None where the baseline is too low to drop by delta."""
    good, n = _good(base)
    rate = Fraction(good, n)
    if rate < delta:
        return None
    return sample_size(rate, delta, exact(levels.alpha) / family, exact(levels.beta)).n


def _good(group: Group) -> tuple[int, int]:
    return group.good, group.n


def _p_by_case(group: Group, base: Group) -> float | None:
    if len(group.scenario.cases) < 2 or not (group.n and base.n) or group.n + base.n > STRATIFIED_RUNS:
        return None
    own, before = group.by_case(), base.by_case()
    counts = [CaseCounts(*before[case], *own[case]) for case in sorted(own)]
    return published_float(stratified_exact(counts))


def _counts(group: Group, levels: Levels) -> GateCounts:
    ends = INTERVALS[levels.interval](group.hits, group.n, levels.coverage_of_intervals)
    identifier = number_id(group.report.batch.id, variant_name(group.variant), group.metric.id, group.scenario.slice)
    known = identifier in group.report.numbers
    waived = {waiver.case for waiver in group.report.batch.waivers}
    return GateCounts(
        batch=group.report.batch.id,
        variant=group.variant,
        hits=group.hits,
        n=group.n,
        judged=len(group.judged),
        excluded=group.excluded,
        value=_published(Fraction(group.hits, group.n) if group.n else None),
        interval=_interval(levels.interval, levels, ends),
        number=identifier if known else None,
        page=number_page(identifier) if known else None,
        missed=sorted(row.run_id for row, good in group.counted if not good),
        waived=sorted(row.run_id for row, good in group.counted if not good and row.case_id in waived),
    )


def _difference_interval(group: Group, base: Group, levels: Levels) -> Interval | None:
    ends = newcombe_interval(group.hits, group.n, base.hits, base.n, levels.coverage_of_intervals)
    return _interval("newcombe", levels, ends)


def _interval(method: str, levels: Levels, ends: tuple[float, float] | None) -> Interval | None:
    if ends is None:
        return None
    low, high = map(published_float, ends)
    return Interval(method=method, level=published_float(levels.coverage_of_intervals), low=low, high=high)


def _published(value: Fraction | float | None) -> float | None:
    return None if value is None else published_float(value)
