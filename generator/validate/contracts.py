"""Rules of contracts."""

from collections.abc import Iterator

from generator.errors import Finding, Place
from generator.model.contracts import FORMS, Clause, Contract
from generator.model.rules import finding, visible_id
from generator.model.source import Source
from generator.model.words import did_you_mean, one_of
from generator.validate.common import unique_ids


def check_contracts(source: Source) -> Iterator[Finding]:
    for contract in source.contracts.values():
        file = f"contracts/{contract.id}.yaml"
        yield from unique_ids(file, "clauses", (clause.id for clause in contract.clauses))
        yield from _check_version(file, contract)
        for position, clause in enumerate(contract.clauses):
            yield from check_clause(file, f"clauses[{position}]", clause)
    yield from check_contract_names(source)


def check_contract_names(source: Source) -> Iterator[Finding]:
    """RC126: an experiment names a contract that is there."""
    there = sorted(source.contracts)
    for position, experiment in enumerate(source.experiments.values()):
        if experiment.contract is not None and experiment.contract not in source.contracts:
            place = Place("experiments.yaml", field=f"experiments[{position}].contract")
            name = visible_id(experiment.contract)
            remedy = did_you_mean(experiment.contract, there, f"correct the id, or add contracts/{name}.yaml")
            yield finding("RC126", place, one_of(there, "a file of contracts/"), f"`{name}`", remedy)


def check_clause(file: str, path: str, clause: Clause) -> Iterator[Finding]:
    """RC127: a clause has one form, and can be kept and broken."""
    forms = [form for form in FORMS if getattr(clause, form) is not None]
    if len(forms) != 1:
        found = ", ".join(forms) or "none"
        remedy = "keep one; make a clause of each other" if forms else "add one"
        yield finding("RC127", Place(file, field=path), f"one of {', '.join(FORMS)}", found, remedy)
    for name in ("at_most_steps", "at_most_tokens", "at_most_cost_usd"):
        limit = getattr(clause, name)
        if limit is not None and limit < 0:
            yield finding("RC109", Place(file, field=f"{path}.{name}"), "0 or more", str(limit), f"correct `{name}`")
    for name, names in _lists(clause):
        if not names or not all(text.strip() for text in names):
            place, found = Place(file, field=f"{path}.{name}"), "a blank one" if names else "none"
            yield finding("RC127", place, "names or texts", found, "name what the clause is about")
    rule = clause.answer_must
    if rule is not None:
        if not (rule.contain or rule.lack) and rule.at_most_characters is None:
            place, expected = Place(file, field=f"{path}.answer_must"), "contain, lack or at_most_characters"
            yield finding("RC127", place, expected, "none", "say what the answer must be")
        if rule.at_most_characters is not None and rule.at_most_characters < 0:
            place, found = Place(file, field=f"{path}.answer_must.at_most_characters"), str(rule.at_most_characters)
            yield finding("RC109", place, "0 or more", found, "correct the length")


def _check_version(file: str, contract: Contract) -> Iterator[Finding]:
    if contract.version < 1:
        place, found = Place(file, field="version"), str(contract.version)
        yield finding("RC108", place, "1 or more", found, "count versions from 1")
    if not contract.clauses:
        yield finding("RC127", Place(file, field="clauses"), "at least one clause", "none", "add a clause")


def _lists(clause: Clause) -> Iterator[tuple[str, list[str]]]:
    """The lists that must not be empty, nor hold a blank."""
    if clause.tool_order is not None:
        yield "tool_order.first", clause.tool_order.first
        yield "tool_order.then", clause.tool_order.then
    if clause.never_call is not None:
        yield "never_call", clause.never_call
    if clause.answer_must is not None:
        for name in ("contain", "lack"):
            texts = getattr(clause.answer_must, name)
            if texts:
                yield f"answer_must.{name}", texts
