"""Turns the neutral shape of `tests/reference/judge_cases.json` into records of the model."""

import datetime
import json
from functools import lru_cache
from pathlib import Path
from typing import Any

import msgspec

from generator.judge import judge_run
from generator.judge.setting import JudgeSetting, make_setting
from generator.model.assertions import Assertion
from generator.model.base import Text
from generator.model.batches import Batch, PlannedGrid, Provenance, Versioned
from generator.model.cases import Case, CaseBank, Category, Gold
from generator.model.experiments import Experiment, Schedule, Variant
from generator.model.metrics import MetricTable
from generator.model.projection import Projection
from generator.model.publication import Publication
from generator.model.runs import Run
from generator.model.source import Source
from generator.model.tools import Policy, Redaction

Dict = dict[str, Any]

FILE = Path(__file__).parents[1] / "reference" / "judge_cases.json"
POLICY_METRICS = {"c1": "high_risk_violation_rate", "c2": "advice_violation_rate"}
GOLD_PARTS = ("expected_tools", "key_facts", "required_items", "allowed_derived_values")


def document() -> Dict:
    content: Dict = json.loads(FILE.read_text(encoding="utf-8"))
    return content


DEFAULTS: Dict = document()["meta"]["defaults"]


def text(words: str) -> Text:
    return Text(zh=words, en=words)


@lru_cache(maxsize=1)
def policies() -> dict[str, Policy]:
    return {
        name: Policy(id=name, version=1, metric=POLICY_METRICS[name], title=text(name), **content)
        for name, content in document()["meta"]["policies"].items()
    }


def gold(case: Dict) -> Gold:
    """The case's gold: the parts keep their names, except that forbidden facts are called stale."""
    parts = {key: case[key] for key in GOLD_PARTS if key in case}
    if "forbidden_facts" in case:
        parts["stale_facts"] = case["forbidden_facts"]
    relation = {key: value for key, value in case.get("call_relation", {}).items() if key != "version"}
    for alternatives in relation.get("acceptable_alternatives", []):
        assert set(alternatives) == {"id", "groups"}
    return msgspec.convert(parts | relation, Gold)


def run(neutral: Dict, defaults: Dict) -> Run | None:
    """The run, or None for a planned cell that never became one."""
    status = neutral.get("status", defaults["run.status"])
    if status == "SKIPPED":
        return None
    record = {
        "run_id": "run",
        "case_id": "case",
        "variant": "variant",
        "repeat_index": 0,
        "sequence": 0,
        "state": status,
        "reason": neutral.get("invalid_reason"),
        "config": {"effective": {}},
        "config_hash": "",
        "mode": neutral.get("mode", defaults["run.mode"]),
        "confirmations": neutral.get("confirmations", []),
        "catalog": neutral.get("catalog", defaults["run.catalog"]),
        "meta_tools": neutral.get("meta_tools", defaults["run.meta_tools"]),
        "authorization": _authorization(neutral.get("authorization")),
        "snapshot": neutral.get("snapshot"),
        "context": _context(neutral.get("context")),
        "trace": _trace(neutral.get("tool_calls", [])),
        "answer": neutral.get("answer", defaults["run.answer"]),
    }
    return msgspec.convert(record, Run)


def setting(case: Dict, prompt: str = "", pass_metric: str = "call_relation_pass_rate") -> JudgeSetting:
    """The setting that the product makes for a source with this one case."""
    return make_setting(source(gold(case), prompt, pass_metric), batch(), "variant", "case")


def batch(**changes: Any) -> Batch:
    head = Batch(
        id="batch",
        experiment="experiment",
        executed_on=datetime.date(2026, 11, 1),
        metric_table_version=1,
        case_bank=Versioned(id="bank", version=1),
        planned=PlannedGrid(cases=["case"], variants=["variant"], repeats=1),
        provenance=Provenance(harness="reference"),
    )
    return msgspec.structs.replace(head, **changes)


def source(gold_of_case: Gold, prompt: str = "", pass_metric: str = "call_relation_pass_rate") -> Source:
    case = Case(id="case", category="basic", title=text("case"), prompt=prompt, gold=gold_of_case)
    bank = CaseBank(
        id="bank",
        version=1,
        title=text("bank"),
        categories=[Category(id="basic", name=text("basic"))],
        cases=[case],
    )
    experiment = Experiment(
        id="experiment",
        title=text("experiment"),
        purpose=text("purpose"),
        independent_variable="x",
        variants=[Variant(id="variant", name=text("variant"))],
        baseline="variant",
        fixed_conditions=[],
        repeats=1,
        schedule=Schedule(method="as_recorded"),
        pass_metric=pass_metric,
    )
    return Source(
        root=Path(),
        hash="",
        metrics=MetricTable(version=1, changes=[], metrics=[]),
        experiments={"experiment": experiment},
        case_banks={"bank": bank},
        projection=Projection(version=1, fields=[]),
        publication=Publication(title=text("title"), summary=text("summary")),
        redaction=Redaction(version=1, patterns=[]),
        catalogs={},
        fixtures={},
        policies=policies(),
        sessions={},
        batches=[],
    )


def judge(case: Dict, neutral: Dict, **changes: Any) -> dict[str, Assertion]:
    """The assertions of a run in the neutral shape; `changes` replace fields of its record."""
    record = run(neutral, DEFAULTS)
    assert record is not None
    return judge_run(msgspec.structs.replace(record, **changes), setting(case, neutral.get("prompt", "")))[0]


def _authorization(neutral: Dict | None) -> Dict | None:
    if neutral is None:
        return None
    granted = [*neutral.get("granted_tools", []), *neutral.get("granted_data", [])]
    return {
        "restricted_tools": neutral.get("restricted_tools", []),
        "restricted_data": neutral.get("restricted_data", []),
        "granted": granted,
    }


def _context(neutral: Dict | None) -> Dict | None:
    if neutral is None:
        return None
    kept = [_entry(item, kept=True) for item in neutral.get("items", [])]
    return {"entries": [*kept, *(_entry(item, kept=False) for item in neutral.get("dropped", []))]}


def _entry(item: Dict, *, kept: bool) -> Dict:
    return {"region" if key == "section" else key: value for key, value in item.items()} | {"kept": kept}


def _trace(calls: list[Dict]) -> list[Dict]:
    """Model entries until the call's turn is reached, then the call."""
    trace: list[Dict] = []
    turn = 0
    for call in calls:
        while turn < call["turn"]:
            trace.append({"kind": "model"})
            turn += 1
        status = call.get("status", "ok")
        trace.append(
            {
                "kind": "tool",
                "tool": call["name"],
                "arguments": call.get("args", {}),
                "status": "error" if status == "unknown_tool" else status,
                "result": call.get("result"),
                "error": call.get("error"),
            }
        )
    return trace
