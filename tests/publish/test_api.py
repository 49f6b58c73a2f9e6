import hashlib
import json
import re
from pathlib import Path
from typing import Any

import jsonschema
import msgspec
import pytest

import generator
from generator.judge.details import DETAILS
from generator.model.assertions import Assertion, Attribution
from generator.model.base import Text
from generator.model.batches import (
    PlannedGrid,
    Provenance,
    PublishedAggregate,
    SkippedRun,
    SourceFile,
    Versioned,
    Waiver,
)
from generator.model.claims import KeptDisagreement
from generator.model.contracts import AnswerRule, Clause, Contract, ToolOrder
from generator.model.evidence import EVIDENCE_SCHEMA, Evidence, EvidenceSource
from generator.model.kinds import Mutation, Relation
from generator.model.measured import FieldSeen, Measured
from generator.model.metrics import MeasurementContract, Metric, MetricTable, TableChange
from generator.model.numbers import CaseTest, Counted, Interval, Number, Restated, Sequential, Verdict
from generator.model.profiles import Factor, FactorReasons, Profile
from generator.model.projection import ProjectedField
from generator.model.publication import CoverageSettings, Thresholds
from generator.model.register import (
    Credit,
    EvidenceData,
    EvidenceGroup,
    EvidenceNumber,
    Figure,
    Frequencies,
    Hash,
    MixPart,
)
from generator.model.report import Accounting, Report
from generator.model.rows import ConfigSeen
from generator.project import encode
from generator.publish import api_records as records
from generator.publish.api import api_files
from generator.publish.manifest import make_manifest
from generator.publish.register_api import PublishedClaim, PublishedClaims, PublishedEntry
from generator.publish.schemas import PUBLISHED, SCHEMAS, SOURCE, schema_of, schema_text
from tests.aggregate.build import make_batch, make_row, make_source, report_of
from tests.support import audit_files, profiles
from tests.support import small_definitions as definitions
from tests.support.small_definitions import text
from tests.support.small_source import small_source

Files = dict[str, bytes]

DOCUMENT = Path(__file__).resolve().parents[2] / "docs" / "api.md"
SKIPPED = [SkippedRun(case="safety-01", variant="budgeted", repeat_index=0, reason="token_budget_reached")]


@pytest.fixture(scope="module")
def report() -> Report:
    source = make_source()
    rows = [make_row(sequence, tool_selection_accuracy=True) for sequence in range(1, 7)]
    rows += [make_row(7, "budgeted", "safety-01"), make_row(8, "budgeted", state="INVALID", reason="rate_limited")]
    rows += [make_row(9, run_id="运行/9", tokens=None, key_fact_presence_rate=None)]
    batch = report_of(rows, source, make_batch(skipped=SKIPPED))
    seen = ConfigSeen(variant="full", config_hash="sha256:1", effective={}, first_run="run-001", first_line=1)
    return Report(source=source, batches=[msgspec.structs.replace(batch, configs=[seen])])


@pytest.fixture(scope="module")
def files(report: Report) -> Files:
    return dict(api_files(report, DETAILS))


def load(files: Files, address: str) -> Any:
    return json.loads(files[address])


def schema_for(address: str) -> str:
    """Which schema describes the file at an address."""
    parts = address.removeprefix("api/v1/").split("/")
    return {"batches": "batch"}.get(parts[0], parts[0].removesuffix(".json"))


def test_the_index_leads_to_every_file(files: Files) -> None:
    index = load(files, "api/v1/index.json")
    addresses = index["addresses"]
    named = {addresses["index"], addresses["metrics"], addresses["projection"], *addresses["schemas"].values()}
    for batch in index["batches"]:
        named |= {batch["file"], batch["numbers"], *batch["runsets"]}
    assert named == set(files)
    assert index["generator_version"] == generator.__version__
    assert index["source_hash"] == "0" * 64


def test_every_file_fits_its_published_schema(files: Files) -> None:
    seen = set()
    for address in files:
        if "/schema/" in address:
            jsonschema.Draft202012Validator.check_schema(load(files, address))
            continue
        name = schema_for(address)
        seen.add(name)
        schema = load(files, f"api/v1/schema/{name}.json")
        jsonschema.validate(load(files, address), schema, cls=jsonschema.Draft202012Validator)
    assert seen == {"index", "metrics", "projection", "batch", "numbers", "runsets"}


@pytest.mark.parametrize("field", ["value", "marks", "excluded", "runset"])
def test_the_schema_of_numbers_demands_every_field(files: Files, field: str) -> None:
    numbers = load(files, "api/v1/numbers/ctx-small.json")
    del numbers[0][field]
    with pytest.raises(jsonschema.ValidationError, match=field):
        jsonschema.validate(numbers, load(files, "api/v1/schema/numbers.json"))


def test_numbers_have_the_fields_of_the_record_and_no_fraction(files: Files) -> None:
    numbers = load(files, "api/v1/numbers/ctx-small.json")
    fields = [name for name in Number.__struct_fields__ if name != "exact"]
    assert all(list(number) == fields for number in numbers)
    first = numbers[0]
    assert (first["id"], first["value"], first["numerator"], first["denominator"]) == (
        "ctx-small/full/tool_selection_accuracy",
        0.857142857143,  # 6 of 7
        6,
        7,
    )


def test_a_batch_names_its_numbers_and_runs(files: Files) -> None:
    batch = load(files, "api/v1/batches/ctx-small.json")
    numbers = load(files, "api/v1/numbers/ctx-small.json")
    assert batch["numbers"] == [number["id"] for number in numbers]
    assert [run["sequence"] for run in batch["runs"]] == list(range(1, 10))
    last = batch["runs"][-1]
    assert last["run_id"] == "运行/9"
    assert re.fullmatch(r"runs/ctx-small/9-[0-9a-f]{10}\.json", last["evidence"])
    assert batch["grid"] == {
        "cases": ["basic-01", "basic-02", "safety-01"],
        "variants": ["full", "budgeted"],
        "repeats": 4,
    }
    assert batch["skipped"] == [
        {"case": "safety-01", "variant": "budgeted", "repeat_index": 0, "reason": "token_budget_reached"}
    ]
    assert batch["accounting"]["budgeted"]["invalid"] == {"rate_limited": 1}
    assert batch["variants"][0] == {
        "id": "full",
        "file_name": "full",
        "name": {"zh": "全量", "en": "full"},
        "config_hashes": ["sha256:1"],
        "mutation": None,
        "relation": None,
    }
    assert (batch["baseline"], batch["pass_metric"], batch["threshold"]) == ("full", "call_relation_pass_rate", 5)
    assert (batch["published_since"], batch["executed_on"]) == ("2026-11-25", "2026-11-20")


def test_run_sets_are_filed_by_digit_and_hash_to_their_names(files: Files) -> None:
    found: dict[str, list[str]] = {}
    for address in files:
        if address.startswith("api/v1/runsets/"):
            sets = load(files, address)
            assert {name[3] for name in sets} == {Path(address).stem}
            found |= sets
    for name, ids in found.items():
        assert name == "rs-" + hashlib.sha256("\n".join(ids).encode()).hexdigest()[:16]
    for number in load(files, "api/v1/numbers/ctx-small.json"):
        counted = [*number["excluded"].values(), *([number["missing"]] if number["missing"] else [])]
        for name in (number["runset"], number["numerator_runset"], *(entry["runset"] for entry in counted)):
            assert name is None or name in found


def test_gold_answers_and_values_of_variants_stay_inside(files: Files) -> None:
    everything = b"".join(data for address, data in files.items() if "/schema/" not in address)
    for secret in (b"required_calls", b"expected_tools", b"1199", b"allowed_derived_values"):
        assert secret not in everything
    assert b"A-1 \xe5\xa4\x9a\xe5\xb0\x91\xe9\x92\xb1" in everything  # the public prompt


def test_files_are_the_same_for_every_build(report: Report, files: Files) -> None:
    assert dict(api_files(report, dict(reversed(DETAILS.items())))) == files
    assert all(data.endswith(b"\n") and b"\r" not in data for data in files.values())


def test_an_id_that_utf8_cannot_hold_is_escaped() -> None:
    source = make_source()
    report = Report(source=source, batches=[report_of([make_row(1, run_id="run-\ud800")], source)])
    files = dict(api_files(report, DETAILS))
    assert load(files, "api/v1/batches/ctx-small.json")["runs"][0]["run_id"] == "run-\ud800"


def test_the_table_is_published_whole(files: Files) -> None:
    table = load(files, "api/v1/metrics.json")
    assert [list(metric) for metric in table["metrics"]] == [list(Metric.__struct_fields__)] * len(table["metrics"])
    assert msgspec.convert(table, MetricTable) == make_source().metrics


def test_the_whitelist_names_the_schema_of_every_detail(files: Files) -> None:
    details = load(files, "api/v1/projection.json")["details"]
    judged = {metric.id for metric in make_source().metrics.metrics if metric.is_judged}
    assert set(details) == judged
    assert all(address in files for address in details.values())


@pytest.mark.parametrize(
    ("metric", "detail", "fits"),
    [
        ("numeric_hallucination_rate", {}, True),
        (
            "numeric_hallucination_rate",
            {"total": 1, "unmatched": [{"text": None, "start": None, "end": None}], "echoed": []},
            True,
        ),
        ("numeric_hallucination_rate", {"total": "1", "unmatched": [], "echoed": []}, False),
        ("avg_turns", {"model_calls": 2, "tool_calls": 1}, True),
        ("avg_turns", {"model_calls": 2}, False),
    ],
)
def test_schemas_of_details(files: Files, metric: str, detail: dict[str, Any], fits: bool) -> None:
    schema = load(files, f"api/v1/schema/detail-{metric}.json")
    assert jsonschema.Draft202012Validator(schema).is_valid(detail) is fits


def test_evidence_fits_its_schema() -> None:
    evidence = Evidence(
        schema=EVIDENCE_SCHEMA,
        projection_version=1,
        run_id="run-001",
        batch="ctx-small",
        experiment="context-strategy-comparison",
        variant="full",
        case_id="basic-01",
        category="basic",
        repeat_index=0,
        sequence=1,
        state="COMPLETE",
        validity="valid",
        reason=None,
        config={},
        config_hash="sha256:0",
        assertions={"avg_turns": Assertion(outcome="value", value=2), "avg_tokens": Assertion(outcome="value")},
        telemetry={},
        trace=[{"kind": "model"}],
        answer=None,
        attribution=[Attribution(layer="state", metric="call_relation_pass_rate", entries=["step_limit"])],
        source=EvidenceSource(
            file="runs.jsonl", line=1, sha256="0" * 64, withheld=3, redactions={}, config_hash_recomputable=True
        ),
        mode="autonomous",
        source_run_id=None,
    )
    schema = schema_of("evidence")
    jsonschema.validate(json.loads(encode(evidence)), schema)
    assert not jsonschema.Draft202012Validator(schema).is_valid({"run_id": "run-001"})


def test_the_manifest_fits_its_schema(tmp_path: Path) -> None:
    (tmp_path / "index.html").write_text("<!doctype html>", encoding="utf-8", newline="\n")
    made = make_manifest(tmp_path)
    jsonschema.validate(json.loads(made.data), schema_of("manifest"))


def test_source_schemas_take_the_small_source_and_refuse_a_typing_error() -> None:
    source = small_source()
    files: dict[str, Any] = {
        "source-metrics": source.metrics,
        "source-experiments": {"experiments": source.experiments},
        "source-projection": source.projection,
        "source-publication": source.publication,
        "source-redaction": source.redaction,
        "source-cases": definitions.cases()["bank-small"],
        "source-catalog": definitions.catalogs()["shop"],
        "source-fixtures": definitions.fixtures()["shop-data"],
        "source-contract": {
            "id": "own",
            "version": 1,
            "title": text("契约", "Contract"),
            "clauses": [{"id": "few", "text": text("少步", "Few steps"), "at_most_steps": 9}],
        },
        "source-profile": profiles.profile(),
        "source-policy": definitions.policies()["c-1"],
        "source-session": definitions.sessions()["session-small"],
        "source-evidence": audit_files.register(),
        "source-evidence-data": audit_files.data(),
        "source-claims": audit_files.claims(),
        "source-batch": source.batch.head,
        "source-run": source.batch.runs[0],
    }
    assert set(files) == set(SOURCE)
    for name, content in files.items():
        validator = jsonschema.Draft202012Validator(schema_of(name))
        assert list(validator.iter_errors(content)) == []
        if name != "source-run":
            assert not validator.is_valid(content | {"typo": 1})


def test_schemas_print_as_they_are_published(files: Files) -> None:
    for name in SCHEMAS:
        assert schema_text(name).encode() == files[f"api/v1/schema/{name}.json"]
    with pytest.raises(KeyError):
        schema_of("nothing")


DOCUMENTED: tuple[type[msgspec.Struct], ...] = (
    Text,
    records.Index,
    Thresholds,
    CoverageSettings,
    records.IndexedProfile,
    records.TimeSettings,
    records.IndexedExperiment,
    records.IndexedEvidence,
    Credit,
    records.WithdrawnNumber,
    records.IndexedBatch,
    records.Addresses,
    MetricTable,
    TableChange,
    Metric,
    MeasurementContract,
    records.PublishedProjection,
    ProjectedField,
    Profile,
    Factor,
    FactorReasons,
    records.PublishedBatchFile,
    Contract,
    Clause,
    ToolOrder,
    AnswerRule,
    Versioned,
    Provenance,
    SourceFile,
    Waiver,
    PublishedAggregate,
    records.PublishedVariant,
    Mutation,
    Relation,
    records.PublishedCategory,
    records.PublishedCase,
    PlannedGrid,
    SkippedRun,
    Measured,
    FieldSeen,
    Accounting,
    records.PublishedRun,
    Number,
    Counted,
    Interval,
    Verdict,
    CaseTest,
    Sequential,
    Restated,
    Evidence,
    Assertion,
    Attribution,
    EvidenceSource,
    PublishedEntry,
    Hash,
    EvidenceData,
    Figure,
    Frequencies,
    EvidenceGroup,
    EvidenceNumber,
    MixPart,
    PublishedClaims,
    PublishedClaim,
    KeptDisagreement,
    records.PublishedManifest,
    records.ManifestFile,
)


def documented() -> dict[str, list[str]]:
    """Record → fields, as the document has them."""
    sections = re.split(r"^### ", DOCUMENT.read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]
    tables = {}
    for section in sections:
        name, _, body = section.partition("\n")
        tables[name] = re.findall(r"^\| `(\w+)` \|", body.partition("\n## ")[0], flags=re.MULTILINE)
    return tables


def test_the_document_has_every_record_and_field_and_no_other() -> None:
    expected = {
        record.__name__: [name for name in record.__struct_encode_fields__ if (record, name) != (Number, "exact")]
        for record in DOCUMENTED
    }
    assert documented() == expected


def test_every_published_record_is_documented() -> None:
    published = {name for schema in PUBLISHED for name in schema_of(schema).get("$defs", {})}
    assert published == {record.__name__ for record in DOCUMENTED}


def test_every_published_address_is_documented() -> None:
    text = DOCUMENT.read_text(encoding="utf-8")
    for name, (_, title) in PUBLISHED.items():
        assert f"`{title.partition(',')[0]}`" in text
        assert f"`{name}`" in text
