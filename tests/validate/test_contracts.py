"""Rules of contracts, each broken by one edit."""

from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.support.checking import findings_of
from tests.support.small_definitions import text
from tests.support.small_source import SmallSource, write_small_source

Dict = dict[str, Any]
FILE = "contracts/own.yaml"
KEPT = {"id": "own", "version": 1, "title": text("契约", "Contract")}


def findings(tmp_path: Path, named: str | None, clauses: list[Dict], **changes: Any) -> list[tuple[str, str]]:
    """Code and place of each finding, for a contract of such clauses and an experiment that names one."""

    def edit(source: SmallSource) -> None:
        source.experiment()["contract"] = named
        written = {**KEPT, "clauses": clauses, **changes}
        source.files[FILE] = yaml.safe_dump(written, allow_unicode=True).encode()

    found = findings_of(write_small_source(tmp_path, edit))
    return [(finding.code, str(finding.place)) for finding in found]


def clause(**form: Any) -> Dict:
    return {"id": "c1", "text": text("条款", "Clause"), **form}


def test_a_contract_that_can_be_kept_and_broken(tmp_path: Path) -> None:
    order = {"tool_order": {"first": ["find"], "then": ["price"]}}
    clauses = [clause(**order), {**clause(answer_must={"lack": ["no"]}), "id": "c2"}]
    assert findings(tmp_path, "own", clauses) == []


def test_the_contract_that_is_named_is_there(tmp_path: Path) -> None:
    found = findings(tmp_path, "owm", [clause(at_most_steps=3)])
    assert found == [("RC126", "experiments.yaml  experiments[0].contract")]


@pytest.mark.parametrize(
    ("form", "code", "field"),
    [
        ({}, "RC127", ""),
        ({"at_most_steps": 3, "at_most_tokens": 3}, "RC127", ""),
        ({"never_call": []}, "RC127", ".never_call"),
        ({"never_call": [" "]}, "RC127", ".never_call"),
        ({"tool_order": {"first": [], "then": ["price"]}}, "RC127", ".tool_order.first"),
        ({"tool_order": {"first": ["find"], "then": []}}, "RC127", ".tool_order.then"),
        ({"answer_must": {}}, "RC127", ".answer_must"),
        ({"answer_must": {"contain": [""]}}, "RC127", ".answer_must.contain"),
        ({"answer_must": {"at_most_characters": -1}}, "RC109", ".answer_must.at_most_characters"),
        ({"at_most_steps": -1}, "RC109", ".at_most_steps"),
        ({"at_most_cost_usd": -0.1}, "RC109", ".at_most_cost_usd"),
    ],
)
def test_a_clause_has_one_form_and_something_to_hold_to(tmp_path: Path, form: Dict, code: str, field: str) -> None:
    assert findings(tmp_path, "own", [clause(**form)]) == [(code, f"{FILE}  clauses[0]{field}")]


def test_ids_versions_and_clauses(tmp_path: Path) -> None:
    twice = [clause(at_most_steps=3), clause(at_most_steps=4)]
    assert findings(tmp_path, "own", twice) == [("RC101", f"{FILE}  clauses[1].id")]
    assert findings(tmp_path, "own", [], version=0) == [
        ("RC127", f"{FILE}  clauses"),
        ("RC108", f"{FILE}  version"),
    ]
