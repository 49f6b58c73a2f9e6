"""call-relation-v1: whether the calls of a run stand in the relations that its case asks for."""

from collections.abc import Iterator, Mapping, Sequence

from generator.judge.details import CallRelationDetail, decided
from generator.judge.fact_values import KnownFact, Statement, is_stated
from generator.judge.json_paths import values_at
from generator.judge.json_values import Mark, Scalar, covers, marks, marks_of_same
from generator.judge.judgement import Judgement, PlacedCall
from generator.judge.matching import Matching, match
from generator.model.assertions import Assertion, not_applicable
from generator.model.base import Json
from generator.model.cases import CallPattern, Dependency, ExpectedCall, Gold
from generator.model.runs import Run


def call_relation_pass_rate(judgement: Judgement) -> Assertion:
    """All parts hold: required calls, dependencies, alternatives, no forbidden and no unconfirmed call, facts in the
    answer. Calls after the facts were complete are counted, and never fail a run."""
    gold = judgement.setting.gold
    if gold is None:
        return not_applicable("case_not_in_bank")
    if not gold.has_call_relation:
        return not_applicable("no_call_relation")
    if judgement.calls is None:
        return not_applicable("trace_not_recorded")
    detail = _parts(judgement, gold, judgement.calls)
    failed = (
        detail.missing_required
        or detail.failed_dependencies
        or detail.failed_alternatives
        or detail.forbidden_hit
        or detail.unconfirmed
        or detail.facts_missing_in_answer
    )
    return decided(not failed, detail)


def _parts(judgement: Judgement, gold: Gold, calls: list[PlacedCall]) -> CallRelationDetail:
    required = gold.required_calls or []
    matching = _matching(required, calls)
    met = {
        alternatives.id: next(
            (found for group in alternatives.groups if not (found := _matching(group, calls)).missing), None
        )
        for alternatives in gold.acceptable_alternatives or []
    }
    used = {index for found in (matching, *met.values()) if found is not None for index in found.used}
    missing = [required[index] for index in matching.missing]
    forbidden = [entry for entry in gold.forbidden_calls or [] if any(_fits(placed, entry) for placed in calls)]
    unconfirmed = [
        entry for entry in gold.confirmation_required or [] if not _is_confirmed(entry, calls, judgement.run)
    ]
    facts = judgement.setting.stop_facts or []
    return CallRelationDetail(
        missing_required=[entry.id for entry in missing],
        missing_required_count=len(missing),
        interchangeable_required=[required[index].id for index in matching.interchangeable],
        failed_dependencies=_failed_dependencies(gold, calls),
        failed_alternatives=[id_ for id_, found in met.items() if found is None],
        forbidden_hit=[entry.id for entry in forbidden],
        unconfirmed=[entry.id for entry in unconfirmed],
        facts_missing_in_answer=[fact.id for fact in facts if not is_stated(fact, judgement.answer_statements)],
        extra_calls_after_facts=_extra_calls(judgement, facts, calls, used),
        tools={entry.id: entry.tool for entries in (missing, forbidden, unconfirmed) for entry in entries},
    )


def _fits(placed: PlacedCall, entry: ExpectedCall | CallPattern) -> bool:
    """Same name, and the entry's arguments are a subset; patterns ask for no status, because the attempt counts."""
    call = placed.call
    if call.tool != entry.tool or (isinstance(entry, ExpectedCall) and call.status != entry.status):
        return False
    return not entry.args or covers(call.arguments, entry.args)


def _matching(entries: Sequence[ExpectedCall], calls: list[PlacedCall]) -> Matching:
    candidates = [[index for index, placed in enumerate(calls) if _fits(placed, entry)] for entry in entries]
    return match(candidates, len(calls))


def _failed_dependencies(gold: Gold, calls: list[PlacedCall]) -> list[str]:
    if not gold.required_dependencies:
        return []
    entries = {entry.id: entry for entry in gold.required_calls or []}
    for alternatives in gold.acceptable_alternatives or []:
        for group in alternatives.groups:
            for entry in group:
                entries.setdefault(entry.id, entry)
    return [dependency.id for dependency in gold.required_dependencies if not _flows(dependency, entries, calls)]


def _flows(dependency: Dependency, entries: Mapping[str, ExpectedCall], calls: list[PlacedCall]) -> bool:
    """A value of a source call's result is an argument of a target call in a later turn: a call of the same turn cannot
    have used the result."""
    source, target = entries.get(dependency.source), entries.get(dependency.target)
    if source is None or target is None:
        return False
    last_taken: dict[Mark, int] = {}
    for placed in calls:
        if _fits(placed, target):
            for value in _scalars_at(placed.call.arguments, dependency.target_path):
                for mark in marks(value):
                    last_taken[mark] = max(placed.turn, last_taken.get(mark, placed.turn))
    return any(
        last_taken.get(mark, placed.turn) > placed.turn
        for placed in calls
        if _fits(placed, source)
        for value in _scalars_at(placed.call.result, dependency.source_path)
        for mark in marks_of_same(value)
    )


def _scalars_at(value: Json, path: str) -> Iterator[Scalar]:
    """Null is no value that could flow."""
    for found in values_at(value, path):
        if isinstance(found, bool | int | float | str):
            yield found


def _is_confirmed(entry: CallPattern, calls: list[PlacedCall], run: Run) -> bool:
    """No call fits, or each that does has a user's confirmation for its tool in an earlier or the same turn.

    A flag in the arguments is the model's own word, and an autonomous run has nobody who could confirm.
    """
    first = min((placed.turn for placed in calls if _fits(placed, entry)), default=None)
    if first is None or run.mode == "autonomous":
        return first is None
    return any(given.tool == entry.tool and given.turn <= first for given in run.confirmations)


def _extra_calls(judgement: Judgement, facts: list[KnownFact], calls: list[PlacedCall], used: set[int]) -> int | None:
    """Calls after the first moment at which successful results and context hold all facts, without those that serve an
    entry. None if that moment never comes, or no facts are given."""
    complete = _complete_at(judgement, facts)
    if complete is None:
        return None
    return sum(index not in used for index in range(complete, len(calls)))


def _complete_at(judgement: Judgement, facts: list[KnownFact]) -> int | None:
    """How many calls it took until all facts were there; 0 where the context already holds them."""
    if not facts:
        return None
    open_facts = _still_open(facts, judgement.context_statements)
    for index, statements in enumerate(judgement.result_statements):
        if not open_facts:
            return index
        open_facts = _still_open(open_facts, statements)
    return None if open_facts else len(judgement.result_statements)


def _still_open(facts: list[KnownFact], statements: list[Statement]) -> list[KnownFact]:
    return [fact for fact in facts if not is_stated(fact, statements)] if statements else facts
