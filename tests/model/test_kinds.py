"""The words of mutants and of relations."""

from collections import Counter
from typing import get_args

from generator.model.kinds import (
    COMPONENTS,
    EXPECTATIONS,
    RELATION_FAMILIES,
    Component,
    Expectation,
    Operator,
    RelationFamily,
    component_of,
)


def test_twelve_operators_of_four_components() -> None:
    components = Counter(component_of(operator) for operator in get_args(Operator))
    assert components == {"prompt": 4, "tool": 3, "model": 2, "context": 3}
    assert get_args(Component) == COMPONENTS


def test_every_family_expects_something_and_every_expectation_has_a_family() -> None:
    assert tuple(EXPECTATIONS) == RELATION_FAMILIES == get_args(RelationFamily)
    assert {expects for of in EXPECTATIONS.values() for expects in of} == set(get_args(Expectation))
