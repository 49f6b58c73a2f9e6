"""Every reference value through the project's functions. An operation without a function fails; none is skipped."""

import pytest

from tests.stats.golden import Entry, agree, all_entries, label
from tests.stats.operations import OPERATIONS


@pytest.mark.parametrize("entry", all_entries(), ids=label)
def test_the_project_agrees_with_the_reference(entry: Entry) -> None:
    got = OPERATIONS[entry["op"]](entry["input"])
    assert agree(got, entry["expected"], entry["tolerance"]) == []


def test_all_entries_are_there() -> None:
    assert len(all_entries()) == 276
    assert {entry["op"] for entry in all_entries()} == OPERATIONS.keys()


@pytest.mark.parametrize(
    ("got", "expected"),
    [
        ({"a": 1.0}, {"a": 1.0, "b": None}),
        ({"a": None}, {"a": 0.0}),
        ({"a": 0.0}, {"a": None}),
        ({"a": 1}, {"a": True}),
        ({"a": [1.0]}, {"a": [1.0, 2.0]}),
        ({"a": 1.001}, {"a": 1.0}),
        ({"a": 3}, {"a": 4}),
        ({"a": "pass"}, {"a": "fail"}),
    ],
)
def test_a_difference_is_seen(got: dict[str, object], expected: dict[str, object]) -> None:
    assert agree(got, expected, {"rel": 1e-9, "abs": 0.0})
