"""YAML without its traps."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generator.read import yaml_file
from generator.read.yaml_file import load_yaml, path_text


def _value(text: str) -> Any:
    located, findings = load_yaml("a.yaml", text.encode())
    assert findings == []
    assert located is not None
    return located.value


def _problems(raw: bytes) -> list[tuple[str, str]]:
    located, findings = load_yaml("a.yaml", raw)
    assert located is None
    return [(finding.code, str(finding.place)) for finding in findings]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("a: no", {"a": "no"}),
        ("a: on", {"a": "on"}),
        ("a: y", {"a": "y"}),
        ("a: true", {"a": True}),
        ("a: 12:30", {"a": "12:30"}),
        ("a: 1:20:30", {"a": "1:20:30"}),
        ("a: 2026-11-30", {"a": "2026-11-30"}),
        ("a: 2026-11-30T08:00:00Z", {"a": "2026-11-30T08:00:00Z"}),
        ("a: 1.10", {"a": 1.1}),
        ("a: '1.10'", {"a": "1.10"}),
        ("a: 010", {"a": 10}),
        ("a: 0o10", {"a": 8}),
        ("a: 0x1F", {"a": 31}),
        ("a: 1_000", {"a": "1_000"}),
        ("a: 1e3", {"a": 1000.0}),
        ("a: .5", {"a": 0.5}),
        ("a: 1.2.3", {"a": "1.2.3"}),
        ("a: 1e999", {"a": "1e999"}),
        (f"a: {'9' * 399}", {"a": 10**399 - 1}),
        (f"a: {'9' * 400}", {"a": "9" * 400}),
        (f"a: 0x{'f' * 5000}", {"a": f"0x{'f' * 5000}"}),
        (f"a: 0o{'7' * 6000}", {"a": f"0o{'7' * 6000}"}),
        (f"a: 0.{'3' * 6000}", {"a": f"0.{'3' * 6000}"}),
        ("a: ~", {"a": None}),
        ("a:", {"a": None}),
        ("a: ''", {"a": ""}),
        ("1.10: x\nno: y", {"1.10": "x", "no": "y"}),
        ("a: <<", {"a": "<<"}),
        ("a: [1, {b: c}]", {"a": [1, {"b": "c"}]}),
        ("a: |\n  x\n  y\n", {"a": "x\ny\n"}),
        ("a: 1\r\nb: 2\r\n", {"a": 1, "b": 2}),
        ("", None),
        ("# nothing", None),
    ],
)
def test_values(text: str, value: Any) -> None:
    found = _value(text)
    assert found == value
    assert json.dumps(found) == json.dumps(value)


@pytest.mark.parametrize(
    ("raw", "problems"),
    [
        (b"a: 1\nb: 2\na: 3", [("RC004", "a.yaml:3  a")]),
        (b"x:\n - a: 1\n   a: 2", [("RC004", "a.yaml:3  x[0].a")]),
        (b"a: &x 1\nb: *x", [("RC005", "a.yaml:1  a"), ("RC005", "a.yaml:2  b")]),
        (b"a: !!str 1\nb: !c {d: 1}", [("RC005", "a.yaml:1  a"), ("RC005", "a.yaml:2  b")]),
        (b"a: !!python/object/apply:os.system [x]", [("RC005", "a.yaml:1  a")]),
        (b"a: 1\nb: .nan\nc: -.inf", [("RC007", "a.yaml:2  b"), ("RC007", "a.yaml:3  c")]),
        (b"? [a, b]\n: 1", [("RC007", "a.yaml:1")]),
        (b"a: 1\n---\na: 2", [("RC003", "a.yaml:2")]),
        (b"a: [1\nb: 2", [("RC003", "a.yaml:2")]),
        (b"a: b: c", [("RC003", "a.yaml:1")]),
        (b"b: 1\na: \x01", [("RC003", "a.yaml:2")]),
        (b"a: 1\nb: \xff", [("RC002", "a.yaml:2")]),
        (b"\xef\xbb\xbfa: 1", [("RC002", "a.yaml:1")]),
        ("a: 1".encode("utf-16"), [("RC002", "a.yaml:1")]),
        ("a: 1".encode("utf-16-be"), [("RC002", "a.yaml:1")]),
        ("a: 价格".encode("gbk"), [("RC002", "a.yaml:1")]),
        (b"a: " + b"[" * 200, [("RC006", "a.yaml:1")]),
    ],
)
def test_problems(raw: bytes, problems: list[tuple[str, str]]) -> None:
    assert _problems(raw) == problems


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (
            "a: [1\nb: 2",
            "a list in brackets that is not closed, or a missing comma (column 2; it belongs to what begins in",
        ),
        ("a: {b: 1\nc: 2", "an object in braces that is not closed, or a missing comma (column 2;"),
        ("a: b: c", "a second `: ` in one line, or a key below a value (column 5)"),
        ("a:\n\t- x", "a tab that indents (column 1)"),
        ("a: @x", "a value that begins with a sign of YAML (column 4)"),
        ("a: 'b\nc: d\n", "a quotation mark that is not closed (column 1; it belongs to what begins in line 1)"),
        (
            "a:\n - b\n c: d",
            "a line of a list that does not begin with `- ` (column 2; it belongs to what begins in line 2)",
        ),
        ("a: 1\nb\nc: 2", "a line without `: ` (column 1; it belongs to what begins in line 2)"),
        ("a: - b", "a list that begins in the line of its key (column 4)"),
        ("a: !<tag:x", "text that is not YAML (did not find the expected '>') (column 11)"),
        ("a: \x07b", "`⟦U+0007⟧`"),
        ("a: \ufeffb", "`⟦U+FEFF⟧`"),
        ("a: \ufffeb", "`⟦U+FFFE⟧`"),
    ],
)
def test_a_syntax_error_is_told_in_words_for_people(text: str, found: str) -> None:
    _, (finding,) = load_yaml("a.yaml", text.encode())
    assert finding.code == "RC003"
    assert finding.found.startswith(found)


def test_repeated_key_names_the_first_line() -> None:
    _, (finding,) = load_yaml("a.yaml", b"a: 1\nb: 2\na: 3")
    assert str(finding) == (
        "a.yaml:3  a  RC004 keys are unique\n  expected each key once, found again (first in line 1)\n  remove one"
    )


def test_byte_order_mark_is_named() -> None:
    _, (finding,) = load_yaml("a.yaml", b"\xef\xbb\xbfa: 1")
    assert finding.found == "a UTF-8 byte order mark"


def test_large_file_is_refused_unread(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(yaml_file, "MAX_BYTES", 10)
    assert _problems(b"a: 23456789") == [("RC006", "a.yaml")]


def test_values_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(yaml_file, "MAX_VALUES", 5)
    assert _value("[1, 2, 3, 4]") == [1, 2, 3, 4]
    assert _problems(b"[1, 2, 3,\n 4, 5]") == [("RC006", "a.yaml:2")]


def test_what_is_wrong_everywhere_is_told_a_thousand_times() -> None:
    assert _problems(b"a: 1\n" * 5000) == [
        *(("RC004", f"a.yaml:{line}  a") for line in range(2, 1002)),
        ("RC029", "a.yaml"),
    ]


def test_lines_of_all_parts() -> None:
    located, _ = load_yaml("a.yaml", b"a:\n  - b: 1\n    c:\n      d: 2\n")
    assert located is not None
    assert str(located.place(("a", 0, "c", "d"))) == "a.yaml:4  a[0].c.d"
    assert str(located.place(("a", 0, "x"))) == "a.yaml:2  a[0].x"


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


@settings(deadline=None, database=None, derandomize=True, max_examples=150)
@given(_JSON)
def test_json_is_read_as_it_is_or_refused(value: Any) -> None:
    """JSON is YAML. What YAML cannot hold is a finding, never another value."""
    located, findings = load_yaml("a.yaml", json.dumps(value).encode())
    if findings:
        assert located is None
    else:
        assert located is not None
        assert located.value == value


def test_path_text() -> None:
    assert path_text(("a", 0, 1, "b")) == "a[0][1].b"
