"""What numbers decide: verdicts against the threshold and the baseline, tests over shared cases, the sequential replay.

A verdict rests on the exact counts of its numbers, so it is made after all of them.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import chain
from typing import NamedTuple

import msgspec

from generator.aggregate.groups import Setting
from generator.aggregate.measures import make_interval
from generator.model.formatting import exact, published_float
from generator.model.metrics import Metric
from generator.model.numbers import CaseTest, Number, Sequential, Verdict
from generator.model.publication import Thresholds
from generator.model.rows import RunRow
from generator.stats.bootstrap import cluster_bootstrap
from generator.stats.fisher import fisher_one_sided
from generator.stats.holm import holm
from generator.stats.paired import CaseCounts, mcnemar_exact, stratified_exact
from generator.stats.regression import regression_verdict
from generator.stats.sequential import sprt_plan, sprt_run
from generator.stats.thresholds import runs_to_decide, threshold_verdict

REPLICATES = 1999
MOST_STRATIFIED_RUNS, MOST_DRAWN_CASES = 5000, 500
"""Beyond them these tests take seconds, and are left out."""
PASS_FAMILY, OTHER_FAMILY = "pass_metric", "other_metrics"
"""Comparisons that are corrected together: those of the pass metric, on which a release is decided, and those of all
other ratios that have a direction."""


class _Compared(NamedTuple):
    """Good runs of the baseline and of the variant: hits where higher is better, misses where lower is."""

    number: Number
    baseline_good: int
    baseline_n: int
    good: int
    n: int

    @property
    def p_value(self) -> Fraction | None:
        if self.baseline_n == 0 or self.n == 0:
            return None
        return fisher_one_sided(self.baseline_good, self.baseline_n, self.good, self.n)


@dataclass(frozen=True)
class Decisions:
    """Gives the numbers of a batch what they decide. `metrics` by id."""

    setting: Setting
    thresholds: Thresholds
    metrics: Mapping[str, Metric]

    def decided(self, numbers: Mapping[str, Number]) -> Iterator[Number]:
        """Every number, in its order."""
        verdicts = self._regressions(numbers)
        for number in numbers.values():
            if number.metric == self._pass_metric and number.compares is None:
                yield self._of_group(number)
            elif number.id in verdicts:
                tests = self._tests(number, numbers) if number.metric == self._pass_metric else ()
                yield msgspec.structs.replace(number, verdict=verdicts[number.id], tests=tests)
            else:
                yield number

    @property
    def _pass_metric(self) -> str:
        return self.setting.experiment.pass_metric

    def _of_group(self, number: Number) -> Number:
        sequential = self._replay(number) if number.slice is None else None
        return msgspec.structs.replace(number, verdict=self._threshold(number), sequential=sequential)

    def _threshold(self, number: Number) -> Verdict:
        levels = self.thresholds
        counts = (number.numerator or 0, number.denominator or 0)
        alpha, theta = exact(levels.alpha), exact(levels.theta)
        found = threshold_verdict(*counts, theta, alpha, levels.interval)
        return Verdict(
            kind="threshold",
            outcome=found.outcome,
            method=found.method,
            alpha=levels.alpha,
            theta=levels.theta,
            more_runs=runs_to_decide(*counts, theta, alpha, levels.interval),
        )

    def _replay(self, number: Number) -> Sequential | None:
        """The judged runs of the variant in the order in which they were executed."""
        levels = self.thresholds
        plan = sprt_plan(exact(levels.theta), exact(levels.delta), exact(levels.alpha), exact(levels.beta))
        judged = sorted(self._judged(number.variant), key=lambda entry: (entry[0].sequence, entry[0].run_id))
        if not judged:
            return None
        run = sprt_run(plan, (passed for _, passed in judged))
        decided = run.decision in ("pass", "fail")
        return Sequential(
            outcome=run.decision if run.decision != "inconclusive" else "continue",
            theta=levels.theta,
            delta=levels.delta,
            alpha=levels.alpha,
            beta=levels.beta,
            lower=published_float(plan.lower),
            upper=published_float(plan.upper),
            ratio=published_float(run.llr),
            recorded=len(judged),
            stopped_at=run.n_used if decided else None,
            expected_pass=published_float(plan.asn_h0),
            expected_fail=published_float(plan.asn_h1),
        )

    def _judged(self, variant: str) -> Iterator[tuple[RunRow, bool]]:
        for row in self.setting.table.rows:
            judged = row.assertions.get(self._pass_metric)
            if row.variant == variant and judged is not None and judged.outcome in ("hit", "miss"):
                yield row, judged.outcome == "hit"

    def _regressions(self, numbers: Mapping[str, Number]) -> dict[str, Verdict]:
        """The verdict of every difference of a ratio that has a direction, by number id."""
        families: dict[str, list[_Compared]] = defaultdict(list)
        for number in numbers.values():
            metric = self.metrics[number.metric]
            if number.compares is None or metric.aggregate != "proportion" or metric.direction == "neutral":
                continue
            family = PASS_FAMILY if number.metric == self._pass_metric else OTHER_FAMILY
            families[family].append(_compared(number, numbers, metric))
        return dict(chain.from_iterable(self._family(family, members) for family, members in families.items()))

    def _family(self, family: str, members: list[_Compared]) -> Iterator[tuple[str, Verdict]]:
        """Holm's correction over the comparisons that could be made; where a group is empty there is none."""
        p_values = [(member, p) for member in members if (p := member.p_value) is not None]
        adjusted = holm([p for _, p in p_values], exact(self.thresholds.alpha)).adjusted
        of_member = {member.number.id: p for (member, _), p in zip(p_values, adjusted, strict=True)}
        for member in members:
            identifier = member.number.id
            yield identifier, self._regression(member, family, len(p_values), of_member.get(identifier))

    def _regression(self, member: _Compared, family: str, size: int, adjusted: Fraction | None) -> Verdict:
        levels = self.thresholds
        found = regression_verdict(
            *member[1:],
            delta=exact(levels.delta),
            alpha=exact(levels.alpha),
            beta=exact(levels.beta),
            adjusted=adjusted,
            comparisons=max(size, 1),
        )
        return Verdict(
            kind="regression",
            outcome=found.outcome,
            method="fisher",
            alpha=levels.alpha,
            delta=levels.delta,
            beta=levels.beta,
            p=_published(found.p_value),
            p_adjusted=_published(adjusted),
            power=_published(found.power),
            family=family,
            family_size=size,
        )

    def _tests(self, number: Number, numbers: Mapping[str, Number]) -> tuple[CaseTest, ...]:
        """Over the cases that both groups have judged runs of."""
        own, base = (self._by_cell(numbers[side].variant) for side in number.compares or ())
        of_own, of_base = _by_case(own), _by_case(base)
        shared = sorted(of_own.keys() & of_base.keys())
        if not shared:
            return ()
        counts = [CaseCounts(*of_base[case], *of_own[case]) for case in shared]
        pairs = [(base[cell], own[cell]) for cell in own.keys() & base.keys()]
        lost, gained = pairs.count((True, False)), pairs.count((False, True))
        tests = [
            CaseTest(
                method="mcnemar",
                cases=len(shared),
                p=published_float(mcnemar_exact(lost, gained).p_value),
                lost=lost,
                gained=gained,
            ),
        ]
        if sum(case.n + case.baseline_n for case in counts) <= MOST_STRATIFIED_RUNS:
            p_value = published_float(stratified_exact(counts))
            tests.append(CaseTest(method="stratified", cases=len(shared), p=p_value))
        seed, level = number.id, exact(self.setting.level)
        drawn = cluster_bootstrap(counts, seed, REPLICATES, level) if len(counts) <= MOST_DRAWN_CASES else None
        if drawn is not None:
            interval = make_interval("cluster_bootstrap", self.setting.level, (drawn.low, drawn.high))
            tests.append(
                CaseTest(
                    method="cluster_bootstrap",
                    cases=drawn.cases,
                    interval=interval,
                    seed=seed,
                    replicates=drawn.replicates,
                )
            )
        return tuple(tests)

    def _by_cell(self, variant: str) -> dict[tuple[str, int], bool]:
        """Case and repeat → passed."""
        return {(row.case_id, row.repeat_index): passed for row, passed in self._judged(variant)}


def _compared(number: Number, numbers: Mapping[str, Number], metric: Metric) -> _Compared:
    own, base = (numbers[side] for side in number.compares or ())

    def good(side: Number) -> tuple[int, int]:
        hits, n = side.numerator or 0, side.denominator or 0
        return (hits if metric.direction == "higher" else n - hits), n

    return _Compared(number, *good(base), *good(own))


def _by_case(cells: Mapping[tuple[str, int], bool]) -> dict[str, tuple[int, int]]:
    """Runs that passed and all judged runs of each case."""
    counts: dict[str, tuple[int, int]] = {}
    for (case, _), passed in cells.items():
        hits, n = counts.get(case, (0, 0))
        counts[case] = (hits + passed, n + 1)
    return counts


def _published(value: Fraction | float | None) -> float | None:
    return None if value is None else published_float(value)
