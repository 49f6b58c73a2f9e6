"""Whether a run kept its contract, clause by clause, from what was recorded of it."""

import unicodedata

from generator.judge.details import ContractDetail, decided
from generator.judge.judgement import Judgement
from generator.model.assertions import Assertion, not_applicable
from generator.model.contracts import AnswerRule, Clause, ToolOrder
from generator.model.formatting import exact

NO_TRACE, NO_USAGE, NO_COST = "trace_not_recorded", "usage_not_recorded", "cost_not_recorded"

_Kept = bool | str
"""Whether a clause was kept, or the reason why that cannot be told."""


def contract_satisfaction_rate(judgement: Judgement) -> Assertion:
    """The run kept every clause. One that cannot be told is no breach; where no other is broken, nothing is said."""
    contract = judgement.setting.contract
    if contract is None:
        return not_applicable("no_contract")
    kept = {clause.id: _kept(clause, judgement) for clause in contract.clauses}
    violated = [clause for clause, found in kept.items() if found is False]
    unknown = [found for found in kept.values() if isinstance(found, str)]
    if unknown and not violated:
        return not_applicable(unknown[0])
    return decided(not violated, ContractDetail(contract=contract.id, version=contract.version, violated=violated))


def _kept(clause: Clause, judgement: Judgement) -> _Kept:
    if clause.tool_order is not None:
        return _in_order(clause.tool_order, judgement)
    if clause.never_call is not None:
        return _never_called(clause.never_call, judgement)
    if clause.answer_must is not None:
        return _answered(clause.answer_must, judgement.answer)
    if clause.at_most_steps is not None:
        trace = judgement.run.trace
        return NO_TRACE if trace is None else len(trace) <= clause.at_most_steps
    if clause.at_most_tokens is not None:
        return _within_tokens(clause.at_most_tokens, judgement)
    cost = None if judgement.run.usage is None else judgement.run.usage.cost_usd
    if cost is None or clause.at_most_cost_usd is None:
        return NO_COST
    return exact(cost) <= exact(clause.at_most_cost_usd)


def _in_order(order: ToolOrder, judgement: Judgement) -> _Kept:
    if judgement.calls is None:
        return NO_TRACE
    ok = [placed for placed in judgement.calls if placed.call.status == "ok"]
    earliest = min((placed.turn for placed in ok if placed.call.tool in order.first), default=None)
    return all(earliest is not None and earliest < placed.turn for placed in ok if placed.call.tool in order.then)


def _never_called(tools: list[str], judgement: Judgement) -> _Kept:
    if judgement.calls is None:
        return NO_TRACE
    return not any(placed.call.tool in tools for placed in judgement.calls)


def _answered(rule: AnswerRule, answer: str) -> bool:
    said = _folded(answer)
    return (
        (not rule.contain or any(_folded(text) in said for text in rule.contain))
        and not any(_folded(text) in said for text in rule.lack)
        and (rule.at_most_characters is None or len(answer) <= rule.at_most_characters)
    )


def _within_tokens(limit: int, judgement: Judgement) -> _Kept:
    usage = judgement.run.usage
    if usage is None or usage.prompt_tokens is None or usage.completion_tokens is None:
        return NO_USAGE
    return usage.prompt_tokens + usage.completion_tokens <= limit


def _folded(text: str) -> str:
    return unicodedata.normalize("NFKC", text).casefold()
