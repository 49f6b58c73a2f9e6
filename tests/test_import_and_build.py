"""Result files of τ²-bench, of our own making, from `import` to a verified site."""

import datetime
import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from generator.cli import app
from generator.errors import Refused
from generator.model.imported import ImportOptions
from generator.pipeline import build_site, check_source
from generator.read.importers import IMPORTERS
from generator.source import init_source, write_import
from tests.support.foreign import tau2_file, tau2_simulation, tau_record, write_json

# Rewards of the four trials of two tasks, under each policy.
REWARDS = {
    "loose": {"0": [1.0, 1.0, 0.0, 1.0], "1": [0.0, 0.0, 0.5, 1.0]},
    "tight": {"0": [1.0, 1.0, 1.0, 1.0], "1": [1.0, 0.0, 0.0, 0.0]},
}


def _files(folder: Path, **agent: str) -> list[Path]:
    folder.mkdir(exist_ok=True)
    return [
        write_json(
            folder / f"{domain}.json",
            tau2_file(
                [
                    tau2_simulation(task, trial, reward, id=f"{domain}-{task}-{trial}-{agent.get('llm', '')}")
                    for task, rewards in tasks.items()
                    for trial, reward in enumerate(rewards)
                ],
                info={
                    "num_trials": 4,
                    "environment_info": {"domain_name": domain, "policy": f"SECRET-POLICY {domain} " * 30},
                    "agent_info": agent,
                },
            ),
        )
        for domain, tasks in REWARDS.items()
    ]


def _import(source: Path, files: list[Path]) -> None:
    options = ImportOptions(
        experiment="policy", batch="policy-1", variant="environment_info", date=datetime.date(2026, 5, 6)
    )
    imported, findings = IMPORTERS["tau2-bench"](files, options)
    assert findings == []
    assert imported is not None
    assert write_import(source, imported) == []


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("imported")
    assert init_source(folder / "source") == []
    _import(folder / "source", _files(folder / "files"))
    build_site(folder / "source", folder / "site", jobs=1, export=None, progress=lambda step: None)
    return folder / "site"


def _number(site: Path, name: str) -> dict[str, Any]:
    path = site / "api" / "v1" / "numbers" / "policy-1.json"
    numbers = {number["id"]: number for number in json.loads(path.read_text(encoding="utf-8"))}
    found: dict[str, Any] = numbers[f"policy-1/{name}"]
    return found


def test_a_reward_of_one_is_a_pass_and_nothing_less(site: Path) -> None:
    loose, tight = (_number(site, f"{variant}/task_pass_rate") for variant in ("loose", "tight"))
    assert (loose["numerator"], loose["denominator"]) == (4, 8)
    assert (tight["numerator"], tight["denominator"]) == (5, 8)
    difference = _number(site, "tight-vs-loose/task_pass_rate")
    assert difference["value"] == 0.125
    # Newcombe's method 10 by hand from Wilson (0.2152, 0.7848) and (0.3057, 0.8632).
    assert difference["interval"]["low"] == pytest.approx(0.125 - (0.3193**2 + 0.2848**2) ** 0.5, abs=2e-4)
    assert difference["interval"]["high"] == pytest.approx(0.125 + (0.2382**2 + 0.2848**2) ** 0.5, abs=2e-4)


@pytest.mark.parametrize(
    ("k", "loose", "tight"),
    [
        # Passed of 4: loose 3 and 1, tight 4 and 1. C(c, k) / C(4, k), mean of two tasks.
        (1, (3 / 4 + 1 / 4) / 2, (1 + 1 / 4) / 2),
        (2, (3 / 6 + 0) / 2, (1 + 0) / 2),
        (3, (1 / 4 + 0) / 2, (1 + 0) / 2),
        (4, 0.0, (1 + 0) / 2),
    ],
)
def test_pass_hat_of_two_tasks(site: Path, k: int, loose: float, tight: float) -> None:
    for variant, expected in (("loose", loose), ("tight", tight)):
        number = _number(site, f"{variant}/pass_hat_{k}")
        assert (number["value"], number["denominator"]) == (pytest.approx(expected), 2)


def test_nothing_private_of_the_harness_is_in_the_site(site: Path) -> None:
    texts = {path: path.read_text(encoding="utf-8") for path in site.rglob("*") if path.suffix in (".html", ".json")}
    assert any("get_booking" in text for text in texts.values())
    assert [path.name for path, text in texts.items() if "SECRET-" in text] == []


def test_what_else_differs_is_named_and_may_be_accepted(tmp_path: Path) -> None:
    source = tmp_path / "source"
    assert init_source(source) == []
    files = _files(tmp_path / "a", llm="vendor/model-1") + _files(tmp_path / "b", llm="vendor/model-2")
    for number, path in enumerate(files):
        files[number] = path.rename(path.with_name(f"{path.parent.name}-{path.name}"))
    _import(source, files)
    with pytest.raises(Refused) as refused:
        check_source(source, jobs=1, progress=lambda step: None)
    (guard,) = [finding for finding in refused.value.findings if finding.code == "RC314"]
    assert "`environment_info`" in guard.expected
    assert guard.found.startswith("model (")
    experiments = source / "experiments.yaml"
    declared = "    accepted_differences: [{path: model, reason: {zh: 两个模型, en: Two models}}]\n"
    experiments.write_text(experiments.read_text(encoding="utf-8").rstrip() + "\n" + declared, encoding="utf-8")
    check_source(source, jobs=1, progress=lambda step: None)


def _command(*arguments: str | Path) -> Result:
    return CliRunner().invoke(app, [str(argument) for argument in arguments])


def _content(root: Path) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in root.rglob("*") if path.is_file()}


def test_the_next_release_of_a_harness_without_ids_imports_and_builds(tmp_path: Path) -> None:
    source = tmp_path / "source"
    assert init_source(source) == []
    for batch, reward in (("may", 0.0), ("june", 1.0)):
        file = write_json(tmp_path / "results.json", [tau_record(task, 0, reward) for task in range(5)])
        options = ("--experiment", f"e-{batch}", "--batch", batch, "--date", "2026-05-06", "--source", source)
        done = _command("import", "tau-bench", file, *options)
        assert done.exit_code == 0, done.output
    check_source(source, jobs=1, progress=lambda step: None)


def test_runs_of_another_batch_are_refused_and_the_source_stays_as_it_is(tmp_path: Path) -> None:
    source = tmp_path / "source"
    assert init_source(source) == []
    _import(source, _files(tmp_path / "files"))
    before = _content(source)
    options = ("--experiment", "again", "--batch", "again", "--source", source, "--format", "json")
    done = _command("import", "tau2-bench", tmp_path / "files" / "tight.json", *options)
    assert done.exit_code == 1
    (finding,) = json.loads(done.stdout)["findings"]
    assert (finding["code"], finding["place"]["file"]) == ("RC312", "batches/policy-1/runs.jsonl")
    assert finding["found"] == "8 of the 8 runs to import, in batch `policy-1` already; this is the first"
    assert _content(source) == before
    check_source(source, jobs=1, progress=lambda step: None)
