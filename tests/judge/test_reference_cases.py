"""The 89 runs of the reference, through the product's own records and settings."""

from typing import Any

import pytest

from generator.judge import judge_run
from generator.model.assertions import Assertion
from tests.judge import reference

Dict = dict[str, Any]

DOCUMENT = reference.document()
OUTCOMES = {True: "hit", False: "miss", None: "not_applicable"}


def judged(case: Dict) -> dict[str, Assertion]:
    neutral = case["run"]
    run = reference.run(neutral, reference.DEFAULTS)
    if run is None:
        return {}
    assertions, _ = judge_run(run, reference.setting(case["case"], neutral.get("prompt", "")))
    return assertions


def test_reference_is_whole() -> None:
    assert len(DOCUMENT["cases"]) == 89


@pytest.mark.parametrize("case", DOCUMENT["cases"], ids=lambda case: case["id"])
def test_reference_case(case: Dict) -> None:
    assertions = judged(case)
    expected = case["expected"]
    assert bool(assertions) == expected["valid"]
    if not assertions:
        return
    found = {metric: assertions[metric].outcome for metric in expected["assertions"]}
    assert found == {metric: OUTCOMES[value] for metric, value in expected["assertions"].items()}
    _check_numbers(assertions["numeric_hallucination_rate"].detail, expected.get("numeric", {}), case["run"])
    _check_relation(assertions["call_relation_pass_rate"], expected.get("call_relation", {}))


def _check_numbers(detail: Dict, expected: Dict, run: Dict) -> None:
    for name, value in expected.items():
        if name == "total":
            assert detail["total"] == value
            continue
        assert [span["text"] for span in detail[name]] == value
        assert all(run["answer"][span["start"] : span["end"]] == span["text"] for span in detail[name])


def _check_relation(assertion: Assertion, expected: Dict) -> None:
    for name, value in expected.items():
        if name == "pass":
            assert assertion.outcome == ("hit" if value else "miss")
        else:
            assert assertion.detail[name] == value
