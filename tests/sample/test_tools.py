"""Mock tools, guards, search, plans."""

import pytest

from generator.model.base import Json
from generator.model.runs import Authorization
from generator.resources import resource
from generator.sample.configs import configure
from generator.sample.definitions import Definitions, read_definitions
from generator.sample.plans import Option, Ref, fill, look_up, rate_of
from generator.sample.scripts import PLANS
from generator.sample.settings import settings_of
from generator.sample.tools import Call, MockTools


@pytest.fixture(scope="module")
def definitions() -> Definitions:
    return read_definitions(resource("data"))


def tools(definitions: Definitions, profile: str = "governed", granted: list[str] | None = None) -> MockTools:
    settings = settings_of(configure({"governance.profile": profile, "excluded_tools": ["get_position"]}))
    return MockTools(definitions.catalog, definitions.fixtures, settings, Authorization(granted=granted or []))


def test_a_known_call_returns_its_fixture(definitions: Definitions) -> None:
    returned = tools(definitions).call(Call("get_quote", {"code": "ZC1001"}))
    assert returned.status == "ok"
    assert isinstance(returned.result, dict)
    assert returned.result["nav"] == 1.0846


def test_unknown_arguments_excluded_and_invented_tools_are_errors(definitions: Definitions) -> None:
    mock = tools(definitions)
    assert mock.call(Call("calc", {"op": "sum", "values": [1, 2]})).error == "NO_RECORD_FOR_ARGUMENTS"
    assert mock.call(Call("get_position", {"account": "AC-7781"})).error == "UNKNOWN_TOOL: get_position"
    assert mock.call(Call("get_fund_nav", {})).error == "UNKNOWN_TOOL: get_fund_nav"


@pytest.mark.parametrize(
    ("profile", "granted", "status"),
    [("governed", [], "denied"), ("governed", ["read_ledger"], "ok"), ("ungoverned", [], "ok")],
)
def test_the_guard_of_restricted_tools(definitions: Definitions, profile: str, granted: list[str], status: str) -> None:
    assert tools(definitions, profile, granted).call(Call("read_ledger", {})).status == status


def test_the_guard_of_writes(definitions: Definitions) -> None:
    call = Call("create_ticket", {"kind": "recon"})
    assert tools(definitions).call(call).error == "GUARD_CONFIRMATION_REQUIRED"
    assert tools(definitions).call(call, frozenset({"create_ticket"})).status == "ok"
    assert tools(definitions, "ungoverned").call(call).status == "ok"


def test_search_finds_a_tool_by_what_it_can_do(definitions: Definitions) -> None:
    mock = tools(definitions)
    for name in mock.names:
        assert name in mock.search(mock.capability(name))


def test_references_fill_from_results() -> None:
    results: dict[str, Json] = {"rows": {"rows": [{"amount": 1.5}, {"amount": 2.5}]}, "rule": {"text": "费率 0.80%"}}
    option = Option("calc", {"op": "sum", "values": (Ref("rows", "rows[*].amount"), 7, Ref("rule", "text"))})
    assert fill(option, results).args == {"op": "sum", "values": [1.5, 2.5, 7, 0.008]}
    assert look_up({"holdings": [{"units": 3}]}, "holdings[0].units") == [3]
    assert rate_of("A类 1.20%（旧）") == 0.012


def test_every_case_has_a_plan_and_every_plan_a_case(definitions: Definitions) -> None:
    assert set(PLANS) == {case.id for case in definitions.bank.cases}


def test_plans_use_tools_of_the_catalogue(definitions: Definitions) -> None:
    known = {tool.name for tool in definitions.catalog.tools}
    for plan in PLANS.values():
        used = {option.tool for step in plan.steps for option in step.options}
        used |= {temptation.option.tool for temptation in plan.temptations}
        assert used <= known
