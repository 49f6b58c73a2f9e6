"""Two published forms of one run: what was recorded, what is only shown differently, what was judged otherwise."""

import copy
from collections.abc import Callable
from typing import Any

import pytest

from generator.compare.runs import Rules, RunDifference, compare_evidence

Json = dict[str, Any]
FIELDS: list[Json] = [
    {"field": "state", "path": "state", "type": "text", "treatment": "keep", "limit": None},
    {"field": "config.*.model", "path": "config.*.model", "type": "text", "treatment": "keep", "limit": None},
    {"field": "answer", "path": "answer", "type": "text", "treatment": "keep", "limit": 100},
    {"field": "trace[].arguments", "path": "trace[].arguments", "type": "json", "treatment": "keep", "limit": None},
    {"field": "trace[].summary", "path": "trace[].result", "type": "json", "treatment": "summarise", "limit": 9},
]


def text(shown: str | None, length: int, sha256: str | None, *, truncated: bool = False) -> Json:
    return {"text": shown, "truncated": truncated, "length": length, "sha256": sha256}


def evidence(line: int = 1) -> Json:
    return {
        "projection_version": 1,
        "category": "basic",
        "state": "COMPLETE",
        "config": {"effective": {"model": "m"}},
        "answer": text("short", 5, None),
        "trace": [{"arguments": {"sku": "A-1"}, "summary": text("a long su", 80, "ab", truncated=True)}],
        "assertions": {"avg_turns": {"outcome": "value", "value": 2, "reason": None, "detail": {"model_calls": 2}}},
        "source": {"file": "runs.jsonl", "line": line, "sha256": "00"},
    }


def compare(
    edit: Callable[[Json], None], *, old: list[Json] = FIELDS, new: list[Json] = FIELDS, same_record: bool = False
) -> RunDifference:
    """The run before and after an edit; another line of the runs file unless it is the same record."""
    before = evidence()
    after = copy.deepcopy(evidence(1 if same_record else 2))
    edit(after)
    return compare_evidence(before, after, Rules(old, new))


def put(*path: str | int, value: Any) -> Callable[[Json], None]:
    def edit(found: Any) -> None:
        for part in path[:-1]:
            found = found[part]
        found[path[-1]] = value

    return edit


def with_rule(name: str, **changes: Any) -> list[Json]:
    return [rule | changes if rule["field"] == name else rule for rule in FIELDS]


def test_where_a_run_stands_in_its_file_is_no_difference() -> None:
    found = compare(lambda _: None)
    assert (found.recorded, found.shown, found.judged, found.same_record) == ((), (), frozenset(), False)


@pytest.mark.parametrize(
    ("edit", "part"),
    [
        (put("state", value="FAILED"), "state"),
        (put("config", "effective", "model", value="n"), "config"),
        (put("answer", value=text("other", 5, None)), "answer"),
        (put("answer", value=text("shorter", 7, None)), "answer"),
        (put("answer", value=None), "answer"),
        (put("trace", 0, "arguments", "sku", value="B-2"), "trace"),
        (put("trace", 0, "summary", value=text("a long su", 80, "cd", truncated=True)), "trace"),
        (put("trace", value=[]), "trace"),
        (put("config", value={}), "config"),
        (put("trace", value=None), "trace"),
    ],
)
def test_another_record(edit: Callable[[Json], None], part: str) -> None:
    assert (compare(edit).recorded, compare(edit).shown) == ((part,), ())
    # The same line of the same file cannot be another record: whatever differs is shown differently.
    same = compare(edit, same_record=True)
    assert (same.recorded, same.shown, same.same_record) == ((), (part,), True)


def test_a_text_of_the_same_hash_is_the_same_however_it_is_cut() -> None:
    found = compare(put("trace", 0, "summary", value=text("a long summary", 80, "ab", truncated=True)))
    assert (found.recorded, found.shown) == ((), ("trace",))


@pytest.mark.parametrize(
    ("edit", "field", "rule"),
    [
        (put("answer", value=text("sh", 5, None, truncated=True)), "answer", {"limit": 2}),
        (put("answer", value=text(None, 5, None)), "answer", {"treatment": "hash"}),
        (put("answer", value="short"), "answer", {"limit": None}),
        (put("answer", value=None), "answer", {"path": "extra.answer"}),
        (put("trace", 0, "arguments", value=text("{}", 2, None)), "trace[].arguments", {"treatment": "summarise"}),
        (put("config", "effective", value={}), "config.*.model", {"field": "config.*.name"}),
    ],
)
def test_another_rule_shows_differently(edit: Callable[[Json], None], field: str, rule: Json) -> None:
    found = compare(edit, new=with_rule(field, **rule))
    assert (found.recorded, found.shown) == ((), (field.split(".")[0].removesuffix("[]"),))


def test_another_rule_does_not_hide_another_text() -> None:
    other = put("trace", 0, "summary", value=text("else", 90, "cd", truncated=True))
    assert compare(other, new=with_rule("trace[].summary", limit=4)).recorded == ("trace",)


def test_a_rule_of_another_place_changes_nothing() -> None:
    found = compare(put("answer", value=text("other", 5, None)), new=with_rule("trace[].summary", limit=4))
    assert found.recorded == ("answer",)


@pytest.mark.parametrize("key", ["outcome", "value", "reason", "detail"])
def test_any_part_of_an_assertion_is_judged_otherwise(key: str) -> None:
    assert compare(put("assertions", "avg_turns", key, value="else")).judged == {"avg_turns"}


def test_an_assertion_that_is_new_or_gone() -> None:
    assert compare(put("assertions", "charm", value={"outcome": "hit"})).judged == {"charm"}
    assert compare(put("assertions", value={})).judged == {"avg_turns"}


def test_details_repeat_the_run_and_are_shown_like_it() -> None:
    def shorten(found: Json) -> None:
        found["answer"] = text("sh", 5, None, truncated=True)
        found["assertions"]["avg_turns"]["detail"] = {}

    found = compare(shorten, same_record=True)
    assert (found.shown, found.judged) == (("answer",), frozenset())


def test_versions_and_categories() -> None:
    assert compare(put("projection_version", value=2)).projection_version
    assert compare(put("category", value="safety")).category
