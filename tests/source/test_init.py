"""A new source: complete, readable, never written over anything."""

from pathlib import Path

import pytest

from generator.errors import SiteError
from generator.model.rules import RULES
from generator.read.source import read_source
from generator.resources import resource
from generator.source import init as init_module
from generator.source import init_source


def test_an_empty_source_can_be_read(tmp_path: Path) -> None:
    root = tmp_path / "new" / "report"
    assert init_source(root) == []
    source, findings = read_source(root)
    assert findings == []
    assert source is not None
    assert (source.experiments, source.batches, source.case_banks) == ({}, [], {})
    assert source.publication.thresholds.min_valid_per_group == 5


def test_metrics_whitelist_and_redaction_are_the_projects(tmp_path: Path) -> None:
    init_source(tmp_path)
    for name in ("metrics.yaml", "projection.yaml", "redaction.yaml"):
        assert (tmp_path / name).read_bytes() == (resource("data") / name).read_bytes()


def test_two_of_them_are_equal_and_nothing_else_is_left(tmp_path: Path) -> None:
    first, second = tmp_path / "a", tmp_path / "b"
    init_source(first)
    init_source(second)
    files = {path.name: path.read_bytes() for path in first.iterdir()}
    assert files == {path.name: path.read_bytes() for path in second.iterdir()}
    assert sorted(files) == [
        "README.md",
        "experiments.yaml",
        "metrics.yaml",
        "projection.yaml",
        "publication.yaml",
        "redaction.yaml",
    ]


def test_a_repository_without_files_is_empty(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    assert init_source(tmp_path) == []


@pytest.mark.parametrize("name", [".hidden", "notes.txt"])
def test_a_folder_that_holds_something_is_refused(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text("mine", encoding="utf-8")
    (finding,) = init_source(tmp_path)
    assert (finding.code, finding.rule) == ("RC510", RULES["RC510"])
    assert [path.name for path in tmp_path.iterdir()] == [name]


def test_a_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "taken"
    path.write_text("mine", encoding="utf-8")
    (finding,) = init_source(path)
    assert (finding.place.file, finding.found) == ("taken", "a file")
    assert path.read_text(encoding="utf-8") == "mine"


def test_a_folder_that_cannot_be_written_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(path: Path, content: bytes) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(init_module, "replace_file", fail)
    with pytest.raises(SiteError, match="No space left on device"):
        init_source(tmp_path / "new")
