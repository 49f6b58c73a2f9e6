"""What the recorded runs of a variant say of the runs that a decision about it would take, and of their cost."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import accumulate

from generator.aggregate.assumptions import judged
from generator.aggregate.earlier import Earlier
from generator.aggregate.made import Detail, Made
from generator.model.formatting import exact, published_float
from generator.model.publication import Thresholds
from generator.model.rows import RunRow
from generator.stats.planning import adaptive_plan, agreement, fidelity_plan, warm_start
from generator.stats.proportions import INTERVALS
from generator.stats.sequential import sprt_plan

DISCOUNT = Fraction(1, 4)
"""What a run of an earlier batch counts."""


def runs_needed(metric: str, levels: Thresholds, runs: Sequence[RunRow]) -> Made:
    """The value is the runs that the variant and whatever it is compared with would each need at the observed rate."""
    ordered = judged(metric, runs)
    counted = tuple(run for run, _ in ordered)
    passed, n = sum(hit for _, hit in ordered), len(ordered)
    alpha = exact(levels.alpha)
    interval = INTERVALS[levels.interval](passed, n, 1 - alpha)
    if interval is None:
        return Made(None, counted, "not_judged" if runs else "no_valid_runs")
    plan = adaptive_plan(Fraction(passed, n), interval, exact(levels.delta), alpha, exact(levels.beta))
    if plan is None:
        return Made(None, counted, "rate_below_delta")
    detail: Detail = {
        "calibration": n,
        "careful": plan.careful,
        "fixed": plan.fixed,
        "more": max(0, plan.observed - n),
    }
    for name, each in (("tokens", mean_of(runs, "tokens")), ("cost", mean_of(runs, "cost_usd"))):
        for key, size in (("", plan.observed), ("_careful", plan.careful), ("_fixed", plan.fixed)):
            detail[name + key] = None if each is None else published_float(each * size)
    return Made(Fraction(plan.observed), counted, None, detail)


def warm_start_runs(metric: str, levels: Thresholds, runs: Sequence[RunRow], earlier: Sequence[Earlier]) -> Made:
    """The value is the run after which a sequential test stops that begins where earlier batches left off."""
    ordered = judged(metric, runs)
    counted = tuple(run for run, _ in ordered)
    known = [one for one in earlier if one.why_not_pooled is None]
    if not ordered:
        return Made(None, counted, "not_judged" if runs else "no_valid_runs")
    if not known:
        return Made(None, counted, earlier[-1].why_not_pooled if earlier else "no_earlier_batch")
    plan = sprt_plan(exact(levels.theta), exact(levels.delta), exact(levels.alpha), exact(levels.beta))
    hits, total = sum(one.hits for one in known), sum(one.runs for one in known)
    begin = warm_start(plan, hits, total - hits, DISCOUNT)
    passes = list(accumulate(hit for _, hit in ordered))
    ratios = [plan.llr(count, place - count) for place, count in enumerate(passes, start=1)]

    def stop(start: float) -> tuple[str, int | None]:
        for place, ratio in enumerate(ratios, start=1):
            decision = plan.decision(start + ratio)
            if decision != "continue":
                return decision, place
        return "continue", None

    outcome, stopped_at = stop(begin)
    detail: Detail = {
        "batches": len(known),
        "earlier_hits": hits,
        "earlier_runs": total,
        "discount": float(DISCOUNT),
        "start": published_float(begin),
        "lower": published_float(plan.lower),
        "upper": published_float(plan.upper),
        "recorded": len(ordered),
        "decides": outcome,
        "stopped_at": stopped_at,
        "cold": stop(0.0)[1],
    }
    return Made(None if stopped_at is None else Fraction(stopped_at), counted, _undecided(stopped_at), detail)


def fidelity(metric: str, levels: Thresholds, groups: Mapping[str, Sequence[RunRow]]) -> Made:
    """The value is what a plan that moves runs to the cheaper of two variants saves, as a share of the plain plan."""
    ordered = {variant: judged(metric, runs) for variant, runs in groups.items()}
    counted = tuple(run for of_variant in ordered.values() for run, _ in of_variant)
    unit = "cost_usd" if all(mean_of(runs, "cost_usd") for runs in groups.values()) else "tokens"
    costs = {variant: mean_of(runs, unit) for variant, runs in groups.items()}
    (dear, dear_cost), (cheap, cheap_cost) = sorted(costs.items(), key=lambda entry: -(entry[1] or 0))
    if not all(ordered.values()):
        return Made(None, counted, "not_judged" if all(groups.values()) else "no_valid_runs")
    if not dear_cost or not cheap_cost or dear_cost == cheap_cost:
        return Made(None, counted, "costs_alike" if dear_cost and dear_cost == cheap_cost else "usage_not_recorded")
    of_dear, of_cheap = (_counts(ordered[variant]) for variant in (dear, cheap))
    shared = sorted(of_dear.keys() & of_cheap.keys())
    found = agreement((*of_dear[case], *of_cheap[case]) for case in shared)
    if found is None or found.squared is None:
        return Made(None, counted, "no_shared_case" if found is None else "no_outcome_varies")
    plain = runs_needed(metric, levels, groups[dear])
    if plain.value is None:
        return Made(None, counted, plain.reason)
    n = int(plain.value)
    plan = fidelity_plan(n, found.squared if found.is_positive else 0, dear_cost / cheap_cost, found.cases)
    detail: Detail = {
        "dear": dear,
        "unit": unit,
        "cost_ratio": published_float(dear_cost / cheap_cost),
        "cases": found.cases,
        "agreement": published_float(found.alike),
        "correlation": None if found.correlation is None else published_float(found.correlation),
        "plain": n,
        "dear_runs": plan.dear,
        "cheap_runs": plan.cheap,
    }
    return Made(exact(published_float(1 - plan.share)), counted, None, detail)


def mean_of(runs: Sequence[RunRow], name: str) -> Fraction | None:
    """Mean of a recorded cost over the runs that recorded it."""
    known = [exact(value) for run in runs if (value := getattr(run.recorded, name)) is not None]
    return sum(known, Fraction(0)) / len(known) if known else None


def _counts(ordered: Sequence[tuple[RunRow, bool]]) -> dict[str, tuple[int, int]]:
    counts: dict[str, tuple[int, int]] = {}
    for run, hit in ordered:
        hits, n = counts.get(run.case_id, (0, 0))
        counts[run.case_id] = (hits + hit, n + 1)
    return counts


def _undecided(stopped_at: int | None) -> str | None:
    return "undecided" if stopped_at is None else None
