"""DeepEval: names that repeat, a judge that broke, hyperparameters."""

from pathlib import Path
from typing import Any

import pytest

from generator.model.imported import ImportedBatch
from generator.model.runs import ToolCall
from tests.read.importers.support import imported, refused
from tests.support.foreign import write_json
from tests.support.foreign_others import deepeval_case, deepeval_file

BROKEN = {"name": "Judge", "success": False, "error": "API error: 429", "score": None}
FAILED = {"name": "Right", "success": False, "score": 0.0}


def of(folder: Path, *cases: dict[str, Any], **changes: Any) -> ImportedBatch:
    return imported("deepeval", write_json(folder / "run.json", deepeval_file(*cases, **changes)))


def test_a_test_case(tmp_path: Path) -> None:
    (run,) = of(tmp_path, deepeval_case()).runs
    assert (run.run_id, run.case_id, run.state) == ("a-batch/run/0", "geo/france", "COMPLETE")
    assert run.extra == {"passed": True, "scores": {"Right": 1.0}}
    assert (run.answer, run.turns) == ("Paris", None)
    assert run.trace == [ToolCall(tool="search", arguments={"q": "France"}, result="Paris")]
    assert run.timing is not None
    assert (run.timing.duration_ms, run.config.effective) == (
        842.0,
        {"harness": "deepeval", "model": "m-1", "sampling": {"temperature": 0.5}},
    )


def test_names_that_repeat_are_repeats(tmp_path: Path) -> None:
    cases = [deepeval_case("a"), deepeval_case("b"), deepeval_case("a"), deepeval_case("a", metadata={"repeat": 7})]
    assert [(run.case_id, run.repeat_index) for run in of(tmp_path, *cases).runs] == [
        ("a", 0),
        ("b", 0),
        ("a", 1),
        ("a", 7),
    ]


def test_a_case_without_a_name_is_its_input(tmp_path: Path) -> None:
    runs = of(tmp_path, deepeval_case(name=""), deepeval_case(name="")).runs
    assert runs[0].case_id == runs[1].case_id
    assert runs[0].case_id.startswith("input ")
    path = write_json(tmp_path / "run.json", deepeval_file(deepeval_case(name="", input=None)))
    assert [finding.code for finding in refused("deepeval", path)] == ["RC503"]


@pytest.mark.parametrize(
    ("metrics", "state", "reason"),
    [
        ([BROKEN], "INVALID", "rate_limited"),
        ([BROKEN, {"name": "Right", "success": True, "score": 1.0}], "INVALID", "rate_limited"),
        ([BROKEN, FAILED], "COMPLETE", None),
        ([FAILED], "COMPLETE", None),
    ],
)
def test_a_judge_that_broke_is_not_the_agent(
    tmp_path: Path, metrics: list[dict[str, Any]], state: str, reason: str | None
) -> None:
    batch = of(tmp_path, deepeval_case(success=False, metricsData=metrics))
    assert (batch.runs[0].state, batch.runs[0].reason) == (state, reason)
    (own,) = batch.batch.published_aggregates
    assert (own.numerator, own.denominator, own.reasons) == (0, 1, ["errors_counted"] if state == "INVALID" else [])


def test_a_headline_of_more_runs_than_the_file_holds(tmp_path: Path) -> None:
    (own,) = of(tmp_path, deepeval_case(), testPassed=3, testFailed=1).batch.published_aggregates
    assert (own.value, own.reasons) == ("0.75", ["other_runs"])


def test_another_shape(tmp_path: Path) -> None:
    shapes: list[object] = [{"testCases": {}}, [], {"testCases": [1]}]
    for content in shapes:
        path = write_json(tmp_path / "run.json", content)
        assert [finding.code for finding in refused("deepeval", path)] == ["RC502"]
