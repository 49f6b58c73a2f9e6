"""Nothing reaches the output but what the whitelist names."""

from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generator.model.projection import ProjectedField, Projection
from generator.project import check_projection, encode
from generator.project.paths import Walk, compile_projection
from tests.project.build import Dict, project, run_of, whitelist

CANARY = "canary"
repeatable = settings(deadline=None, database=None, derandomize=True, max_examples=60)


def planted(keys: st.SearchStrategy[str]) -> st.SearchStrategy[Any]:
    """Nested JSON whose every string, and every key, holds the canary."""
    marked = keys.map(lambda key: f"{CANARY}-{key}")
    leaf = marked | st.integers(10**9, 10**10).map(lambda number: f"{CANARY}{number}")
    return st.recursive(
        leaf, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(marked, inner, max_size=3), max_leaves=8
    )


any_key = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
json_with_canaries = planted(any_key)
object_with_canaries = st.dictionaries(any_key.map(lambda key: f"{CANARY}-{key}"), json_with_canaries, max_size=4)


@repeatable
@given(object_with_canaries, json_with_canaries, json_with_canaries)
def test_what_has_no_path_never_reaches_the_output(unknown: Dict, one: Any, other: Any) -> None:
    run = run_of(
        config={
            "effective": {
                "model": "control-model",
                "llm_args": one,
                "sampling": {"temperature": 0.5, **unknown},
                **unknown,
            },
            "requested": unknown | {"tool_delivery": other if isinstance(other, dict) else {CANARY: other}},
        },
        context={"entries": [{"id": f"{CANARY}-entry", "text": f"{CANARY} text"}]},
        private=one,
        snapshot=unknown,
        extra=unknown | {"reward": other},
        catalog=[f"{CANARY}-tool"],
        authorization={"granted": [f"{CANARY}-grant"]},
        trace=[{"kind": "tool", "tool": "control-tool", "arguments": {"control-key": "control-value"}}],
        answer="control-answer",
    )
    data = encode(project(run)).decode()
    assert CANARY not in data
    for control in ("control-model", "control-tool", "control-key", "control-value", "control-answer"):
        assert control in data


@repeatable
@given(json_with_canaries)
def test_a_long_return_shows_no_more_than_its_beginning(value: Any) -> None:
    run = run_of(trace=[{"kind": "tool", "tool": "t", "result": ["x" * 240, value]}])
    evidence = project(run)
    assert CANARY not in encode(evidence).decode()
    assert evidence.trace is not None
    assert evidence.trace[0]["summary"]["truncated"]


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("model", {"name": "secret-object"}),
        ("model", ["secret-list"]),
        ("model", 5),
        ("seed", "secret-text"),
        ("seed", True),
        ("sampling", "secret-text"),
        ("excluded_tools", "secret-text"),
        ("excluded_tools", [{"secret": 1}]),
    ],
)
def test_a_value_of_another_type_is_withheld(path: str, value: Any) -> None:
    evidence = project(run_of(config={"effective": {path: value, "harness": "h"}}))
    effective = evidence.config["effective"]
    assert isinstance(effective, dict)
    assert effective.get(path) in (None, [])
    assert effective["harness"] == "h"
    assert evidence.source.withheld == 1
    assert not evidence.source.config_hash_recomputable


def test_positions_of_steps_are_those_of_the_run() -> None:
    trace = [
        {"kind": "model", "duration_ms": 5, "prompt_tokens": 10, "completion_tokens": 2},
        {"kind": "tool", "tool": "t", "call_id": "c", "arguments": {"a": [1, None, "x"]}, "result": {"r": 1}},
    ]
    evidence = project(run_of(trace=trace))
    assert evidence.trace is not None
    assert evidence.trace[0] == {
        "kind": "model",
        "started_at": None,
        "prompt_tokens": 10,
        "completion_tokens": 2,
        "compacts": None,
        "duration_ms": 5,
    }
    assert evidence.trace[1]["arguments"] == {"a": [1, None, "x"]}
    assert evidence.trace[1]["summary"] == {"text": '{"r":1}', "truncated": False, "length": 7, "sha256": None}
    assert evidence.trace[1]["error"] is None
    assert "result" not in evidence.trace[1]
    assert evidence.telemetry["turns"] == 1


def test_parts_that_share_an_object_of_the_run_are_found_in_it() -> None:
    fields = [
        {"field": "trace[].first", "path": "trace[].arguments.a.x", "type": "number"},
        {"field": "trace[].second", "path": "trace[].arguments.a.y.z", "type": "number"},
        {"field": "telemetry.one.two", "path": "extra.deep.er", "type": "number"},
        {"field": "telemetry.one.three", "path": "extra.deep.est.of", "type": "number"},
    ]
    walk = Walk(str)
    run = {"trace": [{"arguments": {"a": {"x": 1, "y": {"z": 2}}}}, {}], "extra": {"deep": {"er": 3, "est": {"of": 4}}}}
    filled = walk.object(
        compile_projection(Projection(version=1, fields=msgspec.convert(fields, list[ProjectedField]))), run
    )
    assert filled == {"trace": [{"first": 1, "second": 2}, {}], "telemetry": {"one": {"two": 3, "three": 4}}}
    assert walk.passed == 4


def test_what_was_not_recorded_is_absent_or_null() -> None:
    evidence = project(run_of())
    assert evidence.trace is None
    assert evidence.answer is None
    assert evidence.telemetry == {"turns": None}


def test_withheld_counts_leaf_fields_without_a_path() -> None:
    bare = project(run_of()).source.withheld
    run = run_of(
        private={"system_prompt": "p", "account": {"id": 1, "none": None}}, extra={"reward": 1, "list": [1, 2]}
    )
    assert project(run).source.withheld == bare + 2 + 3


def test_a_hashed_text_shows_only_that_it_is_there() -> None:
    policy = "Never refund. " * 20
    evidence = project(run_of(config={"effective": {"environment_info": {"domain_name": "airline", "policy": policy}}}))
    shown = evidence.config["effective"]
    assert isinstance(shown, dict)
    information = shown["environment_info"]
    assert isinstance(information, dict)
    assert information["domain_name"] == "airline"
    treated = information["policy"]
    assert isinstance(treated, dict)
    assert treated["text"] is None
    assert treated["length"] == len(policy)
    assert not evidence.source.config_hash_recomputable


def test_a_wholly_published_configuration_can_be_hashed_again() -> None:
    config = {"effective": {"model": "m", "excluded_tools": [], "sampling": {"temperature": 0.2}}}
    evidence = project(run_of(config=config))
    assert evidence.config["effective"] == config["effective"]
    assert evidence.source.config_hash_recomputable


def test_the_whitelist_of_the_repository_compiles() -> None:
    assert check_projection(whitelist()) == []


@pytest.mark.parametrize(
    ("fields", "index"),
    [
        ([{"field": "telemetry.a[]", "path": "usage.a", "type": "text"}], 0),
        ([{"field": "config.*.a", "path": "config.*.b[].c", "type": "text"}], 0),
        (
            [
                {"field": "answer", "path": "answer", "type": "text"},
                {"field": "answer", "path": "reason", "type": "text"},
            ],
            1,
        ),
        (
            [{"field": "answer", "path": "answer", "type": "text"}, {"field": "answer.x", "path": "x", "type": "text"}],
            1,
        ),
        (
            [
                {"field": "trace[].a", "path": "trace[].a", "type": "text"},
                {"field": "trace[].b", "path": "x[].b", "type": "text"},
            ],
            1,
        ),
    ],
)
def test_a_whitelist_that_cannot_be_is_a_finding(fields: list[Dict], index: int) -> None:
    own = msgspec.convert(fields, list[ProjectedField])
    names = [field for field in whitelist().fields if "." not in field.field and field.field != "answer"]
    projection = Projection(version=1, fields=[*own, *names])
    findings = check_projection(projection)
    assert [(finding.code, finding.place.field) for finding in findings] == [("RC133", f"fields[{index}]")]
    with pytest.raises(ValueError, match=r".+"):
        compile_projection(projection)


def test_names_that_addresses_are_made_of_must_pass() -> None:
    fields = [field for field in whitelist().fields if field.field != "run_id"]
    findings = check_projection(Projection(version=1, fields=fields))
    assert [finding.expected for finding in findings] == ["a field 'run_id'"]
