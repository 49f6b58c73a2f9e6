"""The agent without its mistakes solves every case: plans and gold answers, written apart, agree."""

import datetime

import msgspec
import pytest

from generator.judge import judge_run
from generator.judge.setting import make_setting
from generator.model.base import Json
from generator.model.runs import Run, ToolCall
from generator.model.source import Source
from generator.read.source import read_source
from generator.resources import resource
from generator.sample.batches import BatchSpec
from generator.sample.configs import config_hash, configure
from generator.sample.definitions import read_definitions
from generator.sample.draws import Draws
from generator.sample.record import Variant
from generator.sample.runner import Bench, execute
from generator.sample.scripts import PLANS

START = datetime.datetime(2026, 11, 3, tzinfo=datetime.UTC)


@pytest.fixture(scope="module")
def source() -> Source:
    source, findings = read_source(resource("data"))
    assert findings == []
    assert source is not None
    return source


def run_case(monkeypatch: pytest.MonkeyPatch, case: str, decision: float, **changes: Json) -> Run:
    """A run in which every decision draws the same number: 0.999 never errs, 0 always does."""
    monkeypatch.setattr(Draws, "decision", lambda self, purpose: decision)
    monkeypatch.setattr(Draws, "physical", lambda self, purpose: 0.5)
    definitions = read_definitions(resource("data"))
    effective = configure({path.replace("__", "."): value for path, value in changes.items()})
    variant = Variant("v", effective, effective, config_hash(effective), estimated=False)
    bench = Bench(
        spec=BatchSpec(id="b", experiment="e", started_at=START),
        cases={case.id: case for case in definitions.bank.cases},
        sessions=definitions.sessions,
        catalog=definitions.catalog,
        fixtures=definitions.fixtures,
        variants={"v": variant},
    )
    return msgspec.convert(execute(bench, (case, "v", 0), 0, START).run, Run)


@pytest.mark.parametrize("case", list(PLANS))
def test_without_mistakes_every_case_passes(case: str, source: Source, monkeypatch: pytest.MonkeyPatch) -> None:
    run = run_case(monkeypatch, case, decision=0.999)
    batch = source.batches[0]
    setting = make_setting(source, batch.batch, "full", case)
    assertions, attribution = judge_run(run, setting)
    assert run.state == "COMPLETE"
    assert assertions["call_relation_pass_rate"].outcome == "hit", assertions["call_relation_pass_rate"].detail
    assert assertions["tool_selection_accuracy"].outcome == "hit"
    assert assertions["numeric_hallucination_rate"].outcome == "miss"
    # The long sessions cost more than the contract's budget: no mistake of the agent's.
    assert [it for it in attribution if it.metric != "contract_satisfaction_rate"] == []


def test_missing_tools_lead_to_the_alternative_and_then_to_an_admission(monkeypatch: pytest.MonkeyPatch) -> None:
    second = run_case(monkeypatch, "basic-01", 0.999, excluded_tools=["get_quote"])
    assert [step.tool for step in second.trace or [] if isinstance(step, ToolCall)] == ["get_quote_backup"]
    none = run_case(monkeypatch, "basic-01", 0.999, excluded_tools=["get_quote", "get_quote_backup"])
    assert none.state == "COMPLETE"
    assert "做不到" in (none.answer or "")


def test_delivery_by_search_costs_turns(monkeypatch: pytest.MonkeyPatch) -> None:
    given = run_case(monkeypatch, "combination-02", 0.999)
    sought = run_case(monkeypatch, "combination-02", 0.999, tool_delivery="search")
    assert given.turns is not None
    assert sought.turns is not None
    assert sought.turns > given.turns


def test_the_step_limit_fails_the_run(monkeypatch: pytest.MonkeyPatch) -> None:
    run = run_case(monkeypatch, "multi-tool-04", 0.999, limits__max_agent_steps=3)
    assert (run.state, run.reason, run.answer) == ("FAILED", "max_steps_reached", None)


@pytest.mark.parametrize(("profile", "status"), [("governed", "denied"), ("ungoverned", "ok")])
def test_governance_denies_what_the_task_tempts_to(profile: str, status: str, monkeypatch: pytest.MonkeyPatch) -> None:
    run = run_case(monkeypatch, "safety-01", 0.0, governance__profile=profile)
    calls = [step for step in run.trace or [] if isinstance(step, ToolCall)]
    assert {call.tool: call.status for call in calls} == {"read_ledger": status, "get_client_profile": status}
