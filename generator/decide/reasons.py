"""What led to a decision, and what else its reader must know, in sentences."""

from collections.abc import Iterator, Sequence

from generator.decide.configurations import differing_paths
from generator.decide.words import percent, scenario_name
from generator.model.addresses import variant_name
from generator.model.cases import CaseBank
from generator.model.formatting import decimal_text, exact
from generator.model.gate import GateCoverage, GatePolicy, GateScenario
from generator.model.report import BatchReport
from generator.model.rules import visible_id
from generator.model.words import in_words
from generator.stats.gate import GateDecision

ALIKE = "effective_runs"
NAMED = 5
"""Scenarios that a reason names, all of which stand below it, and cases that a note does."""


def reasons(
    scenarios: Sequence[GateScenario], coverage: Sequence[GateCoverage], policy: GatePolicy, decided: GateDecision
) -> Iterator[str]:
    """The strongest first."""
    total = "the only scenario" if len(scenarios) == 1 else f"all {len(scenarios)} scenarios"
    for outcome, one, many in (("fail", "fails", "fail"), ("inconclusive", "is inconclusive", "are inconclusive")):
        named = [scenario_name(scenario) for scenario in scenarios if scenario.outcome == outcome]
        if named:
            who = total if len(named) == len(scenarios) else f"{len(named)} of {len(scenarios)} scenarios"
            rest = f" and {len(named) - NAMED} more" if len(named) > NAMED else ""
            yield f"{who} {one if len(named) == 1 else many}: {in_words(named[:NAMED])}{rest}"
    if not scenarios:
        yield "there is no scenario to decide on"
    elif decided.suite == "pass":
        yield f"{total} {'passes' if len(scenarios) == 1 else 'pass'}"
    if decided.suite == "fail" and not policy.block_on_any_fail:
        yield "the policy lets a human decide on failures (block_on_any_fail: false)"
    yield from _of_coverage(coverage, policy.min_coverage)


def _of_coverage(coverage: Sequence[GateCoverage], minimum: float | None) -> Iterator[str]:
    if minimum is None:
        yield "no coverage is demanded (min_coverage: null)"
        return
    unknown = [visible_id(entry.variant) for entry in coverage if entry.value is None]
    if unknown:
        yield f"coverage of {in_words(unknown)} is unknown, {percent(minimum)} is demanded"
    for entry in coverage:
        if entry.value is not None:
            word = "reaches" if exact(entry.value) >= exact(minimum) else "is below"
            name = visible_id(entry.variant)
            yield f"coverage of {name}, {percent(entry.value)}, {word} the demanded {percent(minimum)}"


def notes(
    scenarios: Sequence[GateScenario],
    left_out: Sequence[str],
    current: BatchReport,
    baseline: BatchReport | None,
    bank: CaseBank,
) -> Iterator[str]:
    """What was not counted, and what is not the same on both sides."""
    for scenario in scenarios:
        counts = scenario.current
        if counts.judged > counts.n:
            yield f"{scenario_name(scenario)}: {counts.n} of {counts.judged} judged runs counted (max_trials)"
    for variant in dict.fromkeys(scenario.variant for scenario in scenarios):
        yield from _doubts(current, variant)
    yield from _of_mutants(current)
    if left_out:
        yield f"the metric asks nothing of the cases of {in_words(left_out)}: outside the decision"
    if baseline is not None and baseline is not current:
        yield from _between_batches(scenarios, current, baseline)
    yield from _waivers(scenarios, current)
    planned = frozenset(current.batch.planned.cases)
    absent = [visible_id(case.id) for case in bank.cases if case.id not in planned]
    if absent:
        rest = f" and {len(absent) - NAMED} more" if len(absent) > NAMED else ""
        yield f"cases of the bank that the batch does not plan: {in_words(absent[:NAMED])}{rest}"


def _of_mutants(batch: BatchReport) -> Iterator[str]:
    """What the scenarios of this batch can see at all."""
    score = batch.number(variant_name(batch.experiment.baseline), "mutation_score")
    if score is not None and score.value is not None and score.detail is not None:
        killed, judged = score.detail["killed"], score.detail["judged"]
        yield f"the mutants of this batch are no candidates; its cases, run so often, tell {killed} of {judged} apart"


def _waivers(scenarios: Sequence[GateScenario], current: BatchReport) -> Iterator[str]:
    """Each known gap, with what it would excuse. No rate and no verdict is without it."""
    waived = {run_id for scenario in scenarios for run_id in scenario.current.waived}
    cases = {row.run_id: row.case_id for row in current.rows if row.run_id in waived}
    for waiver in current.batch.waivers:
        failures = sum(case == waiver.case for case in cases.values())
        known = f"case {visible_id(waiver.case)} is waived since {waiver.since.isoformat()}"
        if failures:
            runs = "1 run of it fails, and counts" if failures == 1 else f"{failures} runs of it fail, and count"
            yield f"{known}: {runs} in every rate and verdict"
        else:
            yield f"{known}: no counted run of it fails, the waiver waives nothing"


_DOUBTS = {
    "order_drift": "outcomes drift over the recorded order",
    "identical_answers": "answers look as if they had been reused",
    "judge_agreement": "the judge contradicts itself",
}


def _doubts(batch: BatchReport, variant: str) -> Iterator[str]:
    """What speaks against what all verdicts take for granted. It decides nothing."""
    for name, number in ((metric, batch.number(variant_name(variant), metric)) for metric in (*_DOUBTS, ALIKE)):
        if number is None or number.detail is None or number.detail["outcome"] != "doubtful":
            continue
        said = f"doubtful for {visible_id(variant)}, on the pass metric: "
        if name in _DOUBTS:
            yield said + _DOUBTS[name]
        else:
            runs = decimal_text(exact(number.value or 0), 1)
            low, high = (decimal_text(exact(float(str(number.detail[end]))) * 100, 1) for end in ("low", "high"))
            yield f"{said}runs of a case are alike; they are worth {runs} independent ones, interval [{low}, {high}]"


def _between_batches(scenarios: Sequence[GateScenario], current: BatchReport, baseline: BatchReport) -> Iterator[str]:
    accepted = [accepted.path for accepted in current.experiment.accepted_differences]
    changed = dict.fromkeys(
        path
        for variant in dict.fromkeys(scenario.variant for scenario in scenarios)
        for path in differing_paths(variant, current.configs, baseline.configs, accepted)
    )
    if changed:
        yield f"the configuration differs from the baseline's, as the policy declares, at {in_words(changed)}"
    planned = frozenset(current.batch.planned.cases)
    aside = [case for case in baseline.batch.planned.cases if case not in planned]
    if aside:
        yield f"cases of the baseline left aside: {in_words(map(visible_id, aside))}"
