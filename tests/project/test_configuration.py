"""What may be said of a configuration is what the evidence shows of it."""

import hashlib
from typing import Any

import msgspec
import pytest

from generator.model.base import Json, Text
from generator.model.experiments import Experiment, Schedule, Variant
from generator.model.json_leaves import leaves
from generator.model.projection import ProjectedField, Projection
from generator.model.rows import PublishedConfig
from generator.project.configuration import make_config_projection
from tests.project.build import project, redactor, run_of, whitelist

KEY = "sk-proj-0123456789abcdefghijklmnopqrstuv"
POLICY = "The customer may cancel within a day. " * 10


def published(effective: dict[str, Json], *fields: ProjectedField) -> PublishedConfig:
    projection = Projection(version=1, fields=list(fields)) if fields else whitelist()
    return make_config_projection(projection, redactor()).publish(effective)


def test_a_secret_in_a_public_value_is_replaced() -> None:
    shown = published({"model": f"https://user:{KEY}@host/m"}).values["model",]
    assert isinstance(shown, str)
    assert KEY not in shown
    assert shown.startswith("https://user:⟦已脱敏：")


@pytest.mark.parametrize("value", ["secret", True, [1], {"a": 1}])
def test_a_value_of_another_type_is_withheld(value: Json) -> None:
    found = published({"sampling": {"seed": value, "top_p": 0.9}})
    assert found.values == {("sampling", "top_p"): 0.9}
    assert set(found.withheld.values()) == {"sampling.seed.a" if isinstance(value, dict) else "sampling.seed"}


def test_lists_stand_whole_and_empty_objects_are_named() -> None:
    found = published({"excluded_tools": ["b", "a", "b"], "sampling": {}, "others": {}})
    assert found.values == {("excluded_tools",): ["b", "a", "b"], ("sampling",): {}}
    assert found.withheld == {("others",): "others"}


def test_a_hashed_text_is_its_length_and_hash() -> None:
    shown = published({"environment_info": {"policy": POLICY}}).values["environment_info", "policy"]
    assert shown == {
        "text": None,
        "truncated": True,
        "length": len(POLICY),
        "sha256": hashlib.sha256(POLICY.encode()).hexdigest(),
    }


def test_names_end_with_the_first_key_that_the_whitelist_does_not_have() -> None:
    found = published(
        {"user_simulator": {"script": "x", "llm_args": {"key": "y"}}, "accounts": {"li@example.org": {"n": 1}}, "m": 1}
    )
    assert found.values == {}
    assert found.withheld == {
        ("user_simulator", "script"): "user_simulator.script",
        ("user_simulator", "llm_args", "key"): "user_simulator.llm_args.*",
        ("accounts", "li@example.org", "n"): "accounts.*",
        ("m",): "m",
    }


def test_a_field_of_another_name_is_found_by_the_path_of_the_run() -> None:
    renamed = ProjectedField(field="config.*.agent", path="config.*.model", type="text")
    assert published({"model": "m", "agent": "a"}, renamed).values == {("model",): "m"}


def test_whole_values_keep_only_the_keys_that_need_no_change() -> None:
    whole = ProjectedField(field="config.*.tools", path="config.*.tools", type="json")
    found = published({"tools": {"plain": 1, "li@example.org": 2}}, whole)
    assert found.values == {("tools", "plain"): 1}


def test_every_leaf_is_said_or_withheld_as_in_the_evidence() -> None:
    effective: dict[str, Any] = {
        "model": f"m {KEY}",
        "sampling": {"temperature": 0.5, "seed": "text"},
        "excluded_tools": ["a", 1],
        "limits": {"max_steps": 3, "other": 4},
        "environment_info": {"policy": POLICY},
    }
    found = published(effective)
    assert found.values.keys() | found.withheld.keys() == dict(leaves(effective)).keys()
    shown = project(run_of(config={"effective": effective})).config["effective"]
    assert isinstance(shown, dict)
    for keys, value in found.values.items():
        part: Any = shown
        for key in keys:
            part = part[key]
        assert part == value


def _experiment(path: str, value: Json) -> Experiment:
    text = Text(zh="x", en="x")
    return Experiment(
        id="e",
        title=text,
        purpose=text,
        independent_variable=path,
        variants=[Variant(id="v", name=text, value=value)],
        baseline="v",
        fixed_conditions=[],
        repeats=1,
        schedule=Schedule(method="as_recorded"),
    )


def _declared(path: str, value: Json) -> PublishedConfig:
    experiment = _experiment(path, value)
    return make_config_projection(whitelist(), redactor()).publish_declared(experiment, experiment.variants[0])


def test_declared_values_go_through_the_same_whitelist() -> None:
    assert _declared("sampling.seed", "text").values == {}
    shown = _declared("model", f"https://user:{KEY}@host/m").values["model",]
    assert KEY not in str(shown)
    assert _declared("sampling", {"temperature": 0.5, "key": KEY}) == PublishedConfig(
        {("sampling", "temperature"): 0.5}, {("sampling", "key"): "sampling.key"}
    )


def test_a_text_that_is_declared_by_its_hash_keeps_it() -> None:
    digest = "0123456789abcdef" * 4
    shown = _declared("environment_info", {"policy": f"sha256:{digest}", "domain_name": "airline"})
    assert shown.values["environment_info", "domain_name"] == "airline"
    policy = shown.values["environment_info", "policy"]
    assert msgspec.to_builtins(policy) == {"text": None, "truncated": True, "length": None, "sha256": digest}
