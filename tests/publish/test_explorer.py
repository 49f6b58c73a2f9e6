"""The data of the page of all runs, by hand; that they say what the evidence says is a matter of verification."""

import json
from typing import Any

import pytest

from generator.model.report import Report
from generator.publish import explorer
from generator.publish.explorer import explorer_files
from tests.aggregate.build import make_batch, make_row, make_source, report_of


@pytest.fixture
def report() -> Report:
    rows = [
        make_row(1, run_id="a", tool_selection_accuracy=True),
        make_row(2, "budgeted", "safety-01", run_id="运行/2", tool_selection_accuracy=False),
        make_row(3, run_id="c", state="INVALID", reason="rate_limited"),
        make_row(4, run_id="d", tool_selection_accuracy=None),
    ]
    source = make_source()
    return Report(source=source, batches=[report_of(rows, source, make_batch())])


def _data(script: bytes, call: str) -> Any:
    text = script.decode("ascii")
    before, after = f"runcite.{call}(", ");\n"
    assert text.startswith(before)
    assert text.endswith(after)
    return json.loads(text[len(before) : -len(after)])


def test_columns_of_a_batch(report: Report) -> None:
    files = dict(explorer_files(report))
    folder = report.batches[0].batch.id
    assert list(files) == ["explorer/index.js", f"explorer/{folder}/1.js"]
    part = _data(files[f"explorer/{folder}/1.js"], "runs")
    assert part["run"] == ["a", "运行/2", "c", "d"]
    assert list(part["files"]) == ["1"]
    assert [part["lists"]["variant"][place] for place in part["variant"]] == ["full", "budgeted", "full", "full"]
    assert [part["lists"]["case"][place] for place in part["case"]][1] == "safety-01"
    assert (part["lists"]["reason"], part["reason"]) == (["rate_limited"], [-1, -1, 0, -1])
    assert part["state"] == "CCIC"
    assert part["outcomes"]["tool_selection_accuracy"] == "hm-n"


def test_the_index_names_batches_and_the_metrics_that_have_outcomes(report: Report) -> None:
    index = _data(next(data for _, data in explorer_files(report)), "explorer")
    (batch,) = index["batches"]
    assert (batch["parts"], batch["runs"]) == (1, 4)
    assert [variant["id"] for variant in batch["variants"]] == ["full", "budgeted"]
    directions = {metric["id"]: metric["direction"] for metric in index["metrics"]}
    assert (directions["tool_selection_accuracy"], directions["hallucinated_tool_rate"]) == ("higher", "lower")
    assert not {"avg_tokens", "duration_p50", "runs_valid"} & set(directions)


def test_a_batch_is_cut_into_parts(report: Report, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(explorer, "ROWS_A_PART", 3)
    files = list(explorer_files(report))
    assert [_data(data, "runs")["run"] for _, data in files[1:]] == [["a", "运行/2", "c"], ["d"]]
    assert _data(files[0][1], "explorer")["batches"][0]["parts"] == 2
