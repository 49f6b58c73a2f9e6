"""From a source to a site: what is published, what is refused, and what stays as it was."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from generator import judging
from generator.errors import Refused
from generator.pipeline import Built, build_site, check_source
from generator.source import init_source
from generator.verify import verify_site
from tests.support.small_source import BATCH_ID, SmallSource, write_small_source

Edit = Callable[[SmallSource], None]
CANARY = "canary-7f3e9c"


def _build(source: Path, site: Path, jobs: int = 1) -> Built:
    return build_site(source, site, jobs=jobs, export=None, progress=lambda step: None)


def _json(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def small_site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site of the small source, whose private fields, gold answers and raw returns hold a canary."""

    def plant(source: SmallSource) -> None:
        for run in source.batch.runs:
            run["private"] = {"system_prompt": CANARY, "nested": [{CANARY: CANARY}]}
            run["unknown"] = {CANARY: [CANARY]}
        source.gold("basic-01")["key_facts"] = [{"id": "f1", "values": ["88.5", CANARY]}]

    folder = tmp_path_factory.mktemp("small")
    write_small_source(folder / "source", plant)
    _build(folder / "source", folder / "site", jobs=2)
    return folder / "site"


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_batch_with_too_many_findings_is_read_no_further(
    jobs: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(judging, "MAX_FINDINGS", 1000)
    root = write_small_source(tmp_path / "source")
    runs = root / "batches" / BATCH_ID / "runs.jsonl"
    runs.write_bytes(b"{}\n" * 100_000 + runs.read_bytes())
    with pytest.raises(Refused) as refused:
        check_source(root, jobs=jobs, progress=lambda step: None)
    codes = [finding.code for finding in refused.value.findings]
    assert (len(codes), codes.count("RC029"), codes.count("RC025")) == (1001, 1, 1000)


def test_a_batch_that_is_published_twice_is_a_finding(tmp_path: Path) -> None:
    def twice(source: SmallSource) -> None:
        source.publication["published"].append({"batch": BATCH_ID, "since": "2026-11-26"})

    root = write_small_source(tmp_path / "source", twice)
    with pytest.raises(Refused) as refused:
        check_source(root, jobs=1, progress=lambda step: None)
    assert "RC401" in {finding.code for finding in refused.value.findings}


def test_numbers_are_those_counted_by_hand(small_site: Path) -> None:
    numbers = {number["id"]: number for number in _json(small_site / f"api/v1/numbers/{BATCH_ID}.json")}
    expected = {
        "full/call_relation_pass_rate": (8, 11),
        "budgeted/call_relation_pass_rate": (8, 10),
        "full/hallucinated_tool_rate": (0, 11),
        "budgeted/hallucinated_tool_rate": (1, 10),
        "full/unauthorized_leak_rate": (1, 11),
        "budgeted/unauthorized_leak_rate": (0, 10),
    }
    found = {name: numbers[f"{BATCH_ID}/{name}"] for name in expected}
    assert {name: (number["numerator"], number["denominator"]) for name, number in found.items()} == expected
    # 8/10 − 8/11 = 8/110
    difference = numbers[f"{BATCH_ID}/budgeted-vs-full/call_relation_pass_rate"]
    assert difference["value"] == pytest.approx(8 / 110, rel=1e-11)
    assert difference["change"] == "improved"
    assert {
        kind: counted["count"] for kind, counted in found["budgeted/hallucinated_tool_rate"]["excluded"].items()
    } == {"invalid:rate_limited": 1}


def test_every_number_has_its_page_and_every_run_its_evidence(small_site: Path) -> None:
    numbers = _json(small_site / f"api/v1/numbers/{BATCH_ID}.json")
    runs = _json(small_site / f"api/v1/batches/{BATCH_ID}.json")["runs"]
    assert len(runs) == 23
    assert all((small_site / number["page"]).is_file() for number in numbers)
    assert all((small_site / run["page"]).is_file() and (small_site / run["evidence"]).is_file() for run in runs)


def test_what_is_not_on_the_whitelist_is_nowhere_in_the_site(small_site: Path) -> None:
    files = [path for path in small_site.rglob("*") if path.is_file()]
    assert len(files) > 100
    assert [path.name for path in files if CANARY.encode() in path.read_bytes()] == []


def test_the_number_of_processes_does_not_change_a_byte(small_site: Path, tmp_path: Path) -> None:
    source = small_site.parent / "source"
    built = _build(source, tmp_path / "another" / "site", jobs=1)
    assert built.digest == _json(small_site / "manifest.json")["digest"]


def test_check_finds_what_build_finds_and_leaves_nothing(small_site: Path) -> None:
    source = small_site.parent / "source"
    before = sorted(source.parent.iterdir())
    built = check_source(source, jobs=1, progress=lambda step: None)
    assert built.digest == _json(small_site / "manifest.json")["digest"]
    assert sorted(source.parent.iterdir()) == before


def test_an_empty_source_builds(tmp_path: Path) -> None:
    assert init_source(tmp_path / "source") == []
    built = _build(tmp_path / "source", tmp_path / "site")
    assert (built.batches, built.runs, built.numbers) == (0, 0, 0)
    assert verify_site(tmp_path / "site").agrees


def _unknown_variant(source: SmallSource) -> None:
    source.batch.runs[2]["variant"] = "fulll"


def _not_a_number(source: SmallSource) -> None:
    source.batch.runs[5]["timing"]["duration_ms"] = float("nan")


def _unknown_metric(source: SmallSource) -> None:
    source.experiment()["main_metrics"] = ["charm"]


def test_everything_that_is_wrong_is_said_at_once(tmp_path: Path) -> None:
    def edit(source: SmallSource) -> None:
        _unknown_metric(source)
        _unknown_variant(source)
        _not_a_number(source)
        source.batch.runs[7]["config_hash"] = "sha256:00"

    write_small_source(tmp_path / "source", edit)
    with pytest.raises(Refused) as refused:
        check_source(tmp_path / "source", jobs=1, progress=lambda step: None)
    fields = {finding.place.field for finding in refused.value.findings}
    assert fields >= {"experiments[0].main_metrics[0]", "variant", "timing.duration_ms", "config_hash"}


def test_an_aggregate_that_disagrees_with_the_runs_is_refused(tmp_path: Path) -> None:
    def edit(source: SmallSource) -> None:
        source.batch.head["published_aggregates"] = [
            {"metric": "call_relation_pass_rate", "variant": "full", "value": "0.99"},
            {"metric": "call_relation_pass_rate", "variant": "budgeted", "value": "0.8"},
        ]

    write_small_source(tmp_path / "source", edit)
    with pytest.raises(Refused) as refused:
        check_source(tmp_path / "source", jobs=1, progress=lambda step: None)
    (finding,) = refused.value.findings
    assert finding.place.file == f"batches/{BATCH_ID}/batch.yaml"
    assert finding.found == "0.99"
    assert "0.73" in finding.expected
