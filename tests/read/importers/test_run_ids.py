"""Ids of runs to import that another batch of the source has."""

import gzip
from collections.abc import Callable
from pathlib import Path

import msgspec
import pyarrow as pa
import pytest
import zstandard
from pyarrow import parquet

from generator.errors import Finding, Place
from generator.model.imported import ImportedBatch
from generator.read.importers import run_ids, taken_run_ids
from tests.read.importers.support import imported
from tests.support.foreign import tau2_file, tau2_simulation, write_json


def _batch(folder: Path, *run_ids: str, batch: str = "new") -> ImportedBatch:
    runs = [tau2_simulation("0", trial, id=run_id) for trial, run_id in enumerate(run_ids)]
    return imported("tau2-bench", write_json(folder / "results.json", tau2_file(runs)), batch=batch)


def _lines(batch: ImportedBatch) -> bytes:
    return b"".join(msgspec.json.encode(run) + b"\n" for run in batch.runs)


def _parquet(lines: bytes) -> bytes:
    rows = [msgspec.json.decode(line) for line in lines.splitlines()]
    texts = [
        {
            key: value if isinstance(value, str | int) else msgspec.json.encode(value).decode()
            for key, value in row.items()
        }
        for row in rows
    ]
    sink = pa.BufferOutputStream()
    parquet.write_table(pa.Table.from_pylist(texts), sink)
    written: bytes = sink.getvalue().to_pybytes()
    return written


FORMATS: dict[str, Callable[[bytes], bytes]] = {
    "runs.jsonl": lambda raw: raw,
    "runs.jsonl.gz": gzip.compress,
    "runs.jsonl.zst": lambda raw: zstandard.ZstdCompressor().compress(raw),
    "runs.parquet": _parquet,
}


def _publish(root: Path, batches: dict[str, bytes], name: str = "runs.jsonl", *, listed: bool = True) -> None:
    for batch, content in batches.items():
        (root / "batches" / batch).mkdir(parents=True)
        (root / "batches" / batch / name).write_bytes(content)
    entries = [f"  - {{batch: {batch}, since: 2026-05-06}}\n" for batch in batches] if listed else []
    (root / "publication.yaml").write_text("published:\n" + "".join(entries), encoding="utf-8")


@pytest.mark.parametrize("name", sorted(FORMATS))
def test_one_finding_names_the_batch_the_first_run_and_their_number(tmp_path: Path, name: str) -> None:
    older = _batch(tmp_path, "a", "b", "c", "d", batch="old")
    _publish(tmp_path / "source", {"old": FORMATS[name](_lines(older))}, name)
    (found,) = taken_run_ids(tmp_path / "source", _batch(tmp_path, "x", "d", "c"))
    assert (found.code, found.place) == ("RC312", Place(f"batches/old/{name}", 3, "c", "run_id"))
    assert found.expected == "ids that no run to import has"
    assert found.found == "2 of the 3 runs to import, in batch `old` already; this is the first"
    assert found.remedy == (
        "a run is of one batch: leave the files out that `old` was made of, or take that batch out of publication.yaml"
    )


@pytest.mark.parametrize("name", sorted(FORMATS))
def test_other_ids_are_free(tmp_path: Path, name: str) -> None:
    _publish(tmp_path / "source", {"old": FORMATS[name](_lines(_batch(tmp_path, "a", "b")))}, name)
    assert taken_run_ids(tmp_path / "source", _batch(tmp_path, "A", "b/", "ab")) == []


def test_each_batch_has_a_finding_of_its_own(tmp_path: Path) -> None:
    contents = {name: _lines(_batch(tmp_path, f"{name}-0", f"{name}-1")) for name in ("may", "june", "july")}
    _publish(tmp_path / "source", contents)
    found = taken_run_ids(tmp_path / "source", _batch(tmp_path, "may-0", "july-0", "july-1"))
    assert [(it.place.file, it.place.line, it.found.split(" of")[0]) for it in found] == [
        ("batches/may/runs.jsonl", 1, "1"),
        ("batches/july/runs.jsonl", 1, "2"),
    ]


def test_findings_in_great_number_are_few(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run_ids, "MAX_FINDINGS", 2)
    line = _lines(_batch(tmp_path, "a"))
    _publish(tmp_path / "source", {f"b{number}": line for number in range(5)})
    assert [it.code for it in taken_run_ids(tmp_path / "source", _batch(tmp_path, "a"))] == ["RC312", "RC312", "RC029"]


def test_only_a_few_lines_are_held(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run_ids, "LINES_AT_ONCE", 2)
    _publish(tmp_path / "source", {"old": _lines(_batch(tmp_path, "a", "b", "c", "d", "e"))})
    (found,) = taken_run_ids(tmp_path / "source", _batch(tmp_path, "e"))
    assert (found.place.line, found.place.run) == (5, "e")


def test_a_batch_that_is_not_published_has_no_ids(tmp_path: Path) -> None:
    _publish(tmp_path / "source", {"old": _lines(_batch(tmp_path, "a"))}, listed=False)
    assert taken_run_ids(tmp_path / "source", _batch(tmp_path, "a")) == []


def test_the_batch_of_the_same_id_is_not_another(tmp_path: Path) -> None:
    _publish(tmp_path / "source", {"new": _lines(_batch(tmp_path, "a"))})
    assert taken_run_ids(tmp_path / "source", _batch(tmp_path, "a")) == []


def test_lines_that_are_no_runs_have_no_ids(tmp_path: Path) -> None:
    lines = b'\n{"run_id": 5}\n{"run_id"\n\xff\n[]\n' + _lines(_batch(tmp_path, "a"))
    _publish(tmp_path / "source", {"old": lines})
    assert taken_run_ids(tmp_path / "source", _batch(tmp_path, "x")) == []
    (found,) = taken_run_ids(tmp_path / "source", _batch(tmp_path, "a"))
    assert found.place.line == 6


def _codes(findings: list[Finding]) -> list[tuple[str, str]]:
    return [(it.code, it.place.file) for it in findings]


def test_a_file_that_cannot_be_read_to_its_end_is_told(tmp_path: Path) -> None:
    content = gzip.compress(_lines(_batch(tmp_path, "a", "b")))
    _publish(tmp_path / "source", {"old": content[:-9]}, "runs.jsonl.gz")
    assert _codes(taken_run_ids(tmp_path / "source", _batch(tmp_path, "x"))) == [("RC026", "batches/old/runs.jsonl.gz")]


def test_a_link_out_of_the_source_is_not_followed(tmp_path: Path) -> None:
    _publish(tmp_path / "source", {"old": b""})
    (tmp_path / "outside").write_bytes(_lines(_batch(tmp_path, "a")))
    runs = tmp_path / "source" / "batches" / "old" / "runs.jsonl"
    runs.unlink()
    runs.symlink_to(tmp_path / "outside")
    assert _codes(taken_run_ids(tmp_path / "source", _batch(tmp_path, "a"))) == [("RC017", "batches/old/runs.jsonl")]


@pytest.mark.parametrize(
    "publication",
    [
        None,
        "",
        "[",
        "published: 5",
        "published: [5, {batch: 5}, {since: x}]",
        "published: [{batch: ../x}, {batch: ''}]",
    ],
)
def test_a_broken_publication_is_left_to_others(tmp_path: Path, publication: str | None) -> None:
    _publish(tmp_path / "source", {"old": _lines(_batch(tmp_path, "a"))})
    path = tmp_path / "source" / "publication.yaml"
    if publication is None:
        path.unlink()
    else:
        path.write_text(publication, encoding="utf-8")
    assert taken_run_ids(tmp_path / "source", _batch(tmp_path, "a")) == []
