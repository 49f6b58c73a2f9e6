from hypothesis import given, settings
from hypothesis import strategies as st

from generator.model.base import Json
from generator.model.json_leaves import ABSENT, Keys, dotted, is_below, keys_to, leaves, value_at

_objects = st.recursive(
    st.none() | st.integers() | st.text(max_size=5) | st.lists(st.integers(), max_size=2),
    lambda inner: st.dictionaries(st.text("ab.", min_size=1, max_size=3), inner, max_size=3),
    max_leaves=12,
).filter(lambda value: isinstance(value, dict))


def test_lists_and_empty_objects_are_leaves() -> None:
    value: Json = {"a": {"b": 1, "c": {}}, "d": [{"e": 2}], "f": None}
    assert list(leaves(value)) == [(("a", "b"), 1), (("a", "c"), {}), (("d",), [{"e": 2}]), (("f",), None)]
    assert list(leaves({})) == []


def test_further_objects_may_be_leaves() -> None:
    value: Json = {"a": {"text": "x"}, "b": {"c": {"text": "y"}}}
    found = leaves(value, lambda item: isinstance(item, dict) and "text" in item)
    assert [keys for keys, _ in found] == [("a",), ("b", "c")]


@given(_objects)
@settings(deadline=None, database=None, derandomize=True, max_examples=100)
def test_every_leaf_is_found_again_by_its_keys(value: Json) -> None:
    found: dict[Keys, Json] = dict(leaves(value))
    assert all(value_at(value, keys) == item for keys, item in found.items())
    assert len(found) == len(list(leaves(value)))


def test_null_is_there_and_what_is_not_is_absent() -> None:
    value: Json = {"a": None, "b": [1]}
    assert value_at(value, ("a",)) is None
    assert value_at(value, ("a", "b")) is ABSENT
    assert value_at(value, ("b", "0")) is ABSENT


def test_a_path_is_below_whole_keys_only() -> None:
    assert is_below(keys_to("model.name"), keys_to("model"))
    assert is_below(keys_to("model"), keys_to("model"))
    assert not is_below(keys_to("modelling"), keys_to("model"))
    assert not is_below(("model.name",), keys_to("model"))
    assert dotted(keys_to("model.name")) == "model.name"


def test_depth_is_no_limit() -> None:
    value: Json = 1
    for _ in range(5000):
        value = {"a": value}
    assert [len(keys) for keys, _ in leaves(value)] == [5000]
