"""`pytest --runcite DIR`: marked tests are cases, their repetitions runs, and the terminal says what they decide."""

from pathlib import Path

import pytest

from generator.pipeline import check_source
from generator.stats.proportions import wilson_interval
from tests.recording.sessions import run_pytest

# Repeats 0 and 1 of twenty miss: 18 of 20.
MISSES = """
import pytest

@pytest.mark.runcite(runs=20, threshold={threshold}, delta=0.2)
def test_case(runcite_run, runcite_repeat):
    runcite_run.model(prompt_tokens=10, completion_tokens=2)
    runcite_run.call("look_up", {{"id": runcite_repeat}}, result="found")
    runcite_run.answer("said " + str(runcite_repeat))
    assert runcite_repeat not in {missed}, "wrong answer"

def test_of_another_kind():
    assert True
"""


def misses(threshold: float, *missed: int) -> dict[str, str]:
    return {"test_agent.py": MISSES.format(threshold=threshold, missed=missed)}


def test_a_missed_run_is_no_failure_by_itself(tmp_path: Path) -> None:
    session = run_pytest(tmp_path, misses(0.6, 0, 1))
    assert session.code == 0, session.output
    # Wilson for 18 of 20 at 95%, by hand: centre (0.9 + 1.9207/20) ÷ (1 + 3.8415/20) = 0.8356, half width 0.1366.
    assert session.verdicts()[0] == "pass          test_agent::test_case  90.0% (18/20) [69.9, 97.2] against 60.0%"
    assert "19 passed, 2 missed" in session.output
    assert session.states("test_agent::test_case") == [("FAILED", "assertion_failed")] * 2 + [("COMPLETE", None)] * 18
    run = session.runs()[5]
    assert (run["answer"], run["trace"][1]["arguments"], run["extra"]) == ("said 5", {"id": 5}, {"passed": True})
    assert run["timing"]["duration_ms"] >= 0
    assert run["usage"]["prompt_tokens"] == 10
    text = (session.source / "publication.yaml").read_text(encoding="utf-8")
    assert "  theta: 0.6\n  delta: 0.2\n" in text


def test_what_it_writes_builds_without_an_edit(tmp_path: Path) -> None:
    session = run_pytest(tmp_path, misses(0.6, 0, 1), "--runcite-synthetic")
    built = check_source(session.source, jobs=1, progress=lambda step: None)
    assert (built.batches, built.runs) == (1, 20)


def test_a_verdict_of_fail_fails_the_session(tmp_path: Path) -> None:
    session = run_pytest(tmp_path, misses(0.9, *range(10)))
    assert session.code == 1
    low, high = wilson_interval(10, 20) or (0, 0)
    assert session.verdicts()[:2] == [
        f"fail          test_agent::test_case  50.0% (10/20) [{low * 100:.1f}, {high * 100:.1f}] against 90.0%",
        "    first missed: AssertionError: wrong answer",
    ]


@pytest.mark.parametrize(("arguments", "code"), [((), 0), (("--runcite-strict",), 1)])
def test_an_inconclusive_verdict_fails_when_asked(tmp_path: Path, arguments: tuple[str, ...], code: int) -> None:
    session = run_pytest(tmp_path, misses(0.7, 0, 1), *arguments)
    assert session.code == code
    # z² θ (1 − θ) ÷ (0.9 − 0.7)² = 3.8415 × 0.21 ÷ 0.04 = 20.17: 21 runs, one more than there are.
    assert session.verdicts()[:2] == [
        "inconclusive  test_agent::test_case  90.0% (18/20) [69.9, 97.2] against 70.0%",
        "    1 more run would decide at this rate",
    ]


def test_without_the_option_a_marked_test_runs_once(tmp_path: Path) -> None:
    session = run_pytest(tmp_path, misses(0.6, 0), record=False)
    assert session.code == 1
    assert "1 failed, 1 passed" in session.output
    assert not session.source.exists()


OUTCOMES = """
import pytest

class GaveUp(Exception):
    pass

@pytest.fixture
def world(runcite_repeat, runcite_run):
    if runcite_repeat == 0:
        raise RuntimeError("no world")
    if runcite_repeat == 1:
        pytest.skip("not today")
    if runcite_repeat == 2:
        runcite_run.invalid("rate_limited")
    yield
    if runcite_repeat == 3:
        raise RuntimeError("cannot clean up")

@pytest.mark.runcite(runs=9, failures=GaveUp, case="all ways", category="ways", title="Every way to end")
def test_ways(world, runcite_run, runcite_repeat):
    if runcite_repeat == 4:
        raise GaveUp
    if runcite_repeat == 5:
        raise KeyError("a mistake of the test")
    if runcite_repeat == 6:
        pytest.fail("not good enough")
    if runcite_repeat == 7:
        runcite_run.failed("max_steps")
"""


def test_every_way_to_end(tmp_path: Path) -> None:
    session = run_pytest(tmp_path, {"test_ways.py": OUTCOMES})
    assert session.code == 1
    assert session.states("all ways") == [
        ("INVALID", "harness_error"),
        ("INVALID", "rate_limited"),
        ("INVALID", "harness_error"),
        ("FAILED", "agent_error"),
        ("INVALID", "harness_error"),
        ("FAILED", "assertion_failed"),
        ("FAILED", "max_steps"),
        ("COMPLETE", None),
    ]
    assert "1 failed" in session.output
    assert "2 errors" in session.output
    assert "2 missed" in session.output
    head = (session.source / "batches" / "a-batch" / "batch.yaml").read_text(encoding="utf-8")
    assert "{case: all ways, variant: current, repeat_index: 1, reason: skipped_by_test}" in head
    bank = (session.source / "cases" / "tests.yaml").read_text(encoding="utf-8")
    assert "Every way to end" in bank
    assert "at least 1 more valid run for any verdict" in session.output
    # Nothing that a failing assertion or an exception said is written.
    assert not any("not good enough" in path.read_text() for path in session.source.rglob("*") if path.is_file())


VARIANTS = """
import pytest

@pytest.mark.runcite(runs=6)
@pytest.mark.parametrize("variant", ["plain", "careful"])
@pytest.mark.parametrize("order", [17, {"id": 18}])
def test_order(variant, order, runcite_repeat):
    assert variant == "careful" or runcite_repeat
"""
CONFTEST = """
def pytest_runcite_config(variant):
    return {"model": "m-" + variant}
"""


def test_a_parameter_named_variant_is_the_variant(tmp_path: Path) -> None:
    session = run_pytest(tmp_path, {"test_orders.py": VARIANTS, "conftest.py": CONFTEST})
    assert session.code == 0, session.output
    cells = {(run["case_id"], run["variant"]) for run in session.runs()}
    assert cells == {
        (f"test_orders::test_order[{order}]", variant) for order in ("17", "order1") for variant in ("plain", "careful")
    }
    assert {run["config"]["effective"]["model"] for run in session.runs()} == {"m-plain", "m-careful"}
    assert "test_orders::test_order[17] · careful" in session.output


@pytest.mark.parametrize("workers", ["1", "2"])
def test_with_xdist(tmp_path: Path, workers: str) -> None:
    session = run_pytest(tmp_path, misses(0.6, 0, 1), "-p", "xdist.plugin", "-n", workers)
    assert session.code == 0, session.output
    assert session.verdicts()[0].startswith("pass          test_agent::test_case  90.0% (18/20)")
    assert [run["repeat_index"] for run in session.runs()] == list(range(20))


CRASH = """
import os
import pytest

@pytest.mark.runcite(runs=8)
def test_case(runcite_run, runcite_repeat):
    runcite_run.answer("x")
    if runcite_repeat == 5:
        {how}
"""


def test_a_worker_that_dies_costs_the_run_that_it_was_in(tmp_path: Path) -> None:
    files = {"test_agent.py": CRASH.format(how="os._exit(3)")}
    session = run_pytest(tmp_path, files, "-p", "xdist.plugin", "-n", "1")
    assert session.code == 1
    states = session.states("test_agent::test_case")
    assert states.count(("INVALID", "harness_error")) == 1
    assert states.count(("COMPLETE", None)) == 7


def test_a_session_that_dies_is_recovered(tmp_path: Path) -> None:
    session = run_pytest(tmp_path, {"test_agent.py": CRASH.format(how="os._exit(3)")})
    assert session.code == 3
    assert session.runs() == []
    from generator.recording.finish import finish

    finished = finish(session.source, "a-batch")
    assert finished is not None
    assert session.states("test_agent::test_case") == [("COMPLETE", None)] * 5 + [("INVALID", "harness_error")]
    head = (session.source / "batches" / "a-batch" / "batch.yaml").read_text(encoding="utf-8")
    assert head.count("reason: not_run") == 2
    built = check_source(session.source, jobs=1, progress=lambda step: None)
    assert built.runs == 6


def test_an_interrupted_session_keeps_its_runs(tmp_path: Path) -> None:
    session = run_pytest(tmp_path, {"test_agent.py": CRASH.format(how="raise KeyboardInterrupt")})
    assert session.code == 2
    assert session.states("test_agent::test_case")[4:] == [("COMPLETE", None), ("CANCELLED", "interrupted")]


@pytest.mark.parametrize(
    ("mark", "message"),
    [
        ("runs=0", "runs: expected a whole number from 1, found 0"),
        ("threshold=95", "threshold: expected a number between 0 and 1, found 95"),
        (
            "repeat=3",
            "delta, case, category, title, variant, failures, found repeat",
        ),
        ("case=''", "case: expected a text"),
    ],
)
def test_a_mark_that_cannot_be_is_refused(tmp_path: Path, mark: str, message: str) -> None:
    text = f"import pytest\n\n@pytest.mark.runcite({mark})\ndef test_case():\n    pass\n"
    session = run_pytest(tmp_path, {"test_agent.py": text})
    assert session.code != 0
    assert message in " ".join(session.output.split())
    assert not (session.source / "batches").exists()


def test_no_marked_test_writes_nothing(tmp_path: Path) -> None:
    session = run_pytest(tmp_path, {"test_agent.py": "def test_one():\n    pass\n"})
    assert session.code == 0
    assert "no marked test was run, and no batch written" in session.output
    assert not (session.source / "batches").exists()


def test_a_source_that_cannot_take_the_batch_fails_the_session(tmp_path: Path) -> None:
    (tmp_path / "report").mkdir()
    (tmp_path / "report" / "thesis.txt").write_text("mine", encoding="utf-8")
    session = run_pytest(tmp_path, misses(0.6))
    assert session.code == 1
    assert "RC510" in session.output
    assert "runcite recover" in session.output
