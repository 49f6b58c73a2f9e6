"""The command line: exit codes, what goes to which stream, and that nothing ends in a traceback."""

import json
import subprocess
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import msgspec
import pytest
from typer.testing import CliRunner, Result

from generator import __version__, cli
from generator.errors import SiteError
from generator.pipeline import Built
from tests.support.foreign import tau2_file, tau2_simulation, write_json
from tests.support.small_source import SmallSource, write_small_source


@pytest.fixture(autouse=True)
def _outside_ci(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("GITHUB_ACTIONS", raising=False)


def _run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(cli.app, [str(argument) for argument in arguments])


def _break(source: SmallSource) -> None:
    source.batch.runs[2]["variant"] = "fulll"


@pytest.fixture
def broken(tmp_path: Path) -> Path:
    return write_small_source(tmp_path / "source", _break)


def test_help_lists_every_command_and_loads_nothing_heavy() -> None:
    script = (
        "import sys; from typer.testing import CliRunner; from generator.cli import app; "
        "result = CliRunner().invoke(app, ['--help']); print(result.output); "
        "heavy = {'pandas', 'altair', 'mkdocs', 'jinja2', 'yaml'} & set(sys.modules); "
        "sys.exit(str(heavy) if heavy else 0)"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert all(command in done.stdout for command in ("build", "check", "verify", "init", "import", "schema"))


def test_the_version() -> None:
    result = _run("--version")
    assert (result.exit_code, result.output.strip()) == (0, __version__)


def test_a_refused_source_says_where_and_exits_1(broken: Path, tmp_path: Path) -> None:
    result = _run("build", "--source", broken, "--site", tmp_path / "site", "--jobs", "1")
    assert result.exit_code == 1
    assert result.stdout == ""
    assert "batches/ctx-small/runs.jsonl:3" in result.stderr
    assert "nothing was written" in result.stderr
    assert not (tmp_path / "site").exists()


def test_findings_as_json_are_all_that_stands_on_standard_output(broken: Path) -> None:
    result = _run("check", "--source", broken, "--jobs", "1", "--format", "json")
    assert result.exit_code == 1
    assert {finding["place"]["line"] for finding in json.loads(result.stdout)["findings"]} >= {3}


def test_findings_as_junit(broken: Path) -> None:
    result = _run("check", "--source", broken, "--jobs", "1", "--format", "junit")
    assert result.exit_code == 1
    assert int(ET.fromstring(result.stdout).get("failures") or 0) >= 1


def test_in_github_actions_annotations_join_whatever_is_printed(broken: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    result = _run("check", "--source", broken, "--jobs", "1", "--format", "json")
    assert json.loads(result.stdout)["findings"]
    assert "::error file=batches/ctx-small/runs.jsonl," in result.stderr


@pytest.mark.parametrize("form", ["text", "json", "junit"])
def test_what_is_no_finding_is_said_in_every_format(form: str, tmp_path: Path) -> None:
    (tmp_path / "site").write_text("a file", encoding="utf-8")
    result = _run("build", "--source", tmp_path, "--site", tmp_path / "site", "--format", form)
    assert result.exit_code == 1
    assert "expected a folder, found a file" in (result.stderr if form == "text" else result.stdout)


def test_a_built_site_is_summed_up(monkeypatch: pytest.MonkeyPatch) -> None:
    built = Built(batches=1, runs=23, numbers=119, files=340, digest="0123")
    monkeypatch.setattr("generator.pipeline.build_site", lambda *arguments, **options: built)
    result = _run("build", "--site", "here")
    assert (result.exit_code, result.stdout) == (0, "here: 1 batches, 23 runs, 119 numbers, 340 files\ndigest 0123\n")


def test_a_site_that_does_not_verify_exits_1(tmp_path: Path) -> None:
    (tmp_path / "manifest.json").write_text('{"files": [], "digest": "0"}', encoding="utf-8")
    result = _run("verify", tmp_path, "--format", "json")
    assert result.exit_code == 1
    assert json.loads(result.stdout)["agrees"] is False


@pytest.mark.parametrize(
    "arguments",
    [
        ("build", "--sauce", "data"),
        ("verify",),
        ("verify", "site", "--format", "junit"),
        ("import", "no-such-harness", "file.json", "--experiment", "e", "--batch", "b"),
        ("import", "tau-bench", "file.json", "--experiment", "e", "--batch", "b", "--date", "yesterday"),
        ("schema", "no-such-record"),
    ],
)
def test_wrong_usage_exits_2(arguments: tuple[str, ...]) -> None:
    result = _run(*arguments)
    assert result.exit_code == 2
    assert result.stderr != ""


def test_every_schema_is_printed() -> None:
    names = _run("schema").stdout.split()
    assert {"batch", "numbers", "source-run"} <= set(names)
    for name in names:
        result = _run("schema", name)
        assert result.exit_code == 0
        assert msgspec.json.decode(result.stdout)


def test_init_then_import_then_the_batch_is_there(tmp_path: Path) -> None:
    source = tmp_path / "source"
    assert _run("init", source).exit_code == 0
    assert _run("init", source).exit_code == 1
    files = [
        write_json(
            tmp_path / f"{domain}.json",
            tau2_file([tau2_simulation(id=domain)], info={"environment_info": {"domain_name": domain}}),
        )
        for domain in ("one", "two")
    ]
    options: list[str | Path] = ["--experiment", "e", "--batch", "b", "--variant", "environment_info"]
    options += ["--source", source]
    result = _run("import", "tau2-bench", *files, *options)
    assert result.exit_code == 0, result.output
    assert (source / "batches" / "b" / "runs.jsonl").is_file()
    again = _run("import", "tau2-bench", *files, *options)
    assert again.exit_code == 1


def test_an_error_of_the_site_has_no_traceback(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*arguments: object, **options: object) -> Built:
        raise SiteError("site: No space left on device; the previous site is untouched")

    monkeypatch.setattr("generator.pipeline.build_site", fail)
    result = _run("build")
    assert result.exit_code == 1
    assert result.stderr == "site: No space left on device; the previous site is untouched\n"
