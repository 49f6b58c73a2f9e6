"""Launch arguments: a secret under any other key, or in another form, never passes."""

import json

import pytest

from generator.model.base import Json
from generator.read.importers import inspect_config, lm_eval_config
from generator.read.importers.arguments import SAMPLING, Allowed, withheld_note

SECRET = "EXAMPLE-KEY-0123456789abcdef"
LISTS = {
    "sampling": SAMPLING,
    "inspect generate": inspect_config.GENERATE,
    "inspect task": inspect_config.TASK_ARGUMENTS,
    "inspect model": inspect_config.MODEL_ARGUMENTS,
    "lm-eval model": lm_eval_config.MODEL_ARGUMENTS,
    "lm-eval generation": lm_eval_config.GENERATION,
}
OTHER_KEYS = (
    "api_key",
    "apiKey",
    "headers",
    "base_url",
    "extra_body",
    "token",
    "custom_outputs",
    "organization",
    "Temperature",
    "temperature ",
    "model",
    "env",
)


@pytest.mark.parametrize("allowed", LISTS.values(), ids=LISTS)
def test_a_secret_under_every_other_key_and_in_every_form(allowed: Allowed) -> None:
    other: dict[str, Json] = {}
    other |= dict.fromkeys(OTHER_KEYS, SECRET)
    assert allowed.passed(other) == {}
    assert allowed.withheld(other) == len(other)
    forms: list[Json] = [SECRET, [SECRET], {"a": SECRET}, f"split {SECRET}"]
    for value in forms:
        for key in allowed.keys:
            assert SECRET not in json.dumps(allowed.passed({key: value}))


@pytest.mark.parametrize("allowed", LISTS.values(), ids=LISTS)
def test_lists_are_short(allowed: Allowed) -> None:
    assert 1 <= len(allowed.keys) <= 14


def test_what_passes() -> None:
    allowed = Allowed(numbers=("n",), flags=("f",), choices={"c": ("x", "y")}, words=("w",))
    given: dict[str, Json] = {"w": "hard-1", "c": "y", "n": 0.5, "f": False, "rest": 1, "null": None}
    assert allowed.passed(given) == {"n": 0.5, "f": False, "c": "y", "w": "hard-1"}
    assert allowed.withheld(given) == 1
    assert allowed.passed({"n": True, "f": 1, "c": "z", "w": "two words"}) == {}
    assert allowed.passed(["n"]) == {}


def test_a_note_says_that_some_were_withheld() -> None:
    assert withheld_note("x.json", 0) == []
    (note,) = withheld_note("x.json", 2)
    assert "may hold keys" in note.en
