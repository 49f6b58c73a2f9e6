"""Which harness wrote a file is told by how it begins; what is unclear is a finding that names the file."""

import json
import zipfile
from pathlib import Path

import pytest

from generator.errors import Finding
from generator.read.importers import IMPORTERS, choose_files
from generator.read.importers.beginning import HEAD_BYTES, beginning_of
from generator.read.importers.detect import Chosen
from tests.support.foreign import tau2_file, tau2_simulation, tau_record, write_json
from tests.support.shared import REAL, real_is_there

TAU, TAU2 = [tau_record()], tau2_file([tau2_simulation()])


def chosen(*given: Path, named: str | None = None) -> Chosen:
    found, findings = choose_files(list(IMPORTERS.values()), None if named is None else IMPORTERS[named], given)
    assert findings == []
    assert found is not None
    return found


def unclear(*given: Path) -> list[Finding]:
    found, findings = choose_files(list(IMPORTERS.values()), None, given)
    assert found is None
    return findings


def test_a_file_is_told_by_how_it_begins(tmp_path: Path) -> None:
    tau, tau2 = write_json(tmp_path / "a.json", TAU), write_json(tmp_path / "b.json", TAU2)
    assert (chosen(tau).importer.harness.id, chosen(tau).guessed) == ("tau-bench", True)
    assert chosen(tau2).importer.harness.id == "tau2-bench"
    assert not chosen(tau, named="tau2-bench").guessed


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
def test_marks_of_an_encoding_hide_nothing(tmp_path: Path, encoding: str) -> None:
    path = tmp_path / "a.json"
    path.write_bytes(json.dumps(TAU).encode(encoding))
    assert chosen(path).importer.harness.id == "tau-bench"


def test_files_of_two_harnesses_are_named(tmp_path: Path) -> None:
    (finding,) = unclear(write_json(tmp_path / "a.json", TAU), write_json(tmp_path / "b.json", TAU2))
    assert (finding.code, finding.place.file) == ("RC513", "b.json")
    assert finding.expected == "files of one harness (tau-bench, as a.json)"
    assert finding.found == "a file of tau2-bench"


@pytest.mark.parametrize(
    ("raw", "code", "found"),
    [
        (b'{"hello": 1}', "RC513", "JSON whose beginning is that of no known harness"),
        (b"a,b\n1,2\n", "RC513", "a text that is no JSON"),
        (b"<html></html>", "RC513", "XML of another kind"),
        (b"", "RC501", "an empty file"),
        (b"version https://git-lfs.github.com/spec/v1\n", "RC501", "a Git LFS pointer, not the file itself"),
        (b"PK\x03\x04cut", "RC501", "a zip archive that is cut off or damaged"),
        (b"[" * 3000, "RC513", "JSON whose beginning is that of no known harness"),
    ],
)
def test_a_file_of_no_harness(tmp_path: Path, raw: bytes, code: str, found: str) -> None:
    path = tmp_path / "x.json"
    path.write_bytes(raw)
    (finding,) = unclear(path)
    assert (finding.code, finding.place.file, finding.found) == (code, "x.json", found)


def test_a_zip_of_something_else(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "x.eval", "w") as archive:
        archive.writestr("letter.txt", "hello")
    (finding,) = unclear(tmp_path / "x.eval")
    assert (finding.code, finding.found) == ("RC513", "a zip archive without the entries of a known harness")


def test_folders_patterns_and_what_is_hidden(tmp_path: Path) -> None:
    (tmp_path / "deep" / ".hidden").mkdir(parents=True)
    names = ["b.json", "deep/a.json", "deep/.hidden/c.json", "readme.txt"]
    for name in names:
        write_json(tmp_path / name, TAU)
    assert [path.name for path in chosen(tmp_path).files] == ["b.json", "a.json"]
    assert [path.name for path in chosen(tmp_path / "*.json").files] == ["b.json"]
    assert [path.name for path in chosen(tmp_path / "**" / "a.json").files] == ["a.json"]


@pytest.mark.parametrize(
    ("name", "found"),
    [("empty", "a folder without a file that ends in "), ("*.nothing", "a pattern that no file fits")],
)
def test_nothing_to_import(tmp_path: Path, name: str, found: str) -> None:
    (tmp_path / "empty").mkdir()
    (finding,) = unclear(tmp_path / name)
    assert (finding.code, finding.found[: len(found)]) == ("RC501", found)


def test_a_large_file_is_not_read_to_tell_what_it_is(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_bytes(json.dumps(TAU)[:-1].encode() + b', "' + b"x" * 2 * HEAD_BYTES)
    assert "[].traj" in beginning_of(path).paths
    assert chosen(path).importer.harness.id == "tau-bench"


def test_paths_of_keys_and_lines(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text('{"a": {"b \\" c": [{"d": "e: {"}]}}\n{"f": 1}\n', encoding="utf-8")
    beginning = beginning_of(path)
    assert beginning.lines
    assert beginning.paths == {"a", 'a.b \\" c', 'a.b \\" c[].d', "f"}


@pytest.mark.skipif(not real_is_there(), reason="RUNCITE_SHARED does not hold real/")
@pytest.mark.parametrize("harness", ["tau-bench", "tau2-bench"])
def test_real_files_are_told(harness: str) -> None:
    folders = {"tau-bench": "tau-bench", "tau2-bench": "tau2-bench/grok_airline_x_policy"}
    found = chosen(REAL / folders[harness])
    assert (found.importer.harness.id, found.guessed) == (harness, True)
