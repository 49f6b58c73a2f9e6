"""What is left of the claims of AgentAssay: `python -m tests.benchmarks.bench_headline [AGENTS]`.

Three tables, for synthetic agents alone. What can be counted is counted over every outcome; what cannot is simulated
with AGENTS agents (400 unless told) from streams with stated seeds, so that two runs print the same.

1. Runs that Wald's test takes, by the true rate: the claim is 22 instead of 100.
2. Injected regressions of known size: how often each method finds them, against the runs that it uses.
3. Agents that pass equally often and behave differently: what the pass rate sees, and what the fingerprint sees.
"""

import random
import sys
from collections.abc import Iterator
from fractions import Fraction
from math import comb

from generator.stats.hotelling import hotelling
from generator.stats.regression import regression_verdict
from generator.stats.sequential import SprtPlan, sprt_plan, sprt_run
from generator.stats.sequential_operation import sprt_operation

THETA, DELTA, ALPHA, BETA = Fraction(9, 10), Fraction(1, 10), Fraction(5, 100), Fraction(1, 10)
CAP = 400
"""Beyond it a sequential test is all but always over; the tables name what is left."""
DROPS = (0, 5, 10, 15, 20, 30)
PER_ARM = (30, 50, 100, 215)
SHIFTS = (0.0, 0.25, 0.5, 1.0)
RUNS_BEHAVIOUR = 25
FEATURES = 4


def main(agents: int) -> None:
    print(f"theta {float(THETA)}, delta {float(DELTA)}, alpha {float(ALPHA)}, beta {float(BETA)}\n")
    plan = sprt_plan(THETA, DELTA, ALPHA, BETA)
    _sequential_table(plan)
    _regression_table(plan, agents)
    _behaviour_table(agents)


def _sequential_table(plan: SprtPlan) -> None:
    print("1. Wald's test, by true rate (every path counted; cap 100, and none)")
    print("rate    runs, cap 100   undecided   runs, no cap   saved of 100")
    for rate in (Fraction(1), Fraction(99, 100), Fraction(95, 100), THETA, Fraction(85, 100), THETA - DELTA):
        capped, free = sprt_operation(plan, rate, 100), sprt_operation(plan, rate, CAP)
        saved = 100 - capped.expected_n
        print(
            f"{float(rate):4.2f}   {capped.expected_n:12.1f}   {capped.inconclusive:9.1%}   {free.expected_n:12.1f}"
            f"   {saved:10.1f}%"
        )
    print()


def _regression_table(plan: SprtPlan, agents: int) -> None:
    print("2. Injected regressions from a rate of 0.90: share found (runs of the candidate)")
    heads = [f"fixed {n}+{n}" for n in PER_ARM] + ["sequential"]
    print("drop    " + "   ".join(f"{head:>13}" for head in heads))
    for drop in DROPS:
        rate = THETA - Fraction(drop, 100)
        found = [f"{_fixed_detection(n, rate):6.1%} ({n:4})" for n in PER_ARM]
        shares = list(_sequential_outcomes(plan, float(rate), agents, f"drop {drop}"))
        failed = sum(outcome == "fail" for outcome, _ in shares) / agents
        runs = sum(used for _, used in shares) / agents
        print(f"{drop:3} pp  " + "   ".join(f"{cell:>13}" for cell in [*found, f"{failed:6.1%} ({runs:4.0f})"]))
    print("Fixed: Fisher's exact test and a drop of at least delta, every pair of outcomes counted.")
    print(f"Sequential: Wald's test of theta against theta - delta, {agents} simulated agents a row, cap {CAP}.\n")


def _fixed_detection(n: int, rate: Fraction) -> float:
    """Chance that a candidate of this rate fails the regression rule against a baseline of THETA, n runs each."""
    chance = 0.0
    before, after = _binomial(n, float(THETA)), _binomial(n, float(rate))
    for hits, of_hits in enumerate(before):
        if of_hits < 1e-9:
            continue
        # The rule fails all candidates below some count, so the first that does not ends the search.
        for candidate, of_candidate in enumerate(after):
            verdict = regression_verdict(hits, n, candidate, n, delta=DELTA, alpha=ALPHA, beta=BETA)
            if verdict.outcome != "fail":
                break
            chance += of_hits * of_candidate
    return chance


def _binomial(n: int, p: float) -> list[float]:
    return [comb(n, k) * p**k * (1 - p) ** (n - k) for k in range(n + 1)]


def _sequential_outcomes(plan: SprtPlan, rate: float, agents: int, seed: str) -> Iterator[tuple[str, int]]:
    stream = random.Random(seed)
    for _ in range(agents):
        run = sprt_run(plan, (stream.random() < rate for _ in range(CAP)), CAP)
        yield run.decision, run.n_used


def _behaviour_table(agents: int) -> None:
    print(f"3. Equal pass rates, behaviour shifted: share found with {RUNS_BEHAVIOUR} runs a side")
    print(f"shift of one of {FEATURES} features   pass rate   fingerprint")
    for shift in SHIFTS:
        stream = random.Random(f"shift {shift}")
        by_rate = by_fingerprint = 0
        for _ in range(agents):
            passes = [sum(stream.random() < 0.9 for _ in range(RUNS_BEHAVIOUR)) for _ in range(2)]
            verdict = regression_verdict(
                passes[0], RUNS_BEHAVIOUR, passes[1], RUNS_BEHAVIOUR, delta=DELTA, alpha=ALPHA, beta=BETA
            )
            by_rate += verdict.outcome == "fail"
            result = hotelling(_fingerprints(stream, 0.0), _fingerprints(stream, shift), ALPHA)
            by_fingerprint += result is not None and result.test is not None and result.test.reject
        print(f"{shift:12.2f} sd                {by_rate / agents:9.1%}   {by_fingerprint / agents:11.1%}")
    print("The fingerprint answers another question: that behaviour moved, not that it became worse.")


def _fingerprints(stream: random.Random, shift: float) -> list[list[Fraction]]:
    """Normal features in thousandths; the first is shifted, in standard deviations."""
    shifts = [shift] + [0.0] * (FEATURES - 1)
    rows = [[stream.gauss(mean, 1) for mean in shifts] for _ in range(RUNS_BEHAVIOUR)]
    return [[Fraction(round(1000 * value), 1000) for value in row] for row in rows]


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 400)
