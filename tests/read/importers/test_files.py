"""Foreign bytes: one clear finding for each file that cannot be read."""

import gzip
import json
from pathlib import Path

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generator.errors import Finding
from generator.read.importers import IMPORTERS
from generator.read.importers import files as files_module
from generator.read.importers.files import (
    _exact,
    _finite,
    _plain_json,
    _writable,
    load_json,
    parse_json,
    parse_lines,
)
from tests.read.importers.support import imported, options
from tests.support.foreign import tau_record

GOOD = json.dumps([tau_record()])
OTHERWISE = {"junit"}
"""Harnesses whose files are no JSON: their own tests say how they are read."""


@pytest.mark.parametrize(
    ("raw", "found"),
    [
        (b"", "an empty file"),
        (b" \n", "an empty file"),
        (GOOD.encode()[:100], "text that is not JSON (line 1, column "),
        (b'[{"a": 1}]\n[2]', "text that is not JSON (line 2, column 1)"),
        (b"\xff\x00\xfe", "a binary file"),
        (gzip.compress(GOOD.encode()), "a gzip file"),
        (b"PK\x03\x04\x14\x00\x00\x00\x08\x00\xff", "a zip archive"),
        (b"PAR1\x15\x04\xff", "a Parquet file"),
        (b"\x28\xb5\x2f\xfd\x04\x00", "a Zstandard file"),
        (b'["' + "价格".encode("gbk") + b'"]', "text that is not UTF-8 (byte 3)"),
        (GOOD.encode("utf-16-le"), "text that is not JSON"),
        (b"[" * 3000 + b"]" * 3000, "values nested deeper than 200 levels"),
        (b"[" * 250 + b"]" * 250, "values nested deeper than 200 levels"),
        (b'{"x":' * 250 + b"1" + b"}" * 250, "values nested deeper than 200 levels"),
    ],
)
@pytest.mark.parametrize("harness", sorted(set(IMPORTERS) - OTHERWISE))
def test_unreadable_bytes(tmp_path: Path, harness: str, raw: bytes, found: str) -> None:
    path = tmp_path / "broken.json"
    path.write_bytes(raw)
    batch, (finding,) = IMPORTERS[harness]([path], options())
    assert batch is None
    assert (finding.code, finding.place.file) == ("RC501", "broken.json")
    assert finding.found.startswith(found)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_marked_encodings_are_read(tmp_path: Path, encoding: str) -> None:
    path = tmp_path / "x-airline.json"
    path.write_bytes(GOOD.replace("\n", "\r\n").encode(encoding))
    assert len(imported("tau-bench", path).runs) == 1


def found_in(path: Path) -> str:
    """What was found instead of a file that can be read."""
    problem = load_json(path)
    assert isinstance(problem, Finding)
    return problem.found


def test_folders_and_missing_files(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    assert [found_in(tmp_path / name) for name in ("folder", "nothing.json")] == ["a folder", "no such file"]


def test_a_file_beyond_the_limit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files_module, "MAX_BYTES", 10)
    path = tmp_path / "x.json"
    path.write_text(GOOD, encoding="utf-8")
    assert found_in(path) == "more than 10 bytes"


def test_findings_quote_no_content(tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    path.write_text('["a private word", oops]', encoding="utf-8")
    assert "private" not in str(load_json(path))


def test_a_git_lfs_pointer_is_named_as_one(tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    path.write_text("version https://git-lfs.github.com/spec/v1\noid sha256:0\n", encoding="utf-8")
    assert found_in(path) == "a Git LFS pointer, not the file itself"


def test_lines_end_at_line_feeds_alone() -> None:
    assert parse_lines('{"a": "\u2028"}\r\n\n["\\u0085"]\n') == [{"a": "\u2028"}, ["\x85"]]
    with pytest.raises(json.JSONDecodeError) as error:
        parse_lines('{"a": 1}\n\n{"b"\n')
    assert error.value.lineno == 3


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("NaN", "NaN"),
        ("[Infinity, -Infinity]", ["Infinity", "-Infinity"]),
        ("1e999", "1e999"),
        ("9" * 5000, "9" * 5000),
        ("18446744073709551616", "18446744073709551616"),
        ('{"\\ud800": "\\udfff"}', {"⟦U+D800⟧": "⟦U+DFFF⟧"}),
        ('"\\ud83d\\ude00"', "😀"),
        ("-0.5", -0.5),
    ],
)
def test_values_that_not_every_reader_holds(text: str, value: object) -> None:
    assert parse_json(text) == value


JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters(exclude_categories=[])),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=10,
)


@given(JSON_VALUES)
@settings(deadline=None, derandomize=True, database=None, max_examples=60)
def test_whatever_was_read_can_be_written(value: object) -> None:
    read = parse_json(json.dumps(value))
    assert msgspec.json.decode(msgspec.json.encode(read)) == read


@given(JSON_VALUES)
@settings(deadline=None, derandomize=True, database=None, max_examples=100)
def test_the_faster_reader_gives_the_same_values(value: object) -> None:
    text = json.dumps({"value": value, "near": [0.00011231299140490592, 123456789012345678]})
    exact = _writable(json.loads(text, parse_float=_finite, parse_int=_exact, parse_constant=str), 0)
    plain = _plain_json(text)
    assert plain is None or plain[0] == exact


@pytest.mark.parametrize(
    ("text", "is_plain"),
    [
        ('{"a": [1, 2.5, "x"]}', True),
        ('{"a": "[[[[", "b": "\\\\"}', True),
        ('{"a": "' + "]" * 300 + '", "b": ' + "[" * 201 + "]" * 201 + "}", False),
        ("1234567890123456789", False),
        ("0.1234567890123456789", True),
        ("[NaN]", False),
        ('"\\ud800"', False),
    ],
)
def test_what_the_faster_reader_takes(text: str, is_plain: bool) -> None:
    assert (_plain_json(text) is not None) == is_plain
