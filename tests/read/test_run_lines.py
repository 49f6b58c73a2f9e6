"""Lines of a runs file: what is a run, and what is said of a line that is none."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generator.errors import Place
from generator.model.runs import ModelTurn, Run, ToolCall, Usage
from generator.read.run_lines import MAX_DEPTH, decode_line

PLACE = Place("runs.jsonl", 7)
RUN: dict[str, Any] = {
    "run_id": "r-1",
    "case_id": "c",
    "variant": "v",
    "repeat_index": 0,
    "sequence": 1,
    "state": "COMPLETE",
    "config": {"effective": {"model": "m"}},
    "config_hash": "sha256:0",
    "trace": [{"kind": "model", "duration_ms": 1.5}, {"kind": "tool", "tool": "t", "result": {"a": [1]}}],
}


def _line(**changes: Any) -> bytes:
    return json.dumps({**RUN, **changes}).encode()


def _decode(line: bytes) -> Run:
    run, findings = decode_line(line, PLACE)
    assert findings == []
    assert run is not None
    return run


def _problems(line: bytes) -> list[tuple[str, str, str, str]]:
    run, findings = decode_line(line, PLACE)
    assert run is None
    return [(finding.code, str(finding.place), finding.expected, finding.found) for finding in findings]


def test_a_run_is_typed_and_unknown_keys_go_nowhere() -> None:
    run = _decode(_line(future_field={"a": 1}))
    assert run.trace == [ModelTurn(duration_ms=1.5), ToolCall(tool="t", result={"a": [1]})]
    assert "future_field" not in Run.__struct_fields__


def test_keys_that_have_no_utf8_go_nowhere_or_stay_content() -> None:
    trace = [{"kind": "tool", "tool": "t", "arguments": {"\ud800": {"\ud800": 1}}, "\ud800": 1}, {"kind": "model"}]
    run = _decode(_line(**{"\ud800": 1}, trace=trace, usage={"cached": True, "\ud800": 1}, extra={"\ud800": 2}))
    assert run.trace == [ToolCall(tool="t", arguments={"\ud800": {"\ud800": 1}}), ModelTurn()]
    assert run.usage == Usage(cached=True)
    assert run.extra == {"\ud800": 2}


def test_lone_surrogates_survive() -> None:
    run = _decode(_line(answer="a\ud800b"))
    assert run.answer == "a\ud800b"


@pytest.mark.parametrize(
    ("line", "code", "found"),
    [
        (_line()[:40], "RC020", "a line that is cut off"),
        (_line() + b" x", "RC020", f"more after the object (column {len(_line()) + 2})"),
        (b'{"a": tru}', "RC020", "something that is no JSON value (column 7)"),
        (b"{'a': 1}", "RC020", "a key without double quotes (column 2)"),
        (b'{"a": "\x01"}', "RC020", "a control character inside of a text (column 8)"),
        (b'{"a": "b" "c": 1}', "RC020", "a value without a comma after it (column 11)"),
        (b'{"a" 1}', "RC020", "a key without a colon after it (column 6)"),
        (b'{"a": "\\q"}', "RC020", "a backslash that begins no escape (column 8)"),
        (b" [ ", "RC020", "the beginning of a document of many lines"),
        (b"{", "RC020", "the beginning of a document of many lines"),
        (b"[1]", "RC021", "a list"),
        (b'"x"', "RC021", "a text"),
        (b"null", "RC021", "nothing"),
        (b"1", "RC021", "an integer"),
        (b'{"a": "\xff"}', "RC002", "byte 8 of the line is not UTF-8"),
        (b'{"a": "' + "价格".encode("gbk") + b'"}', "RC002", "byte 8 of the line is not UTF-8"),
        (b'{"a": ' + b"9" * 5000 + b"}", "RC022", "a number of thousands of digits"),
    ],
)
def test_broken_line(line: bytes, code: str, found: str) -> None:
    ((got, place, _, words),) = _problems(line)
    assert (got, place, words) == (code, "runs.jsonl:7", found)


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity", "1e999"])
def test_numbers_that_json_does_not_have(number: str) -> None:
    line = _line(timing={"duration_ms": 123456}).replace(b"123456", number.encode())
    assert _problems(line) == [
        (
            "RC022",
            "runs.jsonl:7  run r-1  timing.duration_ms",
            "a finite number",
            "NaN, Infinity or a number out of range",
        )
    ]


def test_place_of_a_number_ends_where_content_begins() -> None:
    """Keys inside a tool's result are content."""
    line = _line(trace=[{"kind": "tool", "tool": "t", "result": {"alice@example.org": 123456}}])
    ((_, place, _, _),) = _problems(line.replace(b"123456", b"NaN"))
    assert place == "runs.jsonl:7  run r-1  trace[0].result"


def test_all_wrong_fields_are_named_and_none_is_quoted() -> None:
    line = _line(
        run_id=5,
        repeat_index="secret",
        state="COMPLETED",
        config=None,
        trace=[{"kind": "tol"}, {"tool": "t"}, "secret"],
        usage={"prompt_tokens": 1.5, "cost_usd": "secret"},
        answer=["secret"],
        mode="auto",
    )
    run, findings = decode_line(line, PLACE)
    assert run is None
    assert [(finding.code, finding.place.field, finding.found) for finding in findings] == [
        ("RC024", "run_id", "an integer"),
        ("RC024", "repeat_index", "a text"),
        ("RC024", "state", "a text"),
        ("RC024", "config", "nothing"),
        ("RC024", "mode", "a text"),
        ("RC024", "trace[0].kind", "a text"),
        ("RC025", "trace[1].kind", "no such key"),
        ("RC024", "trace[2]", "a text"),
        ("RC024", "answer", "a list"),
        ("RC024", "usage.prompt_tokens", "a number with a fraction"),
        ("RC024", "usage.cost_usd", "a text"),
    ]
    assert not any("secret" in str(finding) for finding in findings)
    assert findings[2].expected == "one of CANCELLED, COMPLETE, FAILED, INVALID"
    assert findings[2].remedy == "did you mean `COMPLETE`?"
    assert findings[5].expected == "one of model, tool"


def test_missing_fields() -> None:
    run = {key: value for key, value in RUN.items() if key not in ("variant", "config")}
    assert [(code, place) for code, place, _, _ in _problems(json.dumps(run).encode())] == [
        ("RC025", "runs.jsonl:7  run r-1  variant"),
        ("RC025", "runs.jsonl:7  run r-1  config"),
    ]


def test_ids_in_places_are_made_visible() -> None:
    ((_, place, _, _),) = _problems(_line(run_id="a\u202eb\n" + "x" * 200, state="?"))
    assert place.startswith("runs.jsonl:7  run a⟦U+202E⟧b⟦U+000A⟧xxx")
    assert len(place) < 120


def _again(where: bytes, key: bytes) -> bytes:
    """The line of `RUN` with a second `key` in the object that begins with `where`."""
    line = _line(usage={"cached": False}, answer="x", private={"secret-name": 1}, extra={}, other={})
    assert where in line
    return line.replace(where, where + b'"' + key + b'": null, "' + key + b'": null, ', 1)


@pytest.mark.parametrize(
    ("line", "place", "found"),
    [
        (_again(b"{", b"answer"), "runs.jsonl:7  run r-1  answer", "`answer` again"),
        (_again(b"{", rb"answe\u0072"), "runs.jsonl:7  run r-1  answer", "`answer` again"),
        (_again(b'"usage": {', b"cached"), "runs.jsonl:7  run r-1  usage.cached", "`cached` again"),
        (_again(b'{"kind": "tool", ', b"result"), "runs.jsonl:7  run r-1  trace[1].result", "`result` again"),
        (_again(b'"private": {', b"secret-name"), "runs.jsonl:7  run r-1  private", "a key again, inside of"),
        (_again(b'"result": {', b"alice"), "runs.jsonl:7  run r-1  trace[1].result", "a key again, inside of"),
        (_again(b'{"effective": {', b"model"), "runs.jsonl:7  run r-1  config.effective", "a key again, inside of"),
        (_again(b"{", b"alice"), "runs.jsonl:7  run r-1", "a key again, inside of"),
    ],
)
def test_a_key_that_stands_twice_is_a_finding(line: bytes, place: str, found: str) -> None:
    problems = [problem for problem in decode_line(line, PLACE)[1] if problem.code == "RC004"]
    assert decode_line(line, PLACE)[0] is None
    assert {(str(problem.place), problem.expected) for problem in problems} == {(place, "each key once")}
    assert all(problem.found.startswith(found) for problem in problems)
    assert "alice" not in str(problems)
    assert "secret" not in str(problems)


def test_equal_keys_of_different_objects_are_no_repetition() -> None:
    assert _decode(_line(private=[{"a": {"a": 1}}, {"a": 2}], answer='{"a": 1, "a": 2}')).answer


def test_repeated_keys_and_wrong_types_are_told_together() -> None:
    line = _line(repeat_index="x", answer="a")[:-1] + b', "answer": "b"}'
    assert [(code, place) for code, place, _, _ in _problems(line)] == [
        ("RC004", "runs.jsonl:7  run r-1  answer"),
        ("RC024", "runs.jsonl:7  run r-1  repeat_index"),
    ]


def test_what_the_fast_decoder_skips_is_json_too() -> None:
    """It does not look into the values of unknown fields."""
    assert [code for code, *_ in _problems(_line(other="x").replace(b'"x"', b'"\xff"'))] == ["RC002"]


def test_what_is_wrong_everywhere_is_told_a_hundred_times() -> None:
    problems = _problems(_line(trace=[{"kind": "tool"}] * 100_000))
    assert [code for code, *_ in problems] == ["RC025"] * 100 + ["RC029"]
    assert problems[-1] == ("RC029", "runs.jsonl:7  run r-1", "at most 100 findings here", "more")


def _nested(levels: int) -> bytes:
    """`levels` in all: the run, its `private`, and lists."""
    return _line(private=0).replace(b'"private": 0', b'"private": ' + b"[" * (levels - 1) + b"]" * (levels - 1))


def test_depth_is_limited_whatever_the_stack() -> None:
    assert _decode(_nested(MAX_DEPTH)).private is not None
    ((code, place, expected, _),) = _problems(_nested(MAX_DEPTH + 1))
    assert (code, place, expected) == ("RC023", "runs.jsonl:7", "at most 100 levels of nesting")
    assert _problems(_nested(100_000))[0][0] == "RC023"


def test_brackets_in_texts_are_no_depth() -> None:
    assert _decode(_line(answer='[{"' * 1000)).answer == '[{"' * 1000
    assert _decode(_line(private=[[1]] * 1000)).private == [[1]] * 1000


@settings(deadline=None, database=None, derandomize=True, max_examples=200)
@given(st.binary(max_size=60))
def test_any_bytes_give_a_run_or_a_finding(line: bytes) -> None:
    run, findings = decode_line(line, PLACE)
    assert (run is None) == bool(findings)


@settings(deadline=None, database=None, derandomize=True, max_examples=200)
@given(st.integers(0, 400), st.binary(min_size=1, max_size=3))
def test_any_damage_gives_a_run_or_a_finding(position: int, damage: bytes) -> None:
    line = bytearray(_line(answer="答"))
    line[position % len(line) : position % len(line) + 1] = damage
    run, findings = decode_line(bytes(line), PLACE)
    assert (run is None) == bool(findings)
