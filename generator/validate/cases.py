"""Rules of the case banks. Values of gold answers are never quoted: findings may be read by everybody."""

import re
import unicodedata
from collections.abc import Iterator
from decimal import Decimal

from generator.errors import Finding, Place
from generator.model.cases import CaseBank, ExpectedCall, Fact, Gold
from generator.model.rules import finding, visible_id
from generator.model.source import Source
from generator.model.words import did_you_mean, one_of
from generator.validate.common import unique_ids

_GOLD_PATH = re.compile(r"\$(\.[^.\[\]]+|\[[0-9]+\]|\[\*\])*")
_NUMBER = re.compile(r"([+-]?)([0-9]+|[0-9]{1,3}(?:,[0-9]{3})+)(\.[0-9]+)?(%?)")

Call = tuple[str, str]
"""Path and tool of a call that the gold answers name."""


def check_cases(source: Source) -> Iterator[Finding]:
    for bank in source.case_banks.values():
        yield from check_bank(bank, frozenset(source.sessions))
    yield from check_tools(source)


def bank_file(bank: CaseBank) -> str:
    return f"cases/{bank.id}.yaml"


def check_bank(bank: CaseBank, sessions: frozenset[str]) -> Iterator[Finding]:
    """All rules of one bank, RC120 and RC125 among them."""
    file = bank_file(bank)
    categories = [category.id for category in bank.categories]
    yield from unique_ids(file, "categories", categories)
    yield from unique_ids(file, "cases", (case.id for case in bank.cases))
    if bank.version < 1:
        yield finding("RC108", Place(file, field="version"), "1 or more", str(bank.version), "count versions from 1")
    for position, case in enumerate(bank.cases):
        path = f"cases[{position}]"
        if case.category not in categories:
            place, expected = Place(file, field=f"{path}.category"), one_of(categories, "a category of the bank")
            remedy = did_you_mean(case.category, categories, "name one of the categories of the bank, or add it there")
            yield finding("RC120", place, expected, f"`{visible_id(case.category)}`", remedy)
        if case.session is not None and case.session not in sessions:
            place, expected = Place(file, field=f"{path}.session"), one_of(sorted(sessions), "a session of sessions/")
            remedy = did_you_mean(case.session, sorted(sessions), "name one of sessions/, or add it there")
            yield finding("RC125", place, expected, f"`{visible_id(case.session)}`", remedy)
        yield from check_gold(case.gold, file, f"{path}.gold")


def check_gold(gold: Gold, file: str, path: str) -> Iterator[Finding]:
    lists = ("required_calls", "required_dependencies", "acceptable_alternatives", "forbidden_calls")
    more = ("confirmation_required", "stop_when_facts_available", "key_facts", "stale_facts", "required_items")
    for name in lists + more:
        yield from unique_ids(file, f"{path}.{name}", (entry.id for entry in getattr(gold, name) or []))
    yield from check_dependencies(gold, file, path)
    yield from check_can_be_met(gold, file, path)
    yield from check_fact_conflicts(gold, file, path)


def check_dependencies(gold: Gold, file: str, path: str) -> Iterator[Finding]:
    """RC121, RC113: a dependency joins two calls that the case expects, at paths that can be read."""
    calls = [call.id for call in gold.required_calls or []]
    calls += [call.id for _, call in _alternative_calls(gold, path)]
    for position, dependency in enumerate(gold.required_dependencies or []):
        here = f"{path}.required_dependencies[{position}]"
        for key, name in (("from", dependency.source), ("to", dependency.target)):
            if name not in calls:
                place, expected = Place(file, field=f"{here}.{key}"), one_of(calls, "a call that the case expects")
                remedy = did_you_mean(name, calls, "name an expected call of the case by its id, or add the call")
                yield finding("RC121", place, expected, f"`{visible_id(name)}`", remedy)
        for key, value in (("from_path", dependency.source_path), ("to_path", dependency.target_path)):
            if _GOLD_PATH.fullmatch(value) is None:
                place = Place(file, field=f"{here}.{key}")
                expected = "`$` followed by `.key`, `[0]` or `[*]`"
                yield finding("RC113", place, expected, f"`{value}`", "correct the path")


def check_can_be_met(gold: Gold, file: str, path: str) -> Iterator[Finding]:
    """RC122: an alternative without calls always passes, a fact without values never."""
    for position, alternatives in enumerate(gold.acceptable_alternatives or []):
        if not alternatives.groups or not all(alternatives.groups):
            place = Place(file, field=f"{path}.acceptable_alternatives[{position}].groups")
            yield finding("RC122", place, "groups of at least one call", "an empty one", "add a call, or remove it")
    for name in ("stop_when_facts_available", "key_facts", "stale_facts"):
        for position, fact in enumerate(getattr(gold, name) or []):
            blank = any(isinstance(value, str) and not value.strip() for value in fact.values)
            if blank or not fact.values:
                where, found = f"{path}.{name}[{position}].values", "a blank one" if blank else "none"
                expected, remedy = "at least one value, none of them blank", "give the values that state the fact"
                yield finding("RC122", Place(file, field=where), expected, found, remedy)


def check_fact_conflicts(gold: Gold, file: str, path: str) -> Iterator[Finding]:
    """RC124: a value that must appear and must not appear."""
    wanted = {
        _normal(value): f"{name} `{fact.id}`"
        for name in ("key_facts", "stop_when_facts_available")
        for fact in _facts(gold, name)
        for value in fact.values
    }
    for position, fact in enumerate(gold.stale_facts or []):
        for number, value in enumerate(fact.values):
            clash = wanted.get(_normal(value))
            if clash is not None:
                place = Place(file, field=f"{path}.stale_facts[{position}].values[{number}]")
                remedy = "remove the value from one of them"
                yield finding("RC124", place, "no value that is wanted too", f"a value of {clash}", remedy)


def check_tools(source: Source) -> Iterator[Finding]:
    """RC123: the tools that gold answers name are in the catalogue of the batch that uses the bank."""
    seen: set[tuple[str, str]] = set()
    for item in source.batches:
        bank = source.case_banks.get(item.batch.case_bank.id)
        catalog = source.catalogs.get(item.batch.catalog.id) if item.batch.catalog else None
        if bank is None or catalog is None or (bank.id, catalog.id) in seen:
            continue
        seen.add((bank.id, catalog.id))
        tools = [tool.name for tool in catalog.tools]
        for position, case in enumerate(bank.cases):
            for path, tool in _named_tools(case.gold, f"cases[{position}].gold"):
                if tool not in tools:
                    place = Place(bank_file(bank), field=path)
                    expected = f"a tool of catalogs/{catalog.id}.yaml: {', '.join(tools) or 'there is none'}"
                    remedy = did_you_mean(tool, tools, "correct the name, or add the tool")
                    yield finding("RC123", place, expected, f"`{visible_id(tool)}`", remedy)


def _named_tools(gold: Gold, path: str) -> Iterator[Call]:
    for number, tool in enumerate(gold.expected_tools or []):
        yield f"{path}.expected_tools[{number}]", tool
    for name in ("required_calls", "forbidden_calls", "confirmation_required"):
        for number, call in enumerate(getattr(gold, name) or []):
            yield f"{path}.{name}[{number}].tool", call.tool
    for where, call in _alternative_calls(gold, path):
        yield f"{where}.tool", call.tool


def _alternative_calls(gold: Gold, path: str) -> Iterator[tuple[str, ExpectedCall]]:
    for number, alternatives in enumerate(gold.acceptable_alternatives or []):
        for group, calls in enumerate(alternatives.groups):
            for position, call in enumerate(calls):
                yield f"{path}.acceptable_alternatives[{number}].groups[{group}][{position}]", call


def _facts(gold: Gold, name: str) -> list[Fact]:
    facts: list[Fact] | None = getattr(gold, name)
    return facts or []


def _normal(value: str | int | float) -> object:
    """Equal for values that state the same fact: numbers by value, a percent as its ratio, other text folded."""
    if not isinstance(value, str):
        return Decimal(str(value)).normalize()
    text = re.sub(r"\s+", "", unicodedata.normalize("NFKC", value)).casefold()
    match = _NUMBER.fullmatch(text)
    if match is None:
        return text
    number = Decimal(match[1] + match[2].replace(",", "") + (match[3] or ""))
    return (number / 100 if match[4] else number).normalize()
