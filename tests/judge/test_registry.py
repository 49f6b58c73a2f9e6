"""Registry, details, schemas and metric table agree."""

from functools import lru_cache
from pathlib import Path
from typing import Any

import jsonschema
import yaml

from generator.judge import METRICS
from generator.judge.attribution import GUARDS
from generator.judge.details import DETAILS, CallRelationDetail, detail_schema
from generator.judge.fingerprint import FEATURES
from generator.model.assertions import RELATION_LAYERS
from tests.judge import reference
from tests.judge.test_reference_cases import DOCUMENT, judged

TABLE = Path(__file__).parents[2] / "data" / "metrics.yaml"


@lru_cache(maxsize=1)
def table() -> list[dict[str, Any]]:
    content: dict[str, Any] = yaml.safe_load(TABLE.read_text(encoding="utf-8"))
    rows: list[dict[str, Any]] = content["metrics"]
    return rows


def test_every_metric_has_code_and_a_detail() -> None:
    assert list(METRICS) == [row["id"] for row in table() if row["source"] in ("code_assertion", "telemetry")]
    assert METRICS.keys() == DETAILS.keys()


def test_guards_and_layers_name_fields_of_the_details() -> None:
    for metric, (outcome, fields) in GUARDS.items():
        assert set(fields) <= set(DETAILS[metric].__struct_fields__)
        better = next(row["direction"] for row in table() if row["id"] == metric)
        assert outcome == ("hit" if better == "lower" else "miss")
    assert set(RELATION_LAYERS) <= set(CallRelationDetail.__struct_fields__)


def test_details_follow_their_schemas() -> None:
    runs = [judged(case) for case in DOCUMENT["cases"]]
    for metric in METRICS:
        validator = jsonschema.Draft202012Validator(detail_schema(metric))
        for assertions in runs:
            if assertions:
                validator.validate(assertions[metric].detail)
        assert not validator.is_valid({"something": 1})


def test_every_outcome_of_a_valid_run_is_explained() -> None:
    for metric, assertion in reference.judge({}, {}).items():
        if assertion.outcome == "not_applicable" or (assertion.outcome == "value" and assertion.value is None):
            assert assertion.reason, metric
            assert assertion.detail == {}
        else:
            assert (assertion.detail == {}) is (metric in FEATURES)
