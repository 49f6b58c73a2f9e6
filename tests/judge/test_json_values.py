from decimal import Decimal

import pytest

from generator.judge.json_paths import parse_path, values_at
from generator.judge.json_values import covers, leaves, same_scalar
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
