"""Plans for further runs, and what has become of a variant since earlier batches, once more."""

import math
from collections import defaultdict
from fractions import Fraction
from statistics import NormalDist
from typing import Any, NamedTuple

from generator.verify.case_tests import drop_p, judged_runs
from generator.verify.decisions import regression, step_down
from generator.verify.evidence import EvidenceRun
from generator.verify.levels import Levels
from generator.verify.made import DerivedDetail, Made, why
from generator.verify.recompute import Batch

_DISCOUNT = Fraction(1, 4)
_SAME = ("metric_table_version", "case_bank", "catalog", "fixtures", "judges")


class _Past(NamedTuple):
    batch: str
    hits: int
    runs: int
    differs: str | None
    agent: frozenset[str]


class Planning:
    """Makes the plans of one batch. `valid` are the valid runs by variant."""

    def __init__(self, batch: Batch, levels: Levels, valid: dict[str, list[EvidenceRun]]) -> None:
        self._batch, self._levels, self._valid = batch, levels, valid

    def needed(self, variant: str) -> Made:
        levels, counted, outcomes = self._levels, self._counted(variant), self._outcomes(variant)
        if not outcomes:
            return None, counted, why(self._valid[variant], "not_judged"), {}
        n, rate = len(outcomes), Fraction(outcomes.count(True), len(outcomes))
        if rate < levels.delta:
            return None, counted, "rate_below_delta", {}
        low, high = (max(Fraction(end), levels.delta) for end in levels.interval_of(outcomes.count(True), n) or (0, 1))
        peak = (1 + levels.delta) / 2
        most = max(map(self._spread, (low, high, peak) if low < peak < high else (low, high)))
        plans = {"": self._runs(self._spread(rate)), "_careful": self._runs(most), "_fixed": self._runs(Fraction(1, 2))}
        detail: DerivedDetail = {
            "calibration": n,
            "careful": plans["_careful"],
            "fixed": plans["_fixed"],
            "more": max(0, plans[""] - n),
        }
        for name, mean in (("tokens", self._mean(variant, "tokens")), ("cost", self._mean(variant, "cost"))):
            detail |= {name + key: None if mean is None else size * mean for key, size in plans.items()}
        return plans[""], counted, None, detail

    def warm(self, variant: str) -> Made:
        levels, counted, outcomes = self._levels, self._counted(variant), self._outcomes(variant)
        past = self._past(variant)
        if not outcomes:
            return None, counted, why(self._valid[variant], "not_judged"), {}
        agent = _configurations(self._batch, variant)
        known = [one for one in past if one.differs is None and one.agent == agent and one.runs]
        if not known:
            return None, counted, _why_cold(past, agent), {}
        good, bad = float(levels.theta), float(levels.theta - levels.delta)
        lower = math.log(float(levels.beta) / float(1 - levels.alpha))
        upper = math.log(float(1 - levels.beta) / float(levels.alpha))
        up, down = math.log((1 - bad) / (1 - good)), math.log(bad / good)
        hits, runs = sum(one.hits for one in known), sum(one.runs for one in known)
        start = max(lower / 2, min(upper / 2, float(_DISCOUNT) * (hits * down + (runs - hits) * up)))

        def stop(begin: float) -> tuple[str, int | None]:
            passes = 0
            for place, ok in enumerate(outcomes, start=1):
                passes += ok
                ratio = begin + (passes * down + (place - passes) * up)
                if not lower < ratio < upper:
                    return ("pass" if ratio <= lower else "fail"), place
            return "continue", None

        decides, stopped = stop(start)
        detail: DerivedDetail = {
            "batches": len(known),
            "earlier_hits": hits,
            "earlier_runs": runs,
            "discount": _DISCOUNT,
            "start": start,
            "lower": lower,
            "upper": upper,
            "recorded": len(outcomes),
            "decides": decides,
            "stopped_at": stopped,
            "cold": stop(0.0)[1],
        }
        return stopped, counted, "undecided" if stopped is None else None, detail

    def fidelity(self, variants: list[str]) -> Made:
        counted = [run for variant in variants for run in self._counted(variant)]
        if not all(map(self._outcomes, variants)):
            return None, counted, "not_judged" if all(map(self._valid.get, variants)) else "no_valid_runs", {}
        unit = "cost" if all(self._mean(variant, "cost") for variant in variants) else "tokens"
        costs = [self._mean(variant, unit) or Fraction(0) for variant in variants]
        if 0 in costs:
            return None, counted, "usage_not_recorded", {}
        if costs[0] == costs[1]:
            return None, counted, "costs_alike", {}
        dear, cheap = variants if costs[0] > costs[1] else variants[::-1]
        cases = [self._rates(variant) for variant in (dear, cheap)]
        shared = sorted(cases[0].keys() & cases[1].keys())
        if not shared:
            return None, counted, "no_shared_case", {}
        pairs = [(cases[0][case], cases[1][case]) for case in shared]
        means = [sum(column, Fraction(0)) / len(shared) for column in zip(*pairs, strict=True)]
        spread = math.prod(mean * (1 - mean) for mean in means)
        if not spread:
            return None, counted, "no_outcome_varies", {}
        together = sum(((p - means[0]) * (q - means[1]) for p, q in pairs), Fraction(0)) / len(shared)
        explained = float(together * together / spread) if together > 0 else 0.0
        plain, _, reason, _ = self.needed(dear)
        if plain is None:
            return None, counted, reason, {}
        ratio = max(costs) / min(costs)
        own, others = _split(int(plain), explained, float(ratio), len(shared))
        detail: DerivedDetail = {
            "dear": dear,
            "unit": {"cost": "cost_usd"}.get(unit, unit),
            "cost_ratio": ratio,
            "cases": len(shared),
            "agreement": sum((1 - p - q + 2 * p * q for p, q in pairs), Fraction(0)) / len(shared),
            "correlation": math.copysign(math.sqrt(together * together / spread), together),
            "plain": plain,
            "dear_runs": own,
            "cheap_runs": others,
        }
        return 1 - (own + others / float(ratio)) / int(plain), counted, None, detail

    def since(self, variant: str) -> Made:
        counted, newest = self._counted(variant), {name: next(reversed(self._past(name)), None) for name in self._valid}
        before = newest[variant]
        if before is None or before.differs is not None:
            return None, counted, "no_earlier_batch" if before is None else before.differs, {}
        if not counted or not before.runs:
            return None, counted, "not_judged" if self._valid[variant] else "no_valid_runs", {}
        compared: dict[str, tuple[int, int, int, int]] = {}
        for name, one in newest.items():
            outcomes = self._outcomes(name)
            if one is not None and one.differs is None and one.runs and outcomes:
                compared[name] = (one.hits, one.runs, outcomes.count(True), len(outcomes))
        p_values = {name: drop_p([counts]) for name, counts in compared.items()}
        adjusted = step_down(p_values)[variant]
        counts = compared[variant]
        found = regression(counts, p_values[variant], adjusted, len(compared), self._levels)
        detail: DerivedDetail = {
            "batch": before.batch,
            "decides": found["outcome"],
            **dict(zip(("earlier_hits", "earlier_runs", "hits", "runs"), counts, strict=True)),
            "change": Fraction(counts[2], counts[3]) - Fraction(counts[0], counts[1]),
            "p_adjusted": adjusted,
            "power": found["power"],
            "family_size": len(compared),
        }
        return p_values[variant], counted, None, detail

    def _outcomes(self, variant: str) -> list[bool]:
        return [ok for _, _, _, ok in judged_runs(self._batch, variant)]

    def _counted(self, variant: str) -> list[EvidenceRun]:
        return [self._batch.by_id[run_id] for _, run_id, _, _ in judged_runs(self._batch, variant)]

    def _rates(self, variant: str) -> dict[str, Fraction]:
        outcomes: dict[str, list[bool]] = defaultdict(list)
        for _, _, (case, _), ok in judged_runs(self._batch, variant):
            outcomes[case].append(ok)
        return {case: Fraction(known.count(True), len(known)) for case, known in outcomes.items()}

    def _mean(self, variant: str, name: str) -> Fraction | None:
        values: list[Any] = [getattr(run.recorded, name) for run in self._valid[variant]]
        known = [Fraction(value) for value in values if value is not None]
        return sum(known, Fraction(0)) / len(known) if known else None

    def _past(self, variant: str) -> list[_Past]:
        past = []
        for other in self._batch.earlier:
            if variant not in other.head["accounting"]:
                continue
            outcomes = [ok for _, _, _, ok in judged_runs(other, variant)]
            differs = next((f"other_{name}" for name in _SAME if other.head[name] != self._batch.head[name]), None)
            cases = [sorted(batch.head["grid"]["cases"]) for batch in (other, self._batch)]
            if differs is None and cases[0] != cases[1]:
                differs = "other_cases"
            agent = _configurations(other, variant)
            past.append(_Past(other.head["id"], outcomes.count(True), len(outcomes), differs, agent))
        return past

    def _spread(self, rate: Fraction) -> Fraction:
        dropped = rate - self._levels.delta
        return rate * (1 - rate) + dropped * (1 - dropped)

    def _runs(self, spread: Fraction) -> int:
        normal, levels = NormalDist(), self._levels
        z = normal.inv_cdf(float(1 - levels.alpha)) + normal.inv_cdf(float(1 - levels.beta))
        return math.ceil(z**2 * float(spread) / float(levels.delta**2))


def _configurations(batch: Batch, variant: str) -> frozenset[str]:
    """Hashes of what was in effect in the judged runs of a variant."""
    judged = {run_id for _, run_id, _, _ in judged_runs(batch, variant)}
    return frozenset(run.config_hash for run in batch.runs if run.run_id in judged)


def _why_cold(past: list[_Past], agent: frozenset[str]) -> str:
    if not past:
        return "no_earlier_batch"
    return past[-1].differs or ("other_configuration" if past[-1].agent != agent else "no_earlier_run")


def _split(n: int, explained: float, ratio: float, fewest: int) -> tuple[int, int]:
    """Runs of the dear and of the cheap variant, a dear one for each shared case at least; none of the cheap one where
    that would not be cheaper."""
    cheap_a_run = float(n) if explained == 1 else min(float(n), math.sqrt(ratio * explained / (1 - explained)))
    if cheap_a_run <= 1:
        return n, 0
    dear = max(1, math.ceil(n * (1 - explained + explained / cheap_a_run)))
    if dear < fewest:
        dear = fewest
        cheap_a_run = (
            min(cheap_a_run, explained / (dear / n - 1 + explained)) if dear / n > 1 - explained else cheap_a_run
        )
    cheap = math.ceil(cheap_a_run * dear - 1e-9)
    return (dear, cheap) if (dear + cheap / ratio) / n < 1 else (n, 0)
