"""A recorder: one run a call, parallel writers, crashes, and a batch that a build takes."""

import json
import multiprocessing
import os
import signal
import threading
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

import runcite
from generator.cli import app
from generator.errors import Refused, SiteError
from generator.pipeline import check_source
from generator.read.yaml_file import load_yaml


def open_recorder(root: Path, **changes: Any) -> runcite.Recorder:
    given: dict[str, Any] = {"batch": "a-batch", "experiment": "an-experiment", "config": {"model": "m"}}
    return runcite.recorder(root, **(given | changes))


def runs_of(root: Path, batch: str = "a-batch") -> list[dict[str, Any]]:
    lines = (root / "batches" / batch / "runs.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def head_of(root: Path, batch: str = "a-batch") -> Any:
    name = f"batches/{batch}/batch.yaml"
    located, findings = load_yaml(name, (root / name).read_bytes())
    assert findings == []
    assert located is not None
    return located.value


def test_an_empty_folder_becomes_a_source_that_builds(tmp_path: Path) -> None:
    with open_recorder(tmp_path / "report", thresholds={"theta": 0.6}, synthetic=True) as recorder:
        for repeat in range(6):
            recorder.run("退款/01", passed=repeat > 0, answer="ok", calls=[{"tool": "get", "result": {"x": {1, 2}}}])
    built = check_source(tmp_path / "report", jobs=1, progress=lambda step: None)
    assert (built.batches, built.runs) == (1, 6)
    assert "  theta: 0.6\n" in (tmp_path / "report" / "publication.yaml").read_text(encoding="utf-8")
    assert [run["repeat_index"] for run in runs_of(tmp_path / "report")] == list(range(6))
    assert [run["extra"]["passed"] for run in runs_of(tmp_path / "report")] == [False] + [True] * 5


def test_a_source_that_is_there_keeps_all_it_has(tmp_path: Path) -> None:
    root = tmp_path / "report"
    for batch in ("first", "second"):
        with open_recorder(root, batch=batch) as recorder:
            recorder.run("a", passed=True)
            recorder.run("b", passed=False)
        if batch == "first":
            before = (root / "experiments.yaml").read_bytes()
    assert (root / "experiments.yaml").read_bytes() == before
    assert sorted(path.name for path in (root / "batches").iterdir()) == ["first", "second"]
    assert [path.name for path in (root / "cases").iterdir()] == ["an-experiment.yaml"]


def test_measure_tells_assertions_from_other_exceptions(tmp_path: Path) -> None:
    with open_recorder(tmp_path) as recorder:
        with recorder.measure("passes") as run:
            run.model(prompt_tokens=3, completion_tokens=4)
            run.model(prompt_tokens=5, completion_tokens=6)
        with recorder.measure("fails"):
            raise AssertionError
        with pytest.raises(KeyError), recorder.measure("breaks"):
            raise KeyError
        with recorder.measure("limited") as run:
            run.invalid("rate_limited")
        with recorder.measure("gave up") as run:
            run.failed("max_steps")
    found = {run["case_id"]: run for run in runs_of(tmp_path)}
    assert {case: (run["state"], run["reason"], run["extra"].get("passed")) for case, run in found.items()} == {
        "passes": ("COMPLETE", None, True),
        "fails": ("FAILED", "assertion_failed", False),
        "breaks": ("INVALID", "harness_error", None),
        "limited": ("INVALID", "rate_limited", None),
        "gave up": ("FAILED", "max_steps", False),
    }
    usage = found["passes"]["usage"]
    assert (usage["prompt_tokens"], usage["completion_tokens"]) == (8, 10)
    assert found["passes"]["timing"]["duration_ms"] >= 0


def test_what_json_has_no_form_for_is_kept_as_text(tmp_path: Path) -> None:
    with open_recorder(tmp_path) as recorder:
        recorder.run("a\ud800", answer="x\udfff", calls=[{"tool": "t", "arguments": {1: float("inf"), "n": 2**70}}])
    (run,) = runs_of(tmp_path)
    assert (run["case_id"], run["answer"]) == ("a⟦U+D800⟧", "x⟦U+DFFF⟧")
    assert run["trace"][0]["arguments"] == {"1": "inf", "n": str(2**70)}


def test_a_plan_leaves_skipped_cells(tmp_path: Path) -> None:
    with open_recorder(tmp_path) as recorder:
        recorder.plan("a", 3)
        recorder.plan("b", 1)
        recorder.run("a", passed=True)
        recorder.omit("a", 2, "out_of_budget")
    skipped = {(cell["case"], cell["repeat_index"]): cell["reason"] for cell in head_of(tmp_path)["skipped"]}
    assert skipped == {
        ("a", 1): "not_run",
        ("a", 2): "out_of_budget",
        ("b", 0): "not_run",
        ("b", 1): "not_planned",
        ("b", 2): "not_planned",
    }


def test_variants_have_their_configurations(tmp_path: Path) -> None:
    configs = {"plain": {"model": "m-1"}, "careful": {"model": "m-2"}}
    with open_recorder(tmp_path, configs=configs, config=None, independent_variable="model") as recorder:
        for variant in configs:
            for _ in range(5):
                recorder.run("a", passed=True, variant=variant)
    assert {run["variant"]: run["config"]["effective"]["model"] for run in runs_of(tmp_path)} == {
        "plain": "m-1",
        "careful": "m-2",
    }


def _write_some(root: Path, number: int, gate: Any) -> None:
    with open_recorder(root) as recorder:
        gate.wait()
        for _ in range(20):
            recorder.run(f"case-{number % 2}", passed=True, answer=str(number))


def test_parallel_processes_and_threads_write_one_batch(tmp_path: Path) -> None:
    context = multiprocessing.get_context("spawn")
    gate = context.Barrier(4)
    processes = [context.Process(target=_write_some, args=(tmp_path, number, gate)) for number in range(4)]
    for process in processes:
        process.start()
    for process in processes:
        process.join()
    assert [process.exitcode for process in processes] == [0, 0, 0, 0]
    runs = runs_of(tmp_path)
    cells = [(run["case_id"], run["repeat_index"]) for run in runs]
    assert sorted(cells) == [(f"case-{number}", repeat) for number in range(2) for repeat in range(40)]

    with open_recorder(tmp_path, batch="threads") as recorder:
        threads = [threading.Thread(target=lambda: recorder.run("t", passed=True)) for _ in range(16)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert sorted(run["repeat_index"] for run in runs_of(tmp_path, "threads")) == list(range(16))


def _die(root: Path) -> None:
    recorder = open_recorder(root).__enter__()
    recorder.plan("a", 4)
    recorder.run("a", passed=True)
    with recorder.measure("a"):
        os.kill(os.getpid(), signal.SIGKILL)


def test_a_killed_process_loses_nothing_that_was_recorded(tmp_path: Path) -> None:
    process = multiprocessing.get_context("spawn").Process(target=_die, args=(tmp_path,))
    process.start()
    process.join()
    assert process.exitcode == -signal.SIGKILL
    assert not (tmp_path / "batches").exists()
    (journal,) = (tmp_path / ".recording" / "a-batch").glob("*.jsonl")
    with journal.open("ab") as stream:
        stream.write(b'{"kind":"ended","key":"cut o')
    result = CliRunner().invoke(app, ["recover", "--source", str(tmp_path), "--batch", "a-batch"])
    assert result.exit_code == 0, result.output
    assert "2 runs" in result.output
    assert "cut off" in result.output
    assert [(run["state"], run["reason"]) for run in runs_of(tmp_path)] == [
        ("COMPLETE", None),
        ("INVALID", "harness_error"),
    ]
    head = head_of(tmp_path)
    assert [cell["reason"] for cell in head["skipped"]] == ["not_run", "not_run"]
    assert head["notes"]
    assert CliRunner().invoke(app, ["recover", "--source", str(tmp_path), "--batch", "a-batch"]).exit_code == 1


def test_an_exception_keeps_what_was_recorded(tmp_path: Path) -> None:
    def interrupted() -> None:
        with open_recorder(tmp_path) as recorder:
            recorder.run("a", passed=True)
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        interrupted()
    assert len(runs_of(tmp_path)) == 1


def test_a_batch_is_never_written_over(tmp_path: Path) -> None:
    with open_recorder(tmp_path) as recorder:
        recorder.run("a", passed=True)
    with pytest.raises(SiteError, match="a-batch is there already"), open_recorder(tmp_path):
        pass


def test_a_folder_of_something_else_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "thesis.txt").write_text("mine", encoding="utf-8")
    with pytest.raises(Refused) as refused, open_recorder(tmp_path) as recorder:
        recorder.run("a", passed=True)
    assert [finding.code for finding in refused.value.findings] == ["RC510"]
    assert list((tmp_path / ".recording" / "a-batch").glob("*.jsonl"))


def test_a_repeat_twice_is_a_finding(tmp_path: Path) -> None:
    recorder = open_recorder(tmp_path).__enter__()
    recorder.run("a", passed=True, repeat=1)
    recorder.run("a", passed=True, repeat=1)
    with pytest.raises(Refused) as refused:
        recorder.close()
    (finding,) = refused.value.findings
    assert (finding.code, finding.found) == ("RC504", "two (case a, variant current, repeat 1)")


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"state": "INVALID", "reason": "no idea"}, "reason: expected one of rate_limited"),
        ({"state": "FAILED"}, "a FAILED run has one"),
        ({"reason": "x"}, "a COMPLETE run has none"),
        ({"calls": [{"name": "t"}]}, "calls: expected tool, arguments, result"),
    ],
)
def test_what_cannot_be_a_run_is_refused_at_once(tmp_path: Path, given: dict[str, Any], message: str) -> None:
    with open_recorder(tmp_path) as recorder:
        with pytest.raises(ValueError, match=message):
            recorder.run("a", **given)
        recorder.run("a", passed=True)


def test_ids_are_plain(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="batch: expected lower case letters"):
        open_recorder(tmp_path, batch="../x")
