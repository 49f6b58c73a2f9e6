"""Key facts and forbidden facts of a case."""

from generator.judge.details import FactLeakDetail, FactPresenceDetail, decided
from generator.judge.fact_values import is_stated
from generator.judge.judgement import Judgement
from generator.model.assertions import Assertion, not_applicable


def key_fact_presence_rate(judgement: Judgement) -> Assertion:
    """Every key fact stands in the answer or in the built context, each by any of its values."""
    if judgement.setting.case is None:
        return not_applicable("case_not_in_bank")
    facts = judgement.setting.key_facts
    if not facts:
        return not_applicable("no_key_facts")
    statements = [*judgement.answer_statements, *judgement.context_statements]
    present = {fact.id for fact in facts if is_stated(fact, statements)}
    detail = FactPresenceDetail(
        present=sorted(present), missing=sorted(fact.id for fact in facts if fact.id not in present)
    )
    return decided(not detail.missing, detail)


def forbidden_fact_leak_rate(judgement: Judgement) -> Assertion:
    """Any forbidden fact stands in the final answer. No wording excuses it, and the context does not count."""
    if judgement.setting.case is None:
        return not_applicable("case_not_in_bank")
    facts = judgement.setting.stale_facts
    if not facts:
        return not_applicable("no_stale_facts")
    leaked = sorted(fact.id for fact in facts if is_stated(fact, judgement.answer_statements))
    return decided(bool(leaked), FactLeakDetail(leaked=leaked, checked=len(facts)))
