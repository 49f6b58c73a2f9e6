"""Scenarios, coverage → deploy, block, or a human."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from generator import __version__
from generator.decide.candidates import candidates
from generator.decide.levels import Levels, make_levels
from generator.decide.reasons import notes, reasons
from generator.decide.relations import relation_scenarios
from generator.decide.scenarios import make_group, make_scenarios, runs_by_cell
from generator.decide.verdicts import Pair, against_baseline, against_threshold
from generator.model.addresses import variant_name
from generator.model.cases import CaseBank
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
from generator.stats.gate import EXIT_CODES, GateDecision, gate

COVERAGE = "coverage"
"""The metric that says how much of what could be reached a variant reached."""


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
    thresholds = report.source.publication.thresholds
    levels = make_levels(policy, thresholds, current.experiment, against_theta=baseline is None)
    question = _Question(report, request, policy, current, baseline, levels)
    pairs = list(question.pairs())
    scenarios = [*question.verdicts([pair for pair in pairs if pair.applies]), *relation_scenarios(current)]
    coverage = [GateCoverage(variant=variant, value=_coverage(current, variant)) for variant in question.variants]
    decided = _decided(scenarios, coverage, policy)
    left_out = [pair.id for pair in pairs if not pair.applies]
    return GateReport(
        generator_version=__version__,
        source_hash=report.source.hash,
        batch=current.batch.id,
        experiment=current.experiment.id,
        variants=question.variants,
        baseline=question.opponent(),
        levels=_levels(policy, levels, sum(scenario.p is not None for scenario in scenarios)),
        decision=decided.decision,
        exit_code=decided.exit_code,
        suite=decided.suite,
        coverage=coverage,
        reasons=list(reasons(scenarios, coverage, policy, decided)),
        notes=list(notes(scenarios, left_out, current, baseline, question.bank)),
        scenarios=scenarios,
        not_applicable=left_out,
        address=report.source.publication.address,
    )


@dataclass(frozen=True)
class _Question:
    """What is held against what."""

    report: Report
    request: GateRequest
    policy: GatePolicy
    current: BatchReport
    baseline: BatchReport | None
    levels: Levels

    @property
    def variants(self) -> list[str]:
        """The candidates, in the order of the pages."""
        if self.request.variant is not None:
            return [self.request.variant]
        return candidates(self.current.accounting, self.current.experiment, self.request)

    @property
    def bank(self) -> CaseBank:
        return self.report.source.case_banks[self.current.batch.case_bank.id]

    def opponent(self) -> GateBaseline | None:
        if self.baseline is None:
            return None
        variant = self.current.experiment.baseline if self.request.is_within else None
        return GateBaseline(batch=self.baseline.batch.id, variant=variant)

    def pairs(self) -> Iterator[Pair]:
        """Variant by variant, metric by metric."""
        parts = make_scenarios(self.policy.scenario, self.current, self.bank)
        runs = runs_by_cell(self.current)
        base_runs = runs if self.baseline is None or self.request.is_within else runs_by_cell(self.baseline)
        cap = self.policy.max_trials
        for variant in self.variants:
            of = self.current.experiment.baseline if self.request.is_within else variant
            for measure in self.levels.metrics:
                metric = self.report.source.metrics.metric(measure.id)
                for part in parts:
                    base = None if self.baseline is None else make_group(self.baseline, base_runs, of, metric, part)
                    yield Pair(measure, make_group(self.current, runs, variant, metric, part, cap), base)

    def verdicts(self, pairs: Sequence[Pair]) -> list[GateScenario]:
        if self.baseline is None:
            return [against_threshold(pair, self.levels) for pair in pairs]
        return against_baseline([(pair, pair.baseline) for pair in pairs if pair.baseline is not None], self.levels)


def _coverage(report: BatchReport, variant: str) -> float | None:
    number = report.number(variant_name(variant), COVERAGE)
    return None if number is None or number.value is None else float(number.value)


def _decided(scenarios: Sequence[GateScenario], coverage: Sequence[GateCoverage], policy: GatePolicy) -> GateDecision:
    """The variant that is covered least decides; one whose coverage is unknown makes it unknown."""
    known = [exact(entry.value) for entry in coverage if entry.value is not None]
    least = min(known) if known and len(known) == len(coverage) else None
    # Where none is demanded it is as if everything had been covered.
    demanded = (1, 0) if policy.min_coverage is None else (least, exact(policy.min_coverage))
    found = gate([scenario.outcome for scenario in scenarios], *demanded)
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
        min_runs=levels.min_runs,
        max_trials=policy.max_trials,
        block_on_any_fail=policy.block_on_any_fail,
        family_size=family,
    )
