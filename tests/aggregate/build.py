"""A source and rows for aggregation, made by hand."""

import datetime
from functools import cache
from pathlib import Path
from typing import Any

import msgspec

from generator.aggregate import aggregate_batch
from generator.model.batches import Batch, PlannedGrid, Provenance, SkippedRun, Versioned
from generator.model.cases import CaseBank
from generator.model.experiments import Experiment
from generator.model.metrics import MetricTable
from generator.model.projection import Projection
from generator.model.publication import Publication
from generator.model.report import BatchReport
from generator.model.rows import Judged, RunRow
from generator.model.runs import VALIDITY, State
from generator.model.source import Source
from generator.model.tools import Redaction
from tests.support import small_definitions as definitions

CASES = ("basic-01", "basic-02", "safety-01")
CATEGORIES = {"basic-01": "basic", "basic-02": "basic", "safety-01": "safety"}
STRATUM = "client-execution"


def make_source(**experiment: Any) -> Source:
    """The small source, with the metric table of `data/`; keywords change its first experiment."""
    first, second = definitions.experiments()
    experiments = msgspec.convert([first | experiment, second], list[Experiment])
    banks = msgspec.convert(definitions.cases(), dict[str, CaseBank])
    return Source(
        root=Path("source"),
        hash="0" * 64,
        metrics=msgspec.convert(definitions.metrics(), MetricTable),
        experiments={entry.id: entry for entry in experiments},
        case_banks=banks,
        projection=msgspec.convert(definitions.projection(), Projection),
        publication=msgspec.convert(definitions.publication(), Publication),
        redaction=Redaction(version=1, patterns=[]),
        catalogs={},
        fixtures={},
        policies={},
        sessions={},
        batches=[],
    )


def make_batch(cases: tuple[str, ...] = CASES, repeats: int = 4, skipped: list[SkippedRun] | None = None) -> Batch:
    return Batch(
        id="ctx-small",
        experiment="context-strategy-comparison",
        executed_on=datetime.date(2026, 11, 20),
        metric_table_version=1,
        case_bank=Versioned(id="bank-small", version=1),
        planned=PlannedGrid(cases=list(cases), variants=["full", "budgeted"], repeats=repeats),
        provenance=Provenance(harness="by-hand"),
        skipped=skipped or [],
    )


def make_row(
    sequence: int,
    variant: str = "full",
    case: str = "basic-01",
    state: State = "COMPLETE",
    reason: str | None = None,
    turns: int | None = 2,
    tokens: int | None = 1000,
    duration: float | None = 1500,
    estimated: bool = False,
    cached: bool = False,
    censored: str = "none",
    run_id: str | None = None,
    **assertions: bool | None,
) -> RunRow:
    """A row whose assertions are misses unless a keyword says True (hit), False (miss) or None (not applicable)."""
    validity = VALIDITY[state]
    judged: dict[str, Judged] = {}
    if validity == "valid":
        judged = {metric["id"]: _judged(assertions.get(metric["id"], False)) for metric in _ratios()}
        judged["avg_turns"] = _measured(turns, "trace_not_recorded")
        judged["avg_tokens"] = _measured(tokens, "usage_not_recorded")
        judged["duration_p50"] = judged["duration_p95"] = _measured(duration, "duration_not_recorded")
    return RunRow(
        run_id=run_id or f"run-{sequence:03}",
        batch="ctx-small",
        experiment="context-strategy-comparison",
        variant=variant,
        case_id=case,
        category=CATEGORIES[case],
        repeat_index=0,
        sequence=sequence,
        state=state,
        validity=validity,
        reason=reason,
        config_hash="sha256:0",
        line=sequence,
        assertions=judged,
        attribution=[],
        requested_differs=[],
        estimated_tokens=estimated,
        cached=cached,
        censored=censored,
        time_stratum=f"{STRATUM}-{state.lower()}",
        evidence_sha256="0" * 64,
    )


def report_of(rows: list[RunRow], source: Source | None = None, batch: Batch | None = None) -> BatchReport:
    return aggregate_batch(source or make_source(), batch or make_batch(), rows, [])


@cache
def _ratios() -> list[dict[str, Any]]:
    return [metric for metric in definitions.metrics()["metrics"] if metric["aggregate"] == "proportion"]


def _judged(happened: bool | None) -> Judged:
    return Judged("not_applicable", None, "no_key_facts") if happened is None else Judged("hit" if happened else "miss")


def _measured(value: int | float | None, reason: str) -> Judged:
    return Judged("value", value, reason if value is None else None)
