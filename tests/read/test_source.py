"""A folder as a source: files that are missing, misnamed or broken; the hash."""

import hashlib
import os
import shutil
from pathlib import Path

import pytest

from generator.errors import Finding
from generator.read.source import read_source
from tests.support.small_source import SmallSource, write_small_source
from tests.validate.rule_cases import Edit


def _problems(root: Path) -> list[tuple[str, str]]:
    source, findings = read_source(root)
    assert source is None
    return [(finding.code, str(finding.place)) for finding in findings]


def _published(*batches: str) -> Edit:
    def edit(source: SmallSource) -> None:
        source.publication["published"] = [{"batch": batch, "since": "2026-11-25"} for batch in batches]

    return edit


def test_small_source_is_read(tmp_path: Path) -> None:
    source, findings = read_source(write_small_source(tmp_path))
    assert findings == []
    assert source is not None
    assert [item.batch.id for item in source.batches] == ["ctx-small"]
    assert list(source.experiments) == ["context-strategy-comparison", "temperature-stability"]
    assert source.case_banks["bank-small"].case("basic-01").category == "basic"
    runs = source.batches[0].runs
    assert runs.name == "batches/ctx-small/runs.jsonl"
    assert runs.sha256 == hashlib.sha256(runs.path.read_bytes()).hexdigest()


@pytest.mark.parametrize(
    "name", ["metrics.yaml", "experiments.yaml", "projection.yaml", "publication.yaml", "redaction.yaml"]
)
def test_missing_file(name: str, tmp_path: Path) -> None:
    (write_small_source(tmp_path) / name).unlink()
    assert _problems(tmp_path) == [("RC001", name)]


def test_missing_file_says_what_to_do(tmp_path: Path) -> None:
    (write_small_source(tmp_path) / "metrics.yaml").unlink()
    _, (finding,) = read_source(tmp_path)
    assert str(finding) == (
        "metrics.yaml  RC001 required file is there\n"
        "  expected a file, found nothing\n"
        "  add the file; `runcite init DIR` writes a source to start from"
    )


def test_all_files_are_read_before_stopping(tmp_path: Path) -> None:
    root = write_small_source(tmp_path)
    (root / "metrics.yaml").unlink()
    (root / "projection.yaml").write_bytes(b"version: 1\nversion: 2\n")
    (root / "cases" / "bank-small.yaml").write_bytes(b"\xff")
    (root / "batches" / "ctx-small" / "batch.yaml").write_text("id: 1\n", encoding="utf-8")
    codes = [code for code, _ in _problems(root)]
    assert codes[:4] == ["RC001", "RC004", "RC002", "RC008"]
    assert set(codes[4:]) == {"RC011"}


def test_no_folder(tmp_path: Path) -> None:
    assert _problems(tmp_path / "nothing") == [("RC001", "nothing")]
    (tmp_path / "file").touch()
    _, (finding,) = read_source(tmp_path / "file")
    assert finding.found == "a file"


def test_a_folder_in_place_of_a_file(tmp_path: Path) -> None:
    root = write_small_source(tmp_path)
    (root / "metrics.yaml").unlink()
    (root / "metrics.yaml").mkdir()
    _, (finding,) = read_source(root)
    assert (finding.code, finding.found) == ("RC001", "a folder")


def test_empty_source_is_whole(tmp_path: Path) -> None:
    def edit(source: SmallSource) -> None:
        _published()(source)
        source.batches.clear()

    root = write_small_source(tmp_path, edit)
    for folder in ("cases", "catalogs", "fixtures", "policies", "sessions"):
        shutil.rmtree(root / folder)
    source, findings = read_source(root)
    assert findings == []
    assert source is not None
    assert source.batches == []


def test_published_batch_that_is_not_there(tmp_path: Path) -> None:
    root = write_small_source(tmp_path, _published("ctx-small", "ctx-big"))
    assert _problems(root) == [("RC013", "publication.yaml  published[1].batch")]


@pytest.mark.parametrize(
    "name", ["", ".", "..", "../ctx-small", "a/b", "a\\b", "c:d", "a\u0007b", "x" * 201, "数" * 67]
)
def test_batch_id_that_cannot_name_a_folder(name: str, tmp_path: Path) -> None:
    root = write_small_source(tmp_path, _published(name))
    assert _problems(root) == [("RC015", "publication.yaml  published[0].batch")]


@pytest.mark.parametrize("name", ["CON", "批次-1", "x" * 200, "a b", "a\u202eb", "..."])
def test_batch_id_that_can(name: str, tmp_path: Path) -> None:
    def edit(source: SmallSource) -> None:
        _published(name)(source)
        source.batch.head["id"] = name

    source, findings = read_source(write_small_source(tmp_path, edit))
    assert findings == []
    assert source is not None


def test_unpublished_batches_are_not_read(tmp_path: Path) -> None:
    root = write_small_source(tmp_path)
    before, _ = read_source(root)
    (root / "batches" / "draft").mkdir()
    (root / "batches" / "draft" / "batch.yaml").write_bytes(b"\xff")
    (root / "published").mkdir()
    (root / "published" / "ctx-small.json").write_text('{"batch": "ctx-small", "numbers": {}}', encoding="utf-8")
    after, findings = read_source(root)
    assert findings == []
    assert before is not None
    assert after is not None
    assert before.hash == after.hash


def test_runs_files(tmp_path: Path) -> None:
    root = write_small_source(tmp_path)
    folder = root / "batches" / "ctx-small"
    (folder / "runs.parquet").touch()
    _, (finding,) = read_source(root)
    assert (finding.code, finding.found) == ("RC014", "runs.jsonl and runs.parquet")
    (folder / "runs.parquet").unlink()
    (folder / "runs.jsonl").unlink()
    _, (finding,) = read_source(root)
    assert (finding.code, str(finding.place), finding.found) == (
        "RC014",
        "batches/ctx-small/",
        "none of them; the folder holds batch.yaml",
    )


def test_id_and_file_name(tmp_path: Path) -> None:
    root = write_small_source(tmp_path)
    (root / "cases" / "bank-small.yaml").rename(root / "cases" / "bank.yaml")
    (root / "batches" / "ctx-small" / "batch.yaml").write_text(
        (root / "batches" / "ctx-small" / "batch.yaml")
        .read_text(encoding="utf-8")
        .replace('"id": "ctx-small"', '"id": "ctx"'),
        encoding="utf-8",
    )
    _, findings = read_source(root)
    assert [(finding.code, str(finding.place)) for finding in findings] == [
        ("RC012", "cases/bank.yaml  id"),
        ("RC012", "batches/ctx-small/batch.yaml  id"),
    ]


def test_definition_under_another_ending(tmp_path: Path) -> None:
    root = write_small_source(tmp_path)
    (root / "cases" / "more.yml").touch()
    (root / "cases" / ".DS_Store").touch()
    (root / "cases" / "README.md").touch()
    _, findings = read_source(root)
    assert [(finding.code, str(finding.place)) for finding in findings] == [("RC016", "cases/more.yml")]


def _hash(root: Path) -> str:
    source, _ = read_source(root)
    assert source is not None
    return source.hash


def test_hash_is_that_of_names_and_contents(tmp_path: Path) -> None:
    """The digest of `sha256␠name` lines, as `sha256sum` would give for every file."""
    root = write_small_source(tmp_path)
    names = sorted(path.relative_to(root).as_posix() for path in root.rglob("*") if path.is_file())
    lines = [f"{hashlib.sha256((root / name).read_bytes()).hexdigest()} {name}\n" for name in names]
    assert _hash(root) == hashlib.sha256("".join(lines).encode()).hexdigest()


def test_hash_does_not_know_where_the_source_is(tmp_path: Path) -> None:
    assert _hash(write_small_source(tmp_path / "a")) == _hash(write_small_source(tmp_path / "b"))


def test_hash_changes_with_any_file(tmp_path: Path) -> None:
    root = write_small_source(tmp_path)
    before = _hash(root)
    for path in sorted(root.rglob("*.*")):
        raw = path.read_bytes()
        path.write_bytes(raw + b"\n")
        assert _hash(root) != before, path
        path.write_bytes(raw)
    assert _hash(root) == before


def test_findings_are_comparable(tmp_path: Path) -> None:
    (write_small_source(tmp_path) / "metrics.yaml").unlink()
    _, findings = read_source(tmp_path)
    assert all(isinstance(finding, Finding) and hash(finding) for finding in findings)


@pytest.mark.parametrize("name", ["metrics.yaml", "cases/bank-small.yaml", "batches/ctx-small/runs.jsonl"])
def test_a_link_that_leads_out_of_the_source_is_not_followed(name: str, tmp_path: Path) -> None:
    root = write_small_source(tmp_path / "source")
    secret = tmp_path / "secret"
    secret.write_text("https://user:hunter22@example.org", encoding="utf-8")
    (root / name).unlink()
    (root / name).symlink_to(secret)
    source, findings = read_source(root)
    assert source is None
    assert [(finding.code, str(finding.place), finding.found) for finding in findings][:1] == [
        ("RC017", name, "a link that leads out of it")
    ]
    assert "hunter22" not in str(findings)


def test_a_folder_that_leads_out_of_the_source_is_not_followed(tmp_path: Path) -> None:
    root = write_small_source(tmp_path / "source")
    (root / "policies").rename(tmp_path / "elsewhere")
    (root / "policies").symlink_to(tmp_path / "elsewhere")
    assert {code for code, _ in _problems(root)} == {"RC017"}


def test_links_within_the_source_are_followed(tmp_path: Path) -> None:
    root = write_small_source(tmp_path / "real")
    (root / "metrics.yaml").rename(root / "table-2.yml")
    (root / "metrics.yaml").symlink_to("table-2.yml")
    (tmp_path / "source").symlink_to(root)
    assert read_source(tmp_path / "source")[1] == []


def test_names_of_files_are_printable(tmp_path: Path) -> None:
    root = write_small_source(tmp_path)
    (root / "policies/\x1b[2J.yml").write_text("a", encoding="utf-8")
    (root / os.fsdecode(b"policies/\xff.yaml")).write_text("a", encoding="utf-8")
    findings = read_source(root)[1]
    assert {finding.place.file for finding in findings} == {"policies/⟦U+001B⟧[2J.yml", "policies/⟦U+DCFF⟧.yaml"}
    str(findings).encode()


@pytest.mark.parametrize("name", ["metrics.yaml", "policies/c-1.yaml", "batches/ctx-small/runs.jsonl"])
def test_a_pipe_is_not_waited_for(name: str, tmp_path: Path) -> None:
    root = write_small_source(tmp_path)
    (root / name).unlink()
    os.mkfifo(root / name)
    assert ("RC017", name) in _problems(root)


def test_a_device_is_not_read(tmp_path: Path) -> None:
    root = write_small_source(tmp_path)
    (root / "metrics.yaml").unlink()
    (root / "metrics.yaml").symlink_to("/dev/zero")
    assert _problems(root) == [("RC017", "metrics.yaml")]


def test_a_large_definition_is_not_read(tmp_path: Path) -> None:
    root = write_small_source(tmp_path)
    with (root / "metrics.yaml").open("ab") as file:
        file.truncate(40 * 1024**3)
    assert _problems(root) == [("RC006", "metrics.yaml")]
