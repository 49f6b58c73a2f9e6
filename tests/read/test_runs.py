"""Runs files of every kind, partition by partition."""

import gzip
import json
import pickle
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
import zstandard
from pyarrow import parquet

from generator.errors import Finding
from generator.model.runs import ModelTurn, Run, ToolCall
from generator.model.source import RunsFile
from generator.read import parquet as reading_parquet
from generator.read import runs as reading
from generator.read import streams
from generator.read.runs import decode_runs, partitions
from tests.support.small_source import encode_runs, small_source

Pack = Callable[[bytes], bytes]
PACKS: dict[str, Pack] = {
    "runs.jsonl": lambda raw: raw,
    "runs.jsonl.gz": gzip.compress,
    "runs.jsonl.zst": lambda raw: zstandard.ZstdCompressor().compress(raw),
}
RAW = encode_runs(small_source().batch.runs)


def _file(folder: Path, name: str, raw: bytes) -> RunsFile:
    (folder / name).write_bytes(raw)
    return RunsFile(path=folder / name, name=f"batches/b/{name}", sha256="")


def _read(file: RunsFile, size: int = 5) -> tuple[list[tuple[int, Run]], list[Finding]]:
    runs: list[tuple[int, Run]] = []
    findings: list[Finding] = []
    for partition in partitions(file, size):
        decoded, problems = decode_runs(partition)
        runs += decoded
        findings += problems
    return runs, findings


def _places(findings: list[Finding]) -> list[tuple[str, str]]:
    return [(finding.code, str(finding.place)) for finding in findings]


@pytest.mark.parametrize("name", PACKS)
def test_every_packing_gives_the_same_runs(name: str, tmp_path: Path) -> None:
    runs, findings = _read(_file(tmp_path, name, PACKS[name](RAW)))
    assert findings == []
    assert [line for line, _ in runs] == list(range(1, 24))
    assert [run.run_id for _, run in runs] == [run["run_id"] for run in small_source().batch.runs]


@pytest.mark.parametrize("size", [1, 5, 23, 100])
def test_partitions_are_consecutive_and_can_be_sent(size: int, tmp_path: Path) -> None:
    parts = list(partitions(_file(tmp_path, "runs.jsonl", RAW), size))
    assert [part.first_line for part in parts] == list(range(1, 24, size))
    assert b"".join(line for part in parts for line in part.lines) == RAW
    assert pickle.loads(pickle.dumps(parts)) == parts


def test_large_lines_make_small_partitions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "MAX_PARTITION_BYTES", 1)
    assert [len(part.lines) for part in partitions(_file(tmp_path, "runs.jsonl", RAW), 10)] == [1] * 23


@pytest.mark.parametrize("name", PACKS)
def test_empty_file_has_no_runs(name: str, tmp_path: Path) -> None:
    assert _read(_file(tmp_path, name, PACKS[name](b""))) == ([], [])


def test_blank_lines_and_windows_line_ends_are_nothing(tmp_path: Path) -> None:
    runs, findings = _read(_file(tmp_path, "runs.jsonl", b"\n" + RAW.replace(b"\n", b"\r\n") + b"  \n"))
    assert findings == []
    assert [line for line, _ in runs] == list(range(2, 25))


def test_blank_lines_are_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "MAX_BLANK_LINES", 3)
    assert _read(_file(tmp_path, "runs.jsonl", b"\n \n\r\n" + RAW))[1] == []
    _, findings = _read(_file(tmp_path, "runs.jsonl", b"\n \n\r\n" + RAW + b"\n"))
    assert _places(findings) == [("RC023", "batches/b/runs.jsonl")]


def test_last_line_needs_no_line_end(tmp_path: Path) -> None:
    assert len(_read(_file(tmp_path, "runs.jsonl", RAW.rstrip()))[0]) == 23


def test_broken_line_in_the_middle_hides_no_other(tmp_path: Path) -> None:
    lines = RAW.splitlines(keepends=True)
    lines[10] = lines[10][:50] + b"\n"
    lines[20] = b"[]\n"
    runs, findings = _read(_file(tmp_path, "runs.jsonl", b"".join(lines)))
    assert len(runs) == 21
    assert _places(findings) == [("RC020", "batches/b/runs.jsonl:11"), ("RC021", "batches/b/runs.jsonl:21")]


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32"])
def test_foreign_encoding_is_one_finding(encoding: str, tmp_path: Path) -> None:
    runs, findings = _read(_file(tmp_path, "runs.jsonl", RAW.decode().encode(encoding)))
    assert runs == []
    assert _places(findings) == [("RC002", "batches/b/runs.jsonl:1")]
    named = {"utf-8-sig": "a UTF-8 byte order mark"}
    assert findings[0].found == named.get(encoding, findings[0].found)
    assert "UTF" in findings[0].found


def test_line_that_is_too_long_is_skipped_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "MAX_LINE_BYTES", 8000)
    lines = RAW.splitlines(keepends=True)
    lines[3] = b'{"private": "' + b"x" * 50_000 + b'"}\n'
    runs, findings = _read(_file(tmp_path, "runs.jsonl", b"".join(lines)))
    assert _places(findings) == [("RC023", "batches/b/runs.jsonl:4")]
    assert [line for line, _ in runs] == [line for line in range(1, 24) if line != 4]


@pytest.mark.parametrize("name", ["runs.jsonl.gz", "runs.jsonl.zst"])
@pytest.mark.parametrize(
    ("damage", "found"),
    [
        (lambda raw: raw[:-6], "a file that is cut off"),
        (lambda raw: b"junk" * 10, "a file that cannot be decompressed"),
        (lambda raw: raw + b"junk" * 10, "a file that cannot be decompressed"),
    ],
)
def test_damaged_compression(name: str, damage: Pack, found: str, tmp_path: Path) -> None:
    _, findings = _read(_file(tmp_path, name, damage(PACKS[name](RAW))))
    assert _places(findings) == [("RC026", f"batches/b/{name}")]
    assert findings[0].found == found


@pytest.mark.parametrize("name", ["runs.jsonl.gz", "runs.jsonl.zst"])
def test_joined_files_are_read_to_the_end(name: str, tmp_path: Path) -> None:
    runs, findings = _read(_file(tmp_path, name, PACKS[name](RAW) + PACKS[name](RAW)))
    assert (len(runs), findings) == (46, [])


@pytest.mark.parametrize("name", ["runs.jsonl.gz", "runs.jsonl.zst"])
def test_bomb_is_stopped(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(streams, "FREE_BYTES", 1000)
    _, findings = _read(_file(tmp_path, name, PACKS[name](b" " * 5_000_000)))
    assert _places(findings) == [("RC027", f"batches/b/{name}")]


def test_missing_package_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "zstandard", None)
    _, (finding,) = _read(_file(tmp_path, "runs.jsonl.zst", PACKS["runs.jsonl.zst"](RAW)))
    assert (finding.code, finding.remedy) == ("RC026", "pip install runcite[zstd]")


def _parquet(folder: Path, rows: list[dict[str, Any]]) -> RunsFile:
    parquet.write_table(pa.Table.from_pylist(rows), folder / "runs.parquet")
    return RunsFile(path=folder / "runs.parquet", name="batches/b/runs.parquet", sha256="")


def _rows() -> list[dict[str, Any]]:
    return [json.loads(line) for line in RAW.splitlines()]


def test_parquet_with_json_texts(tmp_path: Path) -> None:
    rows = [
        {key: json.dumps(value) if isinstance(value, (dict, list)) else value for key, value in row.items()}
        for row in _rows()
    ]
    runs, findings = _read(_parquet(tmp_path, rows))
    assert findings == []
    assert runs == _read(_file(tmp_path, "runs.jsonl", RAW))[0]


def test_parquet_with_native_values(tmp_path: Path) -> None:
    runs, findings = _read(_parquet(tmp_path, _rows()))
    assert findings == []
    expected = dict(_read(_file(tmp_path, "runs.jsonl", RAW))[0])
    for line, run in runs:
        assert run.config == expected[line].config
        assert run.usage == expected[line].usage
        assert [type(step) for step in run.trace or []] == [type(step) for step in expected[line].trace or []]
    first = runs[0][1].trace
    assert first is not None
    assert isinstance(first[0], ModelTurn)
    assert isinstance(first[1], ToolCall)
    assert first[1].arguments == {"query": "A-1"}


def test_parquet_column_that_is_no_json(tmp_path: Path) -> None:
    rows = [
        {**row, "config": "{secret"} if number == 2 else {**row, "config": "{}"} for number, row in enumerate(_rows())
    ]
    _, findings = _read(_parquet(tmp_path, rows))
    assert ("RC020", "batches/b/runs.parquet:3  config") in _places(findings)
    assert not any("secret" in str(finding) for finding in findings)


def test_parquet_with_nan(tmp_path: Path) -> None:
    rows = [{**row, "timing": {"duration_ms": float("nan")}} for row in _rows()[:1]]
    _, findings = _read(_parquet(tmp_path, rows))
    assert _places(findings) == [("RC022", "batches/b/runs.parquet:1  run ctx-small-0001  timing.duration_ms")]


def test_damaged_parquet(tmp_path: Path) -> None:
    file = _parquet(tmp_path, _rows())
    file.path.write_bytes(file.path.read_bytes()[:-20])
    _, findings = _read(file)
    assert _places(findings) == [("RC028", "batches/b/runs.parquet")]


def test_parquet_of_one_value_many_times_is_stopped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A dictionary holds the value once, so that neither the file nor its columns look large."""
    rows = [{**_rows()[0], "answer": "x" * 100_000} for _ in range(100)]
    file = _parquet(tmp_path, rows)
    assert file.path.stat().st_size < 100_000
    assert _read(file)[1] == []
    monkeypatch.setattr(streams, "FREE_BYTES", 1_000_000)
    monkeypatch.setattr(streams, "MAX_RATIO", 10)
    runs, findings = _read(file)
    assert _places(findings) == [("RC027", "batches/b/runs.parquet")]
    assert len(runs) == 9


def test_parquet_whose_columns_are_too_large_is_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [{**_rows()[0], "answer": f"{number}" + "x" * 100_000} for number in range(30)]
    file = _parquet(tmp_path, rows)
    monkeypatch.setattr(streams, "FREE_BYTES", 1000)
    monkeypatch.setattr(streams, "MAX_RATIO", 1)
    assert (_read(file)[0], _places(_read(file)[1])) == ([], [("RC027", "batches/b/runs.parquet")])


def test_rows_held_at_once_fit_the_buffer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [{**_rows()[0], "answer": f"{number}" + "x" * 100_000} for number in range(30)]
    file = _parquet(tmp_path, rows)
    taken: list[int] = []
    lines = reading_parquet._lines

    def counted(batch: pa.RecordBatch, name: str, before: int) -> Iterator[bytes | Finding]:
        taken.append(batch.num_rows)
        return lines(batch, name, before)

    monkeypatch.setattr(reading_parquet, "_lines", counted)
    monkeypatch.setattr(reading_parquet, "BUFFER_BYTES", 10_000_000)
    assert len(_read(file)[0]) == 30
    assert set(taken) == {3}  # a column of 3 MB


def test_parquet_row_that_is_too_long_is_skipped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading_parquet, "MAX_LINE_BYTES", 50_000)
    rows = [{**row, "answer": "x" * (60_000 if number == 3 else 1)} for number, row in enumerate(_rows())]
    runs, findings = _read(_parquet(tmp_path, rows))
    assert _places(findings) == [("RC023", "batches/b/runs.parquet:4")]
    assert len(runs) == 22


@pytest.mark.parametrize("column", ["answer", "config"])
def test_parquet_column_twice(column: str, tmp_path: Path) -> None:
    table = pa.table([pa.array(["a"]), pa.array(["b"])], names=[column, column])
    parquet.write_table(table, tmp_path / "runs.parquet")
    file = RunsFile(path=tmp_path / "runs.parquet", name="batches/b/runs.parquet", sha256="")
    assert _places(_read(file)[1]) == [("RC004", f"batches/b/runs.parquet  {column}")]


def test_parquet_json_text_with_a_key_twice(tmp_path: Path) -> None:
    rows = [{**row, "config": json.dumps(row["config"])} for row in _rows()]
    rows[4]["config"] = '{"effective": {"secret": 1, "secret": 2}}'
    _, findings = _read(_parquet(tmp_path, rows))
    assert _places(findings) == [("RC004", "batches/b/runs.parquet:5  config")]
    assert "secret" not in str(findings)


def test_parquet_values_that_have_no_json(tmp_path: Path) -> None:
    maps = pa.array([[("a", 1), ("a", 2)], [("a", 1)]], pa.map_(pa.string(), pa.int64()))
    early = pa.array([-(2**62), 0], pa.timestamp("ms"))
    raw = pa.array([b"\xff", None], pa.binary())
    for name, column in (("extra", maps), ("snapshot", early), ("private", raw)):
        parquet.write_table(pa.table([column], names=[name]), tmp_path / "runs.parquet")
        file = RunsFile(path=tmp_path / "runs.parquet", name="batches/b/runs.parquet", sha256="")
        found = _places(_read(file)[1])
        assert [place for place in found if place[0] == "RC028"] == [("RC028", "batches/b/runs.parquet:1")], name
        assert ("RC025", "batches/b/runs.parquet:2  run_id") in found
