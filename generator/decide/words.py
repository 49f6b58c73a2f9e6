"""How the parts of a decision are written for people."""

from generator.model.decision_text import p_text
from generator.model.formatting import NO_VALUE, decimal_text, exact, signed_text
from generator.model.gate import GateCounts, GateReport, GateScenario, Why
from generator.model.numbers import Interval
from generator.model.rules import visible_id

WHY: dict[Why, str] = {
    "at_threshold": "the interval lies on the right side of theta",
    "below_threshold": "the interval lies on the wrong side of theta",
    "around_threshold": "the interval holds theta",
    "too_few_judged": "too few runs for any verdict",
    "no_drop": "no drop, and one of delta would have been found",
    "dropped": "worse by delta or more, and significant",
    "drop_below_delta": "significant, but by less than delta",
    "drop_within_family": "significant alone, not among all comparisons",
    "too_few_runs": "too few runs to have found a drop of delta",
    "no_judged_run": "no run was judged",
    "violations_tolerated": "no more violations than tolerated",
    "violations_beyond": "more violations than tolerated",
    "violations_undecided": "the interval holds the tolerated rate",
}
_HEADLINE = {"deploy": "deploy", "block": "block", "human": "a human decides"}


def headline(report: GateReport) -> str:
    """`ctx-2026-11 against theta: block`."""
    return f"{visible_id(report.batch)} {opponent(report)}: {_HEADLINE[report.decision]}"


def opponent(report: GateReport) -> str:
    if report.baseline is None:
        return "against theta"
    if report.baseline.variant is None:
        return f"against {visible_id(report.baseline.batch)}"
    return f"against its variant {visible_id(report.baseline.variant)}"


def scope(report: GateReport) -> str:
    """What was held against what, at which levels."""
    levels = report.levels
    pairs = [
        f"{metric.id} {'theta' if report.baseline is None else 'delta'} "
        f"{percent((metric.theta if report.baseline is None else metric.delta) or 0)}"
        for metric in levels.metrics
    ]
    text = f"{', '.join(pairs)}; alpha {percent(levels.alpha)}"
    if report.baseline is None:
        return f"{text}, two-sided, {levels.interval} intervals, no correction"
    family = f"Holm over the {levels.family_size} comparisons of this decision"
    if levels.family_size < 2:
        family = "nothing to correct for"
    return f"{text}, one-sided, Fisher's exact test, beta {percent(levels.beta)}; {family}"


def scenario_name(scenario: GateScenario) -> str:
    """`budgeted · category-safety · task_pass_rate`."""
    return " · ".join(map(visible_id, (scenario.variant, scenario.slice or "all cases", scenario.metric)))


def counts_text(counts: GateCounts) -> str:
    """`75.0% (9/12)`."""
    return f"{NO_VALUE if counts.value is None else percent(counts.value)} ({counts.hits}/{counts.n})"


def interval_text(interval: Interval | None) -> str:
    """`[46.8, 91.1]`, in percent or points."""
    if interval is None:
        return NO_VALUE
    return f"[{decimal_text(exact(interval.low) * 100, 1)}, {decimal_text(exact(interval.high) * 100, 1)}]"


def evidence_text(scenario: GateScenario) -> str:
    """All that the verdict rests on, in one line."""
    parts = [counts_text(scenario.current)]
    if scenario.baseline is None:
        parts.append(interval_text(scenario.current.interval))
    else:
        parts[0] += f" against {counts_text(scenario.baseline)}"
        if scenario.difference is not None:
            points = signed_text(exact(scenario.difference) * 100, 1)
            parts.append(f"{points} points {interval_text(scenario.difference_interval)}")
    for name, p in (("p", scenario.p), ("adjusted p", scenario.p_adjusted), ("p by case", scenario.p_by_case)):
        if p is not None:
            written = p_text(p)
            parts.append(f"{name} {written}" if written.startswith("<") else f"{name} = {written}")
    if scenario.power is not None:
        parts.append(f"power {percent(scenario.power)}")
    return ", ".join([*parts, *needed_text(scenario)])


def needed_text(scenario: GateScenario) -> list[str]:
    """What more runs would do, where that is known."""
    if scenario.runs_needed is not None:
        return [f"{scenario.runs_needed} runs a group needed"]
    if scenario.why in ("around_threshold", "violations_undecided") and scenario.more_runs is None:
        return ["no number of runs decides at this rate"]
    return [f"{scenario.more_runs} more runs would decide"] if scenario.more_runs else []


def excluded_text(counts: GateCounts) -> str:
    """`invalid:rate_limited 3, …`; empty where every run counts."""
    return ", ".join(f"{visible_id(reason)} {count}" for reason, count in counts.excluded.items())


def percent(value: float) -> str:
    return decimal_text(exact(value) * 100, 1) + "%"
