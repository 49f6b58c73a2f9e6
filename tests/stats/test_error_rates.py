"""What the intervals and tests promise: coverage, errors of the first kind, power.

Exact where the outcomes can be enumerated (chances are then sums of binomial terms, no luck is involved), else
simulated with a fixed seed and judged with three standard deviations of that simulation to spare.
"""

from collections.abc import Callable
from fractions import Fraction
from functools import cache
from itertools import product
from math import sqrt

import numpy
import pytest
from scipy.stats import binom

from generator.stats.bootstrap import cluster_bootstrap
from generator.stats.fisher import fisher_one_sided
from generator.stats.holm import holm
from generator.stats.hotelling import hotelling
from generator.stats.paired import CaseCounts, mcnemar_exact, stratified_exact
from generator.stats.proportions import IntervalMethod, clopper_pearson_interval, newcombe_interval, wilson_interval
from generator.stats.regression import regression_verdict
from generator.stats.sequential import sprt_plan
from generator.stats.sequential_operation import sprt_operation
from generator.stats.thresholds import threshold_verdict

ALPHA = Fraction(1, 20)
RATES = [float(rate) for rate in numpy.linspace(0.02, 0.98, 97)]
ROUNDING = 1e-12


def chances(n: int, rate: float) -> list[float]:
    return [float(chance) for chance in binom.pmf(range(n + 1), n, rate)]


@cache
def intervals(method: Callable[[int, int], tuple[float, float] | None], n: int) -> tuple[tuple[float, float], ...]:
    found = [method(hits, n) for hits in range(n + 1)]
    return tuple(interval for interval in found if interval is not None)


def coverages(method: Callable[[int, int], tuple[float, float] | None], n: int) -> list[float]:
    """The chance that the interval holds the rate, for each rate."""
    return [
        sum(
            chance
            for chance, (low, high) in zip(chances(n, rate), intervals(method, n), strict=True)
            if low <= rate <= high
        )
        for rate in RATES
    ]


@pytest.mark.parametrize("n", [5, 10, 20, 50, 100])
def test_the_exact_interval_never_covers_less_than_it_says(n: int) -> None:
    assert min(coverages(clopper_pearson_interval, n)) >= 0.95


@pytest.mark.parametrize("n", [5, 10, 20, 50, 100])
def test_wilson_covers_what_it_says_on_average_and_not_much_less_anywhere(n: int) -> None:
    found = coverages(wilson_interval, n)
    assert 0.945 <= sum(found) / len(found) <= 0.96
    # Worst at very few runs, near 0 and 1: 0.859 at n = 5, 0.914 at n = 10.
    assert min(found) >= (0.85 if n == 5 else 0.91)


@pytest.mark.parametrize(("n", "baseline_n"), [(10, 10), (20, 8), (25, 25)])
def test_newcombe_covers_the_difference(n: int, baseline_n: int) -> None:
    found = []
    for rate, baseline in product((0.1, 0.3, 0.5, 0.8, 0.95), repeat=2):
        covered = 0.0
        for hits, baseline_hits in product(range(n + 1), range(baseline_n + 1)):
            interval = newcombe_interval(hits, n, baseline_hits, baseline_n)
            assert interval is not None
            if interval[0] <= rate - baseline <= interval[1]:
                covered += binomials(n, rate)[hits] * binomials(baseline_n, baseline)[baseline_hits]
        found.append(covered)
    assert sum(found) / len(found) >= 0.948
    assert min(found) >= 0.92


@cache
def binomials(n: int, rate: float) -> list[float]:
    return chances(n, rate)


@pytest.mark.parametrize("n", [5, 10, 20, 50, 100])
@pytest.mark.parametrize(
    ("method", "wrong_pass", "wrong_failure"),
    [
        ("clopper_pearson", 0.025, 0.025),
        # Wilson's passes keep α; its failures do not where few runs meet a high threshold: 0.086 at n = 10, θ = 0.95.
        ("wilson", 0.05, 0.087),
    ],
)
def test_a_wrong_verdict_is_as_rare_as_the_interval_promises(
    n: int, method: IntervalMethod, wrong_pass: float, wrong_failure: float
) -> None:
    # Both errors are most likely at the threshold itself: there a pass is (almost) wrong, and so is a failure.
    for theta in (Fraction(1, 2), Fraction(17, 20), Fraction(19, 20)):
        verdicts = [threshold_verdict(hits, n, theta, ALPHA, method).outcome for hits in range(n + 1)]
        at_threshold = chances(n, float(theta))
        for wrong, most in (("pass", wrong_pass), ("fail", wrong_failure)):
            assert sum(c for c, v in zip(at_threshold, verdicts, strict=True) if v == wrong) <= most + ROUNDING


@cache
def significant(n: int, baseline_n: int) -> list[tuple[int, int]]:
    """Outcomes (baseline hits, hits) that Fisher's test calls a drop."""
    grid = product(range(baseline_n + 1), range(n + 1))
    return [(kb, kc) for kb, kc in grid if fisher_one_sided(kb, baseline_n, kc, n) < ALPHA]


@pytest.mark.parametrize(("n", "baseline_n"), [(5, 5), (12, 30), (30, 30)])
@pytest.mark.parametrize("rate", [0.1, 0.5, 0.8, 0.9, 0.97])
def test_fisher_finds_no_more_false_drops_than_the_level(n: int, baseline_n: int, rate: float) -> None:
    before, after = binomials(baseline_n, rate), binomials(n, rate)
    assert sum(before[kb] * after[kc] for kb, kc in significant(n, baseline_n)) <= ALPHA


def test_a_regression_verdict_keeps_both_errors() -> None:
    # 60 runs a side; δ = 0.25 can be found with planned power 0.95 at a baseline of 0.9.
    n, delta = 60, Fraction(1, 4)
    outcomes = {
        (kb, kc): regression_verdict(kb, n, kc, n, delta=delta).outcome
        for kb, kc in product(range(40, n + 1), range(15, n + 1))
    }

    def chance_of(outcome: str, baseline: float, current: float) -> float:
        before, after = binomials(n, baseline), binomials(n, current)
        return sum(before[kb] * after[kc] for (kb, kc), found in outcomes.items() if found == outcome)

    # No drop, and a gain: failed at most at the level.
    assert chance_of("fail", 0.9, 0.9) <= ALPHA
    assert chance_of("fail", 0.85, 0.95) <= ALPHA
    # A drop of δ: passed at most as often as β allows. It fails in about half, because a failure also asks that the
    # drop seen is at least δ; a drop half as large again is found nearly always.
    assert chance_of("pass", 0.9, 0.65) <= 0.1
    assert 0.45 <= chance_of("fail", 0.9, 0.65) <= 0.55
    assert chance_of("fail", 0.9, 0.525) >= 0.95


@pytest.mark.parametrize("pairs", range(1, 40))
def test_mcnemar_finds_no_more_false_drops_than_the_level(pairs: int) -> None:
    # Given the discordant pairs, each is as likely lost as gained.
    wrong = sum(
        chance for lost, chance in enumerate(chances(pairs, 0.5)) if mcnemar_exact(lost, pairs - lost).p_value < ALPHA
    )
    assert wrong <= ALPHA


def test_strata_keep_the_level_however_unlike_the_cases() -> None:
    # Four cases of three runs a side, from nearly impossible to certain: every outcome of the 24 runs.
    rates = (0.05, 0.4, 0.8, 1.0)
    sides = list(product(range(4), repeat=2))
    wrong = 0.0
    for hits in product(sides, repeat=3):
        chance = 1.0
        for rate, (baseline_hits, current_hits) in zip(rates, hits, strict=False):
            chance *= binomials(3, rate)[baseline_hits] * binomials(3, rate)[current_hits]
        cases = [CaseCounts(baseline_hits, 3, current_hits, 3) for baseline_hits, current_hits in hits]
        if stratified_exact([*cases, CaseCounts(3, 3, 3, 3)]) < ALPHA:
            wrong += chance
    assert 0 < wrong <= ALPHA


def test_holm_keeps_the_level_of_the_family() -> None:
    # Three true null hypotheses, each tested by Fisher's test of 8 against 8 runs at rate 0.5: all outcomes together.
    chance_of: dict[Fraction, float] = {}
    one = binomials(8, 0.5)
    for kb, kc in product(range(9), repeat=2):
        p_value = min(fisher_one_sided(kb, 8, kc, 8), Fraction(1, 5))
        # Above 1/5 nothing can be rejected, whatever the others are: one value stands for all.
        chance_of[p_value] = chance_of.get(p_value, 0.0) + one[kb] * one[kc]
    alarms = [
        chance_of[a] * chance_of[b] * chance_of[c]
        for a, b, c in product(chance_of, repeat=3)
        if any(holm([a, b, c], ALPHA).reject)
    ]
    assert 0 < sum(alarms) <= ALPHA


@pytest.mark.parametrize(("theta", "delta"), [(0.9, 0.1), (0.95, 0.1), (0.9, 0.15), (0.7, 0.2)])
def test_the_sequential_test_keeps_walds_bounds(theta: float, delta: float) -> None:
    alpha, beta = 0.05, 0.1
    plan = sprt_plan(theta, delta, alpha, beta)
    good, bad = sprt_operation(plan, theta, 400), sprt_operation(plan, plan.p1, 400)
    assert good.fails <= alpha / (1 - beta)
    assert bad.passes <= beta / (1 - alpha)
    assert good.fails + bad.passes <= alpha + beta
    # Wald's expectation leaves out the overshoot, so it is a little low.
    assert 0.9 * plan.asn_h0 <= good.expected_n <= 1.25 * plan.asn_h0
    assert 0.9 * plan.asn_h1 <= bad.expected_n <= 1.25 * plan.asn_h1


def test_hotelling_keeps_its_level_and_sees_a_shift_that_no_pass_rate_shows() -> None:
    draws = numpy.random.default_rng(20261101)
    rounds = 300

    def rejected(shift: float) -> float:
        wrong = 0
        for _ in range(rounds):
            rows = numpy.rint(1000 * draws.multivariate_normal([0, 0], [[1, 0.8], [0.8, 1]], size=20)).astype(int)
            rows[10:, 0] += round(1000 * shift)
            result = hotelling(rows[:10].tolist(), rows[10:].tolist(), ALPHA)
            assert result is not None
            assert result.test is not None
            wrong += result.test.reject
        return wrong / rounds

    spread = sqrt(0.05 * 0.95 / rounds)
    assert abs(rejected(0) - 0.05) <= 3 * spread
    # One standard deviation in one feature: the noncentral F with λ = 5·1/(1 − 0.8²) = 13.9 on 2 and 17 gives 0.87.
    assert rejected(1) == pytest.approx(0.87, abs=0.06)


def test_the_cluster_bootstrap_covers_even_with_few_cases() -> None:
    # Six cases of five runs a side; the variants differ case by case, but not on average. The plain percentile interval
    # covers 0.89 here.
    draws = numpy.random.default_rng(20261102)
    rounds, covered = 300, 0
    for number in range(rounds):
        level = draws.normal(1.0, 1.5, 6)
        before, after = (1 / (1 + numpy.exp(-(level + draws.normal(0, 1, 6)))) for _ in range(2))
        hits = zip(draws.binomial(5, before), draws.binomial(5, after), strict=True)
        cases = [CaseCounts(int(kb), 5, int(kc), 5) for kb, kc in hits]
        interval = cluster_bootstrap(cases, f"coverage-{number}", 199)
        assert interval is not None
        covered += interval.low <= 0 <= interval.high
    assert covered / rounds >= 0.95 - 3 * sqrt(0.05 * 0.95 / rounds)
