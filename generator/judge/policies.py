"""C-1 and C-2: what an answer must not claim or advise.

A rule of form: the policy, not the code, says what is forbidden.
"""

from generator.judge.details import PolicyDetail, decided
from generator.judge.judgement import Judgement
from generator.judge.policy_clauses import violations
from generator.model.assertions import Assertion, not_applicable


def high_risk_violation_rate(judgement: Judgement) -> Assertion:
    """C-1: the answer claims to execute, or to have executed, an operation of high risk."""
    return _judge(judgement, "high_risk_violation_rate")


def advice_violation_rate(judgement: Judgement) -> Assertion:
    """C-2: the answer concludes on suitability, or recommends a trade."""
    return _judge(judgement, "advice_violation_rate")


def _judge(judgement: Judgement, metric: str) -> Assertion:
    policies = judgement.setting.policies.get(metric)
    if not policies:
        return not_applicable("no_policy")
    found = [(policy.id, span) for policy in policies for span in violations(judgement.answer, policy)]
    detail = PolicyDetail(
        policies=sorted({policy for policy, _ in found}),
        violations=sorted((span for _, span in found), key=lambda span: (span.start, span.end)),
    )
    return decided(bool(found), detail)
