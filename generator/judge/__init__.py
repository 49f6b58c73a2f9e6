"""Judges: deterministic code that says of a run what happened, one metric a function."""

from collections.abc import Callable

from generator.judge.attribution import attribute
from generator.judge.call_relation import call_relation_pass_rate
from generator.judge.context import injection_isolation_rate, required_retention_rate
from generator.judge.contracts import contract_satisfaction_rate
from generator.judge.facts import forbidden_fact_leak_rate, key_fact_presence_rate
from generator.judge.factual_numbers import numeric_hallucination_rate
from generator.judge.fingerprint import FEATURES
from generator.judge.harness import task_pass_rate
from generator.judge.judgement import Judgement
from generator.judge.leaks import unauthorized_leak_rate
from generator.judge.policies import advice_violation_rate, high_risk_violation_rate
from generator.judge.setting import JudgeSetting
from generator.judge.telemetry import avg_tokens, avg_turns, duration
from generator.judge.tools import hallucinated_tool_rate, tool_selection_accuracy
from generator.model.assertions import Assertion, Attribution
from generator.model.runs import Run

METRICS: dict[str, Callable[[Judgement], Assertion]] = {
    "tool_selection_accuracy": tool_selection_accuracy,
    "hallucinated_tool_rate": hallucinated_tool_rate,
    "unauthorized_leak_rate": unauthorized_leak_rate,
    "numeric_hallucination_rate": numeric_hallucination_rate,
    "high_risk_violation_rate": high_risk_violation_rate,
    "advice_violation_rate": advice_violation_rate,
    "required_retention_rate": required_retention_rate,
    "key_fact_presence_rate": key_fact_presence_rate,
    "forbidden_fact_leak_rate": forbidden_fact_leak_rate,
    "injection_isolation_rate": injection_isolation_rate,
    "avg_turns": avg_turns,
    "avg_tokens": avg_tokens,
    "duration_p50": duration,
    "duration_p95": duration,
    "call_relation_pass_rate": call_relation_pass_rate,
    "task_pass_rate": task_pass_rate,
    "contract_satisfaction_rate": contract_satisfaction_rate,
    **FEATURES,
}


def judge_run(run: Run, setting: JudgeSetting) -> tuple[dict[str, Assertion], list[Attribution]]:
    """The assertions of a run by metric, and what its failures are put down to.

    A run that is not valid is not judged, even where it left evidence: it stands outside every denominator.
    """
    if run.validity != "valid":
        return {}, []
    judgement = Judgement(run, setting)
    assertions = {metric: judge(judgement) for metric, judge in METRICS.items()}
    return assertions, attribute(run, assertions, setting)
