"""agentrial: trials that crashed, suites as variants."""

from pathlib import Path

from tests.read.importers.support import imported, refused
from tests.support.foreign import write_json
from tests.support.foreign_others import agentrial_file, agentrial_trial

CRASH = ["Agent exception: 429 rate limited", "Agent failed: 429 rate limited"]


def test_trials(tmp_path: Path) -> None:
    crashed = agentrial_trial(2, False, failures=CRASH, steps=[], tokens=0)
    content = agentrial_file(首都=[agentrial_trial(0), agentrial_trial(1, False), crashed])
    batch = imported("agentrial", write_json(tmp_path / "a.json", content), date=None)
    assert [(run.run_id, run.state, run.reason, run.extra["passed"]) for run in batch.runs] == [
        ("a-batch/a/首都/0", "COMPLETE", None, True),
        ("a-batch/a/首都/1", "COMPLETE", None, False),
        ("a-batch/a/首都/2", "INVALID", "rate_limited", False),
    ]
    first = batch.runs[0]
    assert first.trace is not None
    assert (len(first.trace), first.turns) == (1, None)
    assert first.usage is not None
    assert (first.usage.cost_usd, first.usage.prompt_tokens, first.extra["total_tokens"]) == (0.0003, None, 60)
    (own,) = batch.batch.published_aggregates
    assert (own.name, own.value, own.denominator, own.reasons) == (
        "overall_pass_rate",
        "0.333333333333",
        3,
        ["errors_counted"],
    )


def test_suites_are_variants_and_missing_trials_are_skipped(tmp_path: Path) -> None:
    files = [
        write_json(
            tmp_path / f"{name}.json", agentrial_file(name, x=[agentrial_trial(index) for index in range(count)])
        )
        for name, count in (("alpha", 3), ("beta", 2))
    ]
    batch = imported("agentrial", *files, date=None)
    assert batch.experiment.independent_variable == "suite"
    assert [variant.id for variant in batch.experiment.variants] == ["alpha", "beta"]
    assert [(cell.variant, cell.repeat_index, cell.reason) for cell in batch.batch.skipped] == [("beta", 2, "not_run")]


def test_another_shape(tmp_path: Path) -> None:
    path = write_json(tmp_path / "a.json", {"results": [{"x": 1}]})
    assert [finding.code for finding in refused("agentrial", path)] == ["RC502"]
    path = write_json(tmp_path / "a.json", {"results": [{"test_case": {}, "trials": []}]})
    assert [finding.code for finding in refused("agentrial", path)] == ["RC503"]
