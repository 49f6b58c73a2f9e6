from generator.model.base import Json
from generator.model.canonical import canonical, config_hash


def test_equal_values_have_one_form_and_others_another() -> None:
    assert canonical({"b": 1.0, "a": [1, 2]}) == canonical({"a": [1, 2], "b": 1}) == b'{"a":[1,2],"b":1}'
    values: list[Json] = [1, "1", True, [1, 2], [2, 1], [1, 1, 2], None, "null", {}, []]
    forms = [canonical(value) for value in values]
    assert len(set(forms)) == len(forms)


def test_what_rfc_8785_cannot_write_has_no_form_and_no_hash() -> None:
    assert canonical("\ud800") is None
    assert canonical(2**60) is None
    assert config_hash({"seed": 2**60}) is None


def test_the_hash_of_a_configuration() -> None:
    """SHA-256 of `{"a":1}`, by sha256sum."""
    assert config_hash({"a": 1}) == "sha256:015abd7f5cc57a2dd94b7590f04ad8084273905ee33ec5cebeae62276a97f862"
