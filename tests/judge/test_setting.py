"""Where a setting takes its parts from, and in which order."""

from typing import Any

import msgspec
import pytest

from generator.judge import judge_run
from generator.judge.setting import make_setting
from generator.model.assertions import Assertion
from generator.model.base import Text
from generator.model.batches import Batch, Versioned
from generator.model.cases import Dependency, Gold
from generator.model.runs import Authorization, RestrictedDatum
from generator.model.source import Source
from generator.model.tools import Catalog, FixtureSet, Tool
from tests.judge import reference
from tests.judge.reference import DEFAULTS

TITLE = Text(zh="x", en="x")


def source(gold: Gold | None = None) -> Source:
    tools = [Tool(name=name, description=TITLE) for name in ("calc", "get_price")]
    return msgspec.structs.replace(
        reference.source(gold or Gold()),
        catalogs={"tools": Catalog(id="tools", version=1, tools=tools)},
        fixtures={"data": FixtureSet(id="data", version=1, snapshot={"limit": 500})},
    )


def judged(batch: Batch, neutral: dict[str, Any], **changes: Any) -> dict[str, Assertion]:
    record = reference.run(neutral, DEFAULTS)
    assert record is not None
    setting = make_setting(source(), batch, "variant", "case")
    return judge_run(msgspec.structs.replace(record, **changes), setting)[0]


def full_batch(**changes: Any) -> Batch:
    versions = {"catalog": Versioned(id="tools", version=1), "fixtures": Versioned(id="data", version=1)}
    return reference.batch(**(versions | changes))


@pytest.mark.parametrize(
    ("batch", "catalog", "unknown"),
    [
        (full_batch(), msgspec.UNSET, ["search_docs"]),
        (full_batch(variant_catalogs={"variant": ["search_docs"]}), msgspec.UNSET, ["calc"]),
        (full_batch(variant_catalogs={"other": ["search_docs"]}), msgspec.UNSET, ["search_docs"]),
        (full_batch(variant_catalogs={"variant": ["search_docs"]}), [], ["calc", "search_docs"]),
        (full_batch(variant_meta_tools={"variant": ["search_docs"]}), msgspec.UNSET, []),
    ],
)
def test_catalog_of_run_then_variant_then_batch(batch: Batch, catalog: Any, unknown: list[str]) -> None:
    calls = [{"name": name, "turn": 1} for name in ("calc", "search_docs")]
    assertions = judged(batch, {"tool_calls": calls}, catalog=catalog)
    assert assertions["hallucinated_tool_rate"].detail["unknown"] == unknown


def test_snapshot_of_run_then_fixtures() -> None:
    answer = {"answer": "500"}
    assert judged(full_batch(), answer)["numeric_hallucination_rate"].outcome == "miss"
    assert judged(full_batch(), answer, snapshot={})["numeric_hallucination_rate"].outcome == "hit"
    assert judged(full_batch(fixtures=None), answer)["numeric_hallucination_rate"].outcome == "hit"


def test_authorization_of_run_then_batch() -> None:
    batch = full_batch(authorization=Authorization(restricted_data=[RestrictedDatum(id="limit", values=[500])]))
    answer = {"answer": "500"}
    assert judged(batch, answer)["unauthorized_leak_rate"].outcome == "hit"
    assert judged(batch, answer, authorization=Authorization())["unauthorized_leak_rate"].reason == "nothing_restricted"


def test_case_outside_the_bank() -> None:
    record = reference.run({"answer": "3"}, DEFAULTS)
    assert record is not None
    assertions, _ = judge_run(record, make_setting(source(), full_batch(), "variant", "nowhere"))
    reasons = {metric for metric, assertion in assertions.items() if assertion.reason == "case_not_in_bank"}
    assert reasons == {
        "tool_selection_accuracy",
        "required_retention_rate",
        "key_fact_presence_rate",
        "forbidden_fact_leak_rate",
        "call_relation_pass_rate",
    }


def test_no_policies() -> None:
    bare = msgspec.structs.replace(source(), policies={})
    record = reference.run({"answer": "已为您买入"}, DEFAULTS)
    assert record is not None
    assertions, _ = judge_run(record, make_setting(bare, full_batch(), "variant", "case"))
    assert assertions["high_risk_violation_rate"].reason == "no_policy"


def test_a_broken_path_is_no_failure_of_the_run() -> None:
    dependency = msgspec.convert({"id": "D", "from": "A", "from_path": "items", "to": "B", "to_path": "$"}, Dependency)
    with pytest.raises(ValueError, match="a path begins"):
        make_setting(source(Gold(required_dependencies=[dependency])), full_batch(), "variant", "case")
