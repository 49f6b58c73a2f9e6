"""The row of a run."""

from generator.model.assertions import measured, miss
from generator.model.rows import Judged
from generator.project.rows import make_row
from tests.project.build import project, run_of


def test_a_row_has_what_later_steps_need() -> None:
    run = run_of(
        state="FAILED",
        reason="max_steps",
        usage={"prompt_tokens": 5, "estimated": True, "cached": True},
        timing={"duration_ms": 10, "authority": "server", "event": "execution", "censored": "saturated"},
    )
    evidence = project(run, {"a": miss(tool="t"), "b": measured(3)})
    row = make_row(run, evidence, "f" * 64, 7)
    assert row.assertions == {"a": Judged("miss"), "b": Judged("value", 3)}
    assert (row.validity, row.reason, row.category, row.line) == ("valid", "max_steps", "basic", 7)
    assert (row.estimated_tokens, row.cached, row.censored) == (True, True, "saturated")
    assert row.time_stratum == "server-execution-failed"
    assert row.evidence_sha256 == "f" * 64


def test_without_records_nothing_is_claimed() -> None:
    run = run_of(case_id="unknown")
    row = make_row(run, project(run), "", 1)
    assert (row.estimated_tokens, row.cached, row.censored, row.time_stratum) == (False, False, "none", "")
    assert row.category == "uncategorised"


def test_requested_values_that_did_not_take_effect_are_named() -> None:
    run = run_of(
        config={
            "requested": {"model": "m-1", "sampling": {"temperature": 0, "seed": 4}, "excluded_tools": ["a"]},
            "effective": {"model": "m-1", "sampling": {"temperature": 0.2}, "excluded_tools": ["a", "b"]},
        }
    )
    row = make_row(run, project(run), "", 1)
    assert row.requested_differs == ["excluded_tools", "sampling.seed", "sampling.temperature"]


def test_unpublished_differences_are_said_but_not_named() -> None:
    run = run_of(config={"requested": {"endpoint": "a", "seed": 1}, "effective": {"endpoint": "b", "seed": 2}})
    row = make_row(run, project(run), "", 1)
    assert row.requested_differs == ["seed", "*"]
