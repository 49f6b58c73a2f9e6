from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generator.judge.json_paths import parse_path, values_at
from generator.judge.json_values import Scalar, covers, leaves, marks, marks_of_same, same_scalar
from generator.model.base import Json


@pytest.mark.parametrize(
    ("actual", "listed", "expected"),
    [
        ({"a": 1, "b": 2}, {"a": 1}, True),
        ({"a": 1}, {"a": 1, "b": 2}, False),
        ({"o": {"x": 1, "y": 2}}, {"o": {"x": 1}}, True),
        ({"l": [1, 2]}, {"l": [1, 2]}, True),
        ({"l": [2, 1]}, {"l": [1, 2]}, False),
        ({"l": [1, 2, 3]}, {"l": [1, 2]}, False),
        ({"l": [{"x": 1, "y": 2}]}, {"l": [{"x": 1}]}, True),
        ({"a": None}, {"a": None}, True),
        ({}, {"a": None}, False),
        (None, {}, False),
        ("x", {"a": 1}, False),
        ({"a": [1]}, {"a": 1}, False),
    ],
)
def test_covers(actual: Json, listed: Json, expected: bool) -> None:
    assert covers(actual, listed) is expected


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        (2, 2.0, True),
        (0.1, "0.10", True),
        ("42", 42, True),
        ("４２", 42, True),
        ("42 元", 42, False),
        ("42", "42.0", False),
        (" 订单 ", "订单", True),
        ("Ａ", "A", True),
        ("a", "A", False),
        (True, True, True),
        (True, 1, False),
        (True, "true", False),
        (False, 0, False),
        (None, None, True),
        (None, "", False),
        (float("nan"), float("nan"), False),
    ],
)
def test_same_scalar(one: Json, other: Json, expected: bool) -> None:
    assert not isinstance(one, dict | list)
    assert not isinstance(other, dict | list)
    assert same_scalar(one, other) is expected
    assert same_scalar(other, one) is expected
    for first, second in ((one, other), (other, one)):
        assert bool(set(marks(first)) & set(marks_of_same(second))) is expected


_scalars = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-3, 3),
    st.sampled_from([0.1, 1.0, 2.5, float("nan"), float("inf")]),
    st.sampled_from(["1", "1.0", " 1", "１", "0.1", "true", "None", "", "a", "Ａ", "A"]),
)


@given(_scalars, _scalars)
@settings(deadline=None, database=None, derandomize=True, max_examples=300)
def test_scalars_are_found_by_their_marks(one: Scalar, other: Scalar) -> None:
    assert bool(set(marks(one)) & set(marks_of_same(other))) is same_scalar(one, other)


def test_leaves() -> None:
    found = leaves({"k": ["a", 1, True, None, {"x": 0.1, "y": float("inf")}]})
    assert found.texts == ["a"]
    assert found.numbers == frozenset({Decimal(1), Decimal("0.1")})


def test_leaves_of_a_deep_value() -> None:
    value: Json = 7
    for _ in range(20_000):
        value = [value]
    assert leaves(value).numbers == frozenset({Decimal(7)})


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("$", [{"items": [{"id": 1}, {"id": 2}, {}], "名": "x"}]),
        ("$.items[*].id", [1, 2]),
        ("$.items[1].id", [2]),
        ("$.items[9].id", []),
        ("$.items.id", []),
        ("$.名", ["x"]),
        ("$.名[*]", []),
        ("$.none", []),
    ],
)
def test_values_at(path: str, expected: list[Json]) -> None:
    assert values_at({"items": [{"id": 1}, {"id": 2}, {}], "名": "x"}, path) == expected


@pytest.mark.parametrize("path", ["", "items", "$items", "$..id", "$.a[", "$.a[-1]", "$.a[x]", "$.a b]"])
def test_no_path(path: str) -> None:
    with pytest.raises(ValueError, match="a path"):
        parse_path(path)
