"""The head of a batch, `batch.yaml`, written without a YAML library: block keys, flow values."""

import json

from generator.model.base import Json, Text
from generator.model.cases import CaseBank
from generator.model.experiments import Experiment
from generator.model.schedule import Cell
from generator.sample.batches import SYNTHETIC
from generator.sample.configs import BASE
from generator.sample.runner import RESTRICTED, Bench
from generator.sample.settings import settings_of
from generator.sample.tools import META_TOOL

METRIC_TABLE_VERSION = 1

Own = tuple[str, str, str]
"""Metric, variant, decimal text."""


def head_of(bench: Bench, experiment: Experiment, bank: CaseBank, skipped: list[Cell], own: list[Own]) -> bytes:
    """The bytes of `batch.yaml`. `own` are values that the harness published of the batch itself."""
    spec, variants = bench.spec, [variant.id for variant in experiment.variants]
    cases = [case.id for case in bank.cases if spec.sessions or case.category != "session"]
    head: dict[str, Json] = {
        "id": spec.id,
        "experiment": spec.experiment,
        "executed_on": spec.started_at.date().isoformat(),
        "synthetic": True,
        "metric_table_version": METRIC_TABLE_VERSION,
        "case_bank": {"id": bank.id, "version": bank.version},
        "catalog": {"id": bench.catalog.id, "version": bench.catalog.version},
        "fixtures": {"id": bench.fixtures.id, "version": bench.fixtures.version},
        "judges": {"C-1": 1, "C-2": 1},
        "model": str(BASE["model"]),
        "provenance": {"harness": "zhice-reference-agent", "harness_version": "1"},
        "planned": {"cases": list(cases), "variants": list(variants), "repeats": spec.repeats or experiment.repeats},
        "variant_catalogs": {variant: _tools(bench, variant) for variant in variants},
        "variant_meta_tools": {
            variant: [META_TOOL]
            for variant in variants
            if bench.variants[variant].effective["tool_delivery"] == "search"
        },
        "authorization": {
            "restricted_tools": list(RESTRICTED.restricted_tools),
            "restricted_data": [{"id": datum.id, "values": list(datum.values)} for datum in RESTRICTED.restricted_data],
        },
        "published_aggregates": [
            {"metric": metric, "variant": variant, "value": value} for metric, variant, value in own
        ],
        "notes": [_text(SYNTHETIC), *map(_text, spec.notes)],
        "skipped": [
            {"case": case, "variant": variant, "repeat_index": repeat_index, "reason": "token_budget"}
            for case, variant, repeat_index in skipped
        ],
    }
    lines = [line for key, value in head.items() if value not in ([], {}) for line in _block(key, value)]
    return ("\n".join(lines) + "\n").encode()


def _tools(bench: Bench, variant: str) -> list[Json]:
    excluded = settings_of(bench.variants[variant].effective).excluded
    return [tool.name for tool in bench.catalog.tools if tool.name not in excluded]


def _text(text: Text) -> dict[str, Json]:
    return {"zh": text.zh, "en": text.en}


def _block(key: str, value: Json) -> list[str]:
    """One key: objects and lists of objects in block form, everything inside them in flow form (JSON is YAML)."""
    if isinstance(value, dict):
        return [f"{key}:", *(f"  {name}: {_flow(part)}" for name, part in value.items())]
    if isinstance(value, list):
        return [f"{key}:", *(f"  - {_flow(part)}" for part in value)]
    return [f"{key}: {_flow(value)}"]


def _flow(value: Json) -> str:
    return json.dumps(value, ensure_ascii=False)
