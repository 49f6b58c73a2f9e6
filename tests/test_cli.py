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
from generator.read.importers import IMPORTERS
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
    assert all(command in done.stdout for command in ("build", "check", "serve", "verify", "init", "import", "schema"))


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


DEFINITIONS = (
    ("metrics.yaml", "metrics[0].decimals"),
    ("experiments.yaml", "experiments[1].baseline"),
    ("cases/bank-small.yaml", "cases[2].category"),
    ("projection.yaml", "fields[4].path"),
    ("publication.yaml", "address"),
    ("redaction.yaml", "patterns[0].pattern"),
    ("catalogs/shop.yaml", "version"),
    ("fixtures/shop-data.yaml", "version"),
    ("policies/c-1.yaml", "metric"),
    ("sessions/session-small.yaml", "version"),
    ("batches/ctx-small/batch.yaml", "planned.variants[1]"),
)
MARK = "charm"


def _mark_definitions(source: SmallSource) -> None:
    """One mistake a file. What is a text is marked, so that its line can be found without a parser."""
    source.metrics["metrics"][0]["decimals"] = 77
    source.experiments[1]["baseline"] = MARK
    source.cases["bank-small"]["cases"][2]["category"] = MARK
    source.projection["fields"][4]["path"] = f"private.{MARK}"
    source.publication["address"] = MARK
    source.redaction["patterns"][0]["pattern"] = f"({MARK}"
    for record in (source.catalogs["shop"], source.fixtures["shop-data"], source.sessions["session-small"]):
        record["version"] = -77
    source.policies["c-1"]["metric"] = MARK
    source.batch.head["planned"]["variants"][1] = MARK


def test_every_finding_about_a_definition_names_its_line_and_field(tmp_path: Path) -> None:
    source = write_small_source(tmp_path / "source", _mark_definitions)
    result = _run("check", "--source", source, "--jobs", "1", "--format", "json")
    places = [finding["place"] for finding in json.loads(result.stdout)["findings"]]
    found = {(place["file"], place["field"]): place["line"] for place in places}
    for file, field in DEFINITIONS:
        lines = (source / file).read_text(encoding="utf-8").splitlines()
        (expected,) = [number for number, line in enumerate(lines, start=1) if MARK in line or "77" in line]
        assert found[file, field] == expected, (file, field)
    assert all(place["line"] for place in places if place["file"].endswith(".yaml") and place["field"])


def test_findings_as_junit(broken: Path) -> None:
    result = _run("check", "--source", broken, "--jobs", "1", "--format", "junit")
    assert result.exit_code == 1
    assert int(ET.fromstring(result.stdout).get("failures") or 0) >= 1


def test_in_github_actions_annotations_join_whatever_is_printed(broken: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    monkeypatch.setenv("GITHUB_WORKSPACE", str(broken.parent))
    result = _run("check", "--source", broken, "--jobs", "1", "--format", "json")
    assert json.loads(result.stdout)["findings"]
    assert "::error file=source/batches/ctx-small/runs.jsonl," in result.stderr
    result = _run("check", "--source", broken, "--jobs", "1", "--format", "github")
    assert result.stdout.startswith("::error file=source/batches/ctx-small/")
    assert "::error" not in result.stderr


def test_in_github_actions_what_is_no_finding_is_an_annotation_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    (tmp_path / "site").touch()
    result = _run("build", "--source", tmp_path, "--site", tmp_path / "site")
    assert "::error title=runcite::" in result.stderr


def test_findings_of_an_import_about_the_source_name_the_line_too(tmp_path: Path) -> None:
    source = tmp_path / "source"
    _run("init", source)
    lines = ["experiments:", "  - id: e", "    title: 5"]
    (source / "experiments.yaml").write_text("\n".join(lines) + "\n", encoding="utf-8")
    file = write_json(tmp_path / "one.json", tau2_file([tau2_simulation()]))
    options = ("--experiment", "e", "--batch", "b", "--source", source, "--format", "json")
    (finding,) = json.loads(_run("import", "tau2-bench", file, *options).stdout)["findings"]
    assert (finding["code"], finding["place"]["file"], finding["place"]["line"]) == ("RC512", "experiments.yaml", 2)


def test_a_source_that_cannot_be_written_is_told_without_a_traceback(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    result = _run("init", tmp_path / "file" / "source")
    assert result.exit_code == 1
    assert "could not be written" in result.stderr
    assert not isinstance(result.exception, OSError)


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


@pytest.mark.parametrize(("place", "found"), [("missing", "found nothing"), ("", "found neither manifest.json nor")])
def test_where_no_site_is_verify_exits_2(tmp_path: Path, place: str, found: str) -> None:
    result = _run("verify", tmp_path / place)
    assert (result.exit_code, result.stdout) == (2, "")
    assert found in result.stderr
    assert len(result.stderr.splitlines()) == 1


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


def test_a_wrong_name_lists_the_options_and_suggests_the_closest() -> None:
    wrong = _run("import", "tau2bench", "f.json", "--experiment", "e", "--batch", "b")
    assert wrong.stderr == (
        f"FORMAT: expected one of {', '.join(sorted(IMPORTERS))}, found tau2bench\n"
        "  did you mean `tau2-bench`? If not, name one of these\n"
    )
    assert "did you mean `source-run`? If not, name one of these" in _run("schema", "source-runs").stderr


def test_every_schema_is_printed() -> None:
    names = _run("schema").stdout.split()
    assert {"batch", "numbers", "source-run"} <= set(names)
    for name in names:
        result = _run("schema", name)
        assert result.exit_code == 0
        assert msgspec.json.decode(result.stdout)


def test_a_format_that_is_not_named_is_told_and_stated(tmp_path: Path) -> None:
    source, files = tmp_path / "source", tmp_path / "files"
    files.mkdir()
    write_json(files / "one.json", tau2_file([tau2_simulation()]))
    assert _run("init", source).exit_code == 0
    options: list[str | Path] = ["--experiment", "e", "--batch", "b", "--source", source]
    result = _run("import", files, *options)
    assert result.exit_code == 0, result.output
    assert result.stderr == "1 file read as tau2-bench, by how it begins\n"
    assert (source / "batches" / "b" / "runs.jsonl").is_file()


def test_a_file_of_no_known_harness_is_a_finding_that_names_it(tmp_path: Path) -> None:
    source = tmp_path / "source"
    assert _run("init", source).exit_code == 0
    file = write_json(tmp_path / "letter.json", {"hello": "world"})
    result = _run("import", file, "--experiment", "e", "--batch", "b", "--source", source, "--format", "json")
    assert result.exit_code == 1
    (finding,) = json.loads(result.stdout)["findings"]
    assert (finding["code"], finding["place"]["file"]) == ("RC513", "letter.json")


def test_a_report_of_files_in_one_command(tmp_path: Path) -> None:
    """Two models, which differ in their user simulator as well: the model is proposed, the rest is said."""
    simulations = [[tau2_simulation(str(task), id=f"{model}-{task}") for task in range(5)] for model in "ab"]
    files = [
        write_json(tmp_path / f"{model}.json", tau2_file(runs, info={"agent_info": {"llm": f"vendor/{model}"}}))
        for model, runs in zip("ab", simulations, strict=True)
    ]
    result = _run("init", tmp_path / "my-report", *files, "--from", "--site", tmp_path / "site")
    assert result.exit_code == 0, result.output
    assert "2 files read as tau2-bench" in result.stderr
    assert "10 runs; compared at model: vendor-a, vendor-b" in result.stdout
    assert (tmp_path / "site" / "experiments" / "my-report" / "my-report-1.html").is_file()
    experiments = (tmp_path / "my-report" / "experiments.yaml").read_text(encoding="utf-8")
    assert "independent_variable: model" in experiments
    assert "#" in experiments


def test_a_report_whose_variants_differ_elsewhere_says_what_to_declare(tmp_path: Path) -> None:
    files = []
    for model, temperature in (("a", 0.0), ("b", 0.1)):
        info = {"agent_info": {"llm": f"vendor/{model}"}, "user_info": {"llm_args": {"temperature": temperature}}}
        runs = [tau2_simulation(str(task), id=f"{model}-{task}") for task in range(5)]
        files.append(write_json(tmp_path / f"{model}.json", tau2_file(runs, info=info)))
    result = _run("init", tmp_path / "my-report", *files, "--from", "--site", tmp_path / "site")
    assert result.exit_code == 1
    assert "the variants differ at user_simulator.temperature as well" in result.stdout
    assert "RC314" in result.stderr
    assert not (tmp_path / "site").exists()


def test_init_takes_one_folder(tmp_path: Path) -> None:
    assert _run("init", tmp_path / "a", tmp_path / "b").exit_code == 2


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
