"""Ids: any Unicode that can be written down in one line, but for what would look like a mark of this program."""

import unicodedata
from collections.abc import Iterator
from typing import NamedTuple

from generator.errors import Finding, Place
from generator.model.rules import finding
from generator.model.source import Source
from generator.model.visible import OPEN

MAX_ID = 1000
"""Characters of the id of a run."""
MAX_DEFINED_ID = 200
"""Characters of the id of what is defined: it stands on many pages."""


class IdProblem(NamedTuple):
    expected: str
    found: str
    remedy: str


def id_problem(identifier: str, limit: int = MAX_ID) -> IdProblem | None:
    """Why an id cannot be used; None if it can."""
    if not identifier.strip():
        return IdProblem("an id", "a blank one", "give each one an id")
    if len(identifier) > limit:
        return IdProblem(f"at most {limit} characters", f"{len(identifier)} characters", "shorten the id")
    if not identifier.isprintable() and any(
        unicodedata.category(character) in ("Cc", "Cs", "Zl", "Zp") for character in identifier
    ):
        found = "a control character, a line break or a lone surrogate"
        return IdProblem("characters of one line", found, "choose another id")
    if OPEN in identifier:
        remedy = "choose another id: the bracket begins what this program puts in the place of hidden text"
        return IdProblem(f"an id without `{OPEN}`", f"`{OPEN}`", remedy)
    return None


def check_ids(source: Source) -> Iterator[Finding]:
    """RC102: ids of experiments, variants, categories and cases."""
    for place, identifier in _defined(source):
        problem = id_problem(identifier, MAX_DEFINED_ID)
        if problem is not None:
            yield finding("RC102", place, *problem)


def _defined(source: Source) -> Iterator[tuple[Place, str]]:
    for number, experiment in enumerate(source.experiments.values()):
        path = f"experiments[{number}]"
        yield Place("experiments.yaml", field=f"{path}.id"), experiment.id
        for place, variant in enumerate(experiment.variants):
            yield Place("experiments.yaml", field=f"{path}.variants[{place}].id"), variant.id
    for name, profile in source.profiles.items():
        yield Place(f"profiles/{name}.yaml", field="id"), profile.id
    for name, bank in source.case_banks.items():
        for place, category in enumerate(bank.categories):
            yield Place(f"cases/{name}.yaml", field=f"categories[{place}].id"), category.id
        for place, case in enumerate(bank.cases):
            yield Place(f"cases/{name}.yaml", field=f"cases[{place}].id"), case.id
