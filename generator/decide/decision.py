"""Scenarios, coverage → deploy, block, or a human."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from generator import __version__
from generator.decide.configurations import differing_paths
from generator.decide.levels import Levels, make_levels
from generator.decide.scenarios import make_group, make_scenarios
from generator.decide.verdicts import Pair, against_baseline, against_threshold
from generator.decide.words import percent, scenario_name
from generator.model.addresses import variant_name
from generator.model.formatting import exact
from generator.model.gate import (
    GateBaseline,
    GateCoverage,
    GateLevels,
    GatePolicy,
    GateReport,
    GateRequest,
    GateScenario,
)
from generator.model.report import BatchReport, Report
from generator.model.rules import visible_id
from generator.model.words import in_words
from generator.stats.gate import EXIT_CODES, GateDecision, gate

COVERAGE = "coverage"
"""The metric that says how much of what could be reached a variant reached."""
NAMED = 5
"""Scenarios that a reason names; all stand below it."""


def decide(report: Report, request: GateRequest, policy: GatePolicy) -> GateReport:
    """The decision on a batch.

    Parameters
    ----------
    report : Report
        Holds the batch, and the baseline where another batch is one; both are known to be comparable.
    request, policy
        Without findings.

    Returns
    -------
    GateReport, with the verdict of every scenario and the reasons.
    """
    batches = {batch.batch.id: batch for batch in report.batches}
    current = batches[request.batch]
    baseline = None if request.baseline is None else batches[request.baseline]
    levels = make_levels(
        policy, report.source.publication.thresholds, current.experiment, against_theta=baseline is None
    )
    variants = _candidates(current, request)
    pairs, left_out = _pairs(report, current, baseline, variants, policy, levels, request)
    if baseline is None:
        scenarios = [against_threshold(pair, levels) for pair in pairs]
    else:
        scenarios = against_baseline([(pair, pair.baseline) for pair in pairs if pair.baseline], levels)
    coverage = [GateCoverage(variant=variant, value=_coverage(current, variant)) for variant in variants]
    decided = _decided(scenarios, coverage, policy)
    within = current.experiment.baseline if request.is_within else None
    return GateReport(
        generator_version=__version__,
        source_hash=report.source.hash,
        batch=current.batch.id,
        experiment=current.experiment.id,
        variants=variants,
        baseline=None if baseline is None else GateBaseline(batch=baseline.batch.id, variant=within),
        levels=_levels(policy, levels, sum(scenario.p is not None for scenario in scenarios)),
        decision=decided.decision,
        exit_code=decided.exit_code,
        suite=decided.suite,
        coverage=coverage,
        reasons=list(_reasons(scenarios, coverage, policy, decided)),
        notes=list(_notes(scenarios, left_out, current, baseline)),
        scenarios=scenarios,
        not_applicable=left_out,
        address=report.source.publication.address,
    )


def _candidates(current: BatchReport, request: GateRequest) -> list[str]:
    """Baseline first, then as registered."""
    if request.variant is not None:
        return [request.variant]
    return [name for name in current.accounting if not request.is_within or name != current.experiment.baseline]


def _pairs(
    report: Report,
    current: BatchReport,
    baseline: BatchReport | None,
    variants: list[str],
    policy: GatePolicy,
    levels: Levels,
    request: GateRequest,
) -> tuple[list[Pair], list[str]]:
    """What is decided, and the ids of what the metric does not apply to on either side."""
    bank = report.source.case_banks[current.batch.case_bank.id]
    parts = make_scenarios(policy.scenario, current, bank)
    table = report.source.metrics
    pairs: list[Pair] = []
    left_out: list[str] = []
    for variant in variants:
        for metric in levels.metrics:
            for part in parts:
                row = table.metric(metric.id)
                of = current.experiment.baseline if request.is_within else variant
                base = None if baseline is None else make_group(baseline, of, row, part)
                pair = Pair(metric, make_group(current, variant, row, part, policy.max_trials), base)
                if pair.current.applies or (base is not None and base.applies):
                    pairs.append(pair)
                else:
                    left_out.append(pair.id)
    return pairs, left_out


def _coverage(report: BatchReport, variant: str) -> float | None:
    number = report.number(variant_name(variant), COVERAGE)
    return None if number is None or number.value is None else float(number.value)


def _decided(scenarios: Sequence[GateScenario], coverage: Sequence[GateCoverage], policy: GatePolicy) -> GateDecision:
    """The variant that is covered least decides; one whose coverage is unknown makes it unknown."""
    known = [exact(entry.value) for entry in coverage if entry.value is not None]
    least = min(known) if known and len(known) == len(coverage) else None
    verdicts = [scenario.outcome for scenario in scenarios]
    # Where none is demanded it is as if everything had been covered.
    demanded = (1, 0) if policy.min_coverage is None else (least, exact(policy.min_coverage))
    found = gate(verdicts, *demanded)
    if found.decision == "block" and not policy.block_on_any_fail:
        return replace(found, decision="human", exit_code=EXIT_CODES["human"])
    return found


def _levels(policy: GatePolicy, levels: Levels, family: int) -> GateLevels:
    return GateLevels(
        scenario=policy.scenario,
        metrics=list(levels.metrics),
        alpha=levels.alpha,
        beta=levels.beta,
        interval=levels.interval,
        min_coverage=policy.min_coverage,
        max_trials=policy.max_trials,
        block_on_any_fail=policy.block_on_any_fail,
        family_size=family,
    )


def _reasons(
    scenarios: Sequence[GateScenario], coverage: Sequence[GateCoverage], policy: GatePolicy, decided: GateDecision
) -> Iterator[str]:
    """What led to the decision, the strongest first."""
    total = len(scenarios)
    for outcome, words in (("fail", "fail"), ("inconclusive", "are inconclusive")):
        named = [scenario_name(scenario) for scenario in scenarios if scenario.outcome == outcome]
        if named:
            words = words if len(named) != 1 else {"fail": "fails"}.get(outcome, "is inconclusive")
            rest = f" and {len(named) - NAMED} more" if len(named) > NAMED else ""
            yield f"{len(named)} of {total} scenarios {words}: {in_words(named[:NAMED])}{rest}"
    if not scenarios:
        yield "there is no scenario to decide on"
    elif decided.suite == "pass":
        yield f"all {total} scenarios pass"
    if decided.suite == "fail" and not policy.block_on_any_fail:
        yield "the policy lets a human decide on failures (block_on_any_fail: false)"
    if policy.min_coverage is None:
        yield "no coverage is demanded (min_coverage: null)"
        return
    wanted = percent(policy.min_coverage)
    unknown = [visible_id(entry.variant) for entry in coverage if entry.value is None]
    if unknown:
        yield f"coverage of {in_words(unknown)} is unknown, {wanted} is demanded"
    for entry in coverage:
        if entry.value is not None:
            word = "reaches" if exact(entry.value) >= exact(policy.min_coverage) else "is below"
            yield f"coverage of {visible_id(entry.variant)}, {percent(entry.value)}, {word} the demanded {wanted}"


def _notes(
    scenarios: Sequence[GateScenario], left_out: Sequence[str], current: BatchReport, baseline: BatchReport | None
) -> Iterator[str]:
    for scenario in scenarios:
        counts = scenario.current
        if counts.judged > counts.n:
            yield f"{scenario_name(scenario)}: {counts.n} of {counts.judged} judged runs counted (max_trials)"
    if left_out:
        yield f"the metric applies to no run of {in_words(left_out)}: outside the decision"
    if baseline is not None and baseline is not current:
        accepted = [accepted.path for accepted in current.experiment.accepted_differences]
        variants = dict.fromkeys(scenario.variant for scenario in scenarios)
        changed = dict.fromkeys(
            path
            for variant in variants
            for path in differing_paths(variant, current.configs, baseline.configs, accepted)
        )
        if changed:
            yield f"the configuration differs from the baseline's, as the policy declares, at {in_words(changed)}"
        aside = [case for case in baseline.batch.planned.cases if case not in set(current.batch.planned.cases)]
        if aside:
            yield f"cases of the baseline left aside: {in_words(map(visible_id, aside))}"
