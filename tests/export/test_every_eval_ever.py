"""A built site as Every Eval Ever: what stands in it, what does not, and the way back."""

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from generator.cli import app
from generator.errors import SiteError
from generator.export import export_every_eval_ever
from tests.compare.build import api_site
from tests.read.importers.support import imported
from tests.support.small_source import SmallSource

REQUIRED = (
    "schema_version",
    "evaluation_id",
    "model_id",
    "evaluation_name",
    "sample_id",
    "interaction_type",
    "input",
    "answer_attribution",
    "evaluation",
)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return api_site(tmp_path_factory.mktemp("site"))


@pytest.fixture(scope="module")
def folder(site: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("exported") / "eee"
    written = export_every_eval_ever(site, made)
    # call_relation_pass_rate of the small source: 8 of 11, and 8 of 10; one cancelled run, one invalid one.
    assert {entry.file: (entry.instances, entry.left_out) for entry in written} == {
        "ctx-small/full.json": (11, 1),
        "ctx-small/budgeted.json": (10, 1),
    }
    return made / "ctx-small"


def aggregate(folder: Path, variant: str) -> dict[str, Any]:
    content: dict[str, Any] = json.loads((folder / f"{variant}.json").read_text(encoding="utf-8"))
    return content


def instances(folder: Path, variant: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (folder / f"{variant}_samples.jsonl").read_text(encoding="utf-8").splitlines()]


def test_the_aggregate_states_the_published_number(folder: Path) -> None:
    content = aggregate(folder, "full")
    (result,) = content["evaluation_results"]
    score = result["score_details"]
    assert score["score"] == pytest.approx(8 / 11)
    assert (score["details"]["numerator"], score["details"]["denominator"]) == ("8", "11")
    assert score["uncertainty"]["confidence_interval"]["method"] == "wilson"
    detailed = content["detailed_evaluation_results"]
    raw = (folder / detailed["file_path"]).read_bytes()
    assert (detailed["checksum"], detailed["total_rows"]) == (hashlib.sha256(raw).hexdigest(), 11)
    assert content["eval_library"]["version"]
    assert content["source_metadata"]["additional_details"]["synthetic"] == "true"


def test_instances_have_what_the_schema_requires(folder: Path) -> None:
    for variant in ("full", "budgeted"):
        for instance in instances(folder, variant):
            assert [name for name in REQUIRED if name not in instance] == []
            assert instance["evaluation_id"] == aggregate(folder, variant)["evaluation_id"]
            agentic = instance["interaction_type"] == "agentic"
            assert (instance["output"] is None, instance["messages"] is None) == (agentic, not agentic)
            for place, message in enumerate(instance["messages"] or []):
                assert message["turn_idx"] == place
                for call in message.get("tool_calls") or []:
                    assert all(isinstance(value, str) for value in (call["arguments"] or {}).values())
            assert all(isinstance(value, str) for value in instance["metadata"].values())
        assert sum(instance["evaluation"]["is_correct"] for instance in instances(folder, variant)) == 8


def test_no_gold_and_no_system_prompt_is_in_it(folder: Path) -> None:
    for instance in instances(folder, "full"):
        assert instance["input"]["reference"] == []
        assert {message["role"] for message in instance["messages"] or []} <= {"assistant", "tool"}


def test_the_way_back_gives_the_same_rate(folder: Path) -> None:
    batch = imported("every-eval-ever", folder / "full_samples.jsonl", folder / "budgeted_samples.jsonl", date=None)
    counts = {
        variant.id: (
            sum(run.extra["passed"] is True for run in batch.runs if run.variant == variant.id),
            sum(run.variant == variant.id for run in batch.runs),
        )
        for variant in batch.experiment.variants
    }
    assert counts == {"full": (8, 11), "budgeted": (8, 10)}
    assert {own.reasons == [] for own in batch.batch.published_aggregates} == {True}


def test_two_exports_are_the_same_bytes(site: Path, folder: Path, tmp_path: Path) -> None:
    export_every_eval_ever(site, tmp_path / "again")
    for path in folder.iterdir():
        assert (tmp_path / "again" / "ctx-small" / path.name).read_bytes() == path.read_bytes()


def _without_valid_runs(source: SmallSource) -> None:
    source.publication["published"] = []


def test_a_site_without_batches(tmp_path: Path) -> None:
    assert export_every_eval_ever(api_site(tmp_path / "site", _without_valid_runs), tmp_path / "eee") == []


def test_what_cannot_be_exported(site: Path, tmp_path: Path) -> None:
    with pytest.raises(SiteError, match="not a file of a built site"):
        export_every_eval_ever(tmp_path, tmp_path / "eee")
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "x").touch()
    with pytest.raises(SiteError, match="expected an empty folder"):
        export_every_eval_ever(site, tmp_path / "full")


def test_the_command(site: Path, tmp_path: Path) -> None:
    result = CliRunner().invoke(app, ["export", "every-eval-ever", str(site), str(tmp_path / "eee")])
    assert result.exit_code == 0, result.output
    assert "11 instances, 1 runs left out" in result.output
    wrong = CliRunner().invoke(app, ["export", "helm", str(site), str(tmp_path / "x")])
    assert (wrong.exit_code, "expected one of every-eval-ever, found helm" in wrong.output) == (2, True)
