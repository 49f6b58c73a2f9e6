"""Real τ²-bench results from file to site: one experiment for each agent, the policy as what varies."""

import datetime
import hashlib
import json
import re
from pathlib import Path
from typing import Any

import pytest

from generator.errors import Refused
from generator.model.imported import ImportOptions
from generator.pipeline import build_site, check_source
from generator.read.importers import IMPORTERS
from generator.source import init_source, write_import
from generator.verify import verify_site
from tests.support.shared import REAL

FILES = sorted((REAL / "tau2-bench" / "grok_airline_x_policy").glob("*.json"))
AGENTS = ("grok-3", "grok-4")
# Passed of 16, by the table in the raw files: airline, airline_tighter_policy.
PASSED = {"grok-3": (7, 9), "grok-4": (7, 10)}


def _import(source: Path, experiment: str, files: list[Path]) -> None:
    options = ImportOptions(
        experiment=experiment, batch=experiment, variant="environment_info", date=datetime.date(2025, 10, 13)
    )
    imported, findings = IMPORTERS["tau2-bench"](files, options)
    assert findings == []
    assert imported is not None
    assert write_import(source, imported) == []


def _files(agent: str) -> list[Path]:
    return [path for path in FILES if f"llm_agent_{agent}_" in path.name]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("tau2")
    assert init_source(folder / "source") == []
    for agent in AGENTS:
        _import(folder / "source", f"{agent}-policy", _files(agent))
    build_site(folder / "source", folder / "site", jobs=2, export=None, progress=lambda step: None)
    return folder / "site"


def _numbers(site: Path, agent: str) -> dict[str, dict[str, Any]]:
    path = site / "api" / "v1" / "numbers" / f"{agent}-policy.json"
    return {number["id"]: number for number in json.loads(path.read_text(encoding="utf-8"))}


@pytest.mark.parametrize("agent", AGENTS)
def test_passes_are_those_of_the_files(site: Path, agent: str) -> None:
    numbers = _numbers(site, agent)
    for variant, passed in zip(("airline", "airline_tighter_policy"), PASSED[agent], strict=True):
        number = numbers[f"{agent}-policy/{variant}/task_pass_rate"]
        assert (number["numerator"], number["denominator"]) == (passed, 16)
    difference = numbers[f"{agent}-policy/airline_tighter_policy-vs-airline/task_pass_rate"]
    assert difference["value"] == (PASSED[agent][1] - PASSED[agent][0]) / 16
    assert difference["interval"]["method"] == "newcombe"


def test_pass_hat_counts_the_cases_with_enough_trials(site: Path) -> None:
    # Passes of the four tasks of grok-4 under the first policy: 2, 3, 0, 2 of 4 (`real/expected.json`).
    numbers = _numbers(site, "grok-4")
    expected = {1: 7 / 16, 2: (1 / 6 + 3 / 6 + 0 + 1 / 6) / 4, 3: (0 + 1 / 4 + 0 + 0) / 4, 4: 0.0}
    for k, value in expected.items():
        number = numbers[f"grok-4-policy/airline/pass_hat_{k}"]
        assert number["denominator"] == 4
        assert number["value"] == pytest.approx(value, rel=1e-11)


def test_every_number_leads_down_to_its_runs(site: Path) -> None:
    assert verify_site(site).agrees


@pytest.mark.parametrize("agent", AGENTS)
def test_the_policies_differ_by_their_hashes(site: Path, agent: str) -> None:
    """Both policies begin alike, and far behind that they differ."""
    page = (site / "en" / "experiments" / f"{agent}-policy" / f"{agent}-policy.html").read_text(encoding="utf-8")
    comparability = page[page.index('id="differences"') :]
    row = comparability[comparability.index(">environment_info.policy<") :]
    hashes = re.findall(r">(sha256:[0-9a-f]{64})<", row[: row.index("</tr>")])
    expected = [
        hashlib.sha256(_policy(file).encode()).hexdigest()
        for file in sorted(_files(agent), key=lambda file: "tighter" in file.name)
    ]
    assert hashes == [f"sha256:{digest}" for digest in expected]
    assert len(set(hashes)) == 2


def _policy(file: Path) -> str:
    policy = json.loads(file.read_text(encoding="utf-8"))["info"]["environment_info"]["policy"]
    assert isinstance(policy, str)
    return policy


def test_policies_user_scripts_and_gold_answers_are_nowhere(site: Path) -> None:
    private: set[str] = set()
    for path in FILES:
        content = json.loads(path.read_text(encoding="utf-8"))
        policy = content["info"]["environment_info"]["policy"]
        private |= {line.strip() for line in policy.splitlines() if len(line.strip()) > 40}
        private |= set(_long_lines(content["info"]["user_info"]["global_simulation_guidelines"]))
        for task in content["tasks"]:
            private |= set(_long_lines(json.dumps(task["user_scenario"])))
            for text in task["user_scenario"]["instructions"].values():
                private |= set(_long_lines(text or ""))
            private |= set(task["evaluation_criteria"]["nl_assertions"] or [])
    assert len(private) > 100
    published = [
        path.read_text(encoding="utf-8") for path in site.rglob("*") if path.suffix in (".html", ".json", ".js")
    ]
    # A control that is published, so that the search is known to work.
    assert any("get_reservation_details" in text for text in published)
    assert [text[:30] for text in private if any(text in page for page in published)] == []


def _long_lines(text: str) -> list[str]:
    return [line.strip() for line in text.splitlines() if len(line.strip()) > 40]


def _four_files_as_one(source: Path) -> None:
    assert init_source(source) == []
    _import(source, "grok", FILES)


def test_four_files_as_one_experiment_are_refused_by_the_guard(tmp_path: Path) -> None:
    _four_files_as_one(tmp_path)
    with pytest.raises(Refused) as refused:
        check_source(tmp_path, jobs=1, progress=lambda step: None)
    (guard,) = [finding for finding in refused.value.findings if finding.code == "RC314"]
    assert "environment_info" in guard.expected
    assert "model (" in guard.found
    assert "user_simulator.llm (" in guard.found


def test_a_declared_difference_is_accepted_and_stands_on_the_page(tmp_path: Path) -> None:
    _four_files_as_one(tmp_path / "source")
    experiments = tmp_path / "source" / "experiments.yaml"
    reason = "{zh: 两个模型同批比较, en: both models in one batch}"
    declared = "".join(f"\n      - {{path: {path}, reason: {reason}}}" for path in ("model", "user_simulator.llm"))
    text = experiments.read_text(encoding="utf-8")
    experiments.write_text(f"{text.rstrip()}\n    accepted_differences:{declared}\n", encoding="utf-8")
    build_site(tmp_path / "source", tmp_path / "site", jobs=2, export=None, progress=lambda step: None)
    page = (tmp_path / "site" / "en" / "experiments" / "grok" / "grok.html").read_text(encoding="utf-8")
    assert "both models in one batch" in page
    assert "user_simulator.llm" in page
