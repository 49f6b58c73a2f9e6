"""A batch report with four variants, whose rows come from a counter hash: plausible, and the same for ever."""

import datetime
import hashlib
from pathlib import Path
from typing import Any

import msgspec
import yaml

from generator.aggregate import aggregate_batch
from generator.model.assertions import Attribution
from generator.model.base import Lang
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

TEXTS = Path(__file__).resolve().parents[2] / "templates" / "texts"
VARIANTS = ("full", "recent-n", "single-summary", "budgeted")
NAMES = {
    "full": ("全量", "Full history"),
    "recent-n": ("最近 N 条", "Most recent N"),
    "single-summary": ("单段摘要", "Single summary"),
    "budgeted": ("预算分配", "Budgeted"),
}
CATEGORIES = {
    "basic": ("基础", "Basic", 4),
    "combination": ("组合", "Combination", 4),
    "multi-tool": ("多工具", "Multi-tool", 6),
    "exception": ("异常", "Exception", 3),
    "safety": ("安全", "Safety", 3),
    "session": ("长会话", "Long session", 3),
}
REPEATS = 3
_RATES = {"full": 0.9, "recent-n": 0.62, "single-summary": 0.75, "budgeted": 0.87}


def texts(lang: Lang) -> dict[str, str]:
    """The texts of a language, flat."""
    flat: dict[str, str] = {}
    for path in sorted((TEXTS / lang).glob("*.yaml")):
        _flatten(yaml.safe_load(path.read_text(encoding="utf-8")), path.stem, flat)
    return flat


def _flatten(value: Any, prefix: str, flat: dict[str, str]) -> None:
    if isinstance(value, dict):
        for key, inner in value.items():
            _flatten(inner, f"{prefix}.{key}", flat)
    else:
        flat[prefix] = str(value)


def make_source() -> Source:
    names = [{"id": c, "name": {"zh": zh, "en": en}} for c, (zh, en, _) in CATEGORIES.items()]
    cases = [
        {"id": case, "category": category, "title": {"zh": case, "en": case}, "prompt": "…"}
        for case, category in case_categories().items()
    ]
    bank = {"id": "bank", "version": 1, "title": {"zh": "题库", "en": "Bank"}, "categories": names, "cases": cases}
    variants = [{"id": v, "name": {"zh": NAMES[v][0], "en": NAMES[v][1]}, "value": v} for v in VARIANTS]
    experiment = definitions.experiments()[0] | {"variants": variants, "repeats": REPEATS}
    return Source(
        root=Path("source"),
        hash="0" * 64,
        metrics=msgspec.convert(definitions.metrics(), MetricTable),
        experiments={experiment["id"]: msgspec.convert(experiment, Experiment)},
        case_banks={"bank": msgspec.convert(bank, CaseBank)},
        projection=msgspec.convert(definitions.projection(), Projection),
        publication=msgspec.convert(definitions.publication(), Publication),
        redaction=Redaction(version=1, patterns=[]),
        catalogs={},
        fixtures={},
        policies={},
        sessions={},
        batches=[],
    )


def case_categories() -> dict[str, str]:
    return {f"{c}-{n:02}": c for c, (_, _, count) in CATEGORIES.items() for n in range(1, count + 1)}


def make_report(*, empty: bool = False) -> BatchReport:
    """With `empty`, every planned run is missing: there is nothing to draw but the plan."""
    source = make_source()
    cells = [(case, v, r) for case in case_categories() for v in VARIANTS for r in range(REPEATS)]
    skipped = cells if empty else cells[-2:]
    batch = Batch(
        id="ctx-drawn",
        experiment="context-strategy-comparison",
        executed_on=datetime.date(2026, 11, 20),
        metric_table_version=source.metrics.version,
        case_bank=Versioned(id="bank", version=1),
        planned=PlannedGrid(cases=list(case_categories()), variants=list(VARIANTS), repeats=REPEATS),
        provenance=Provenance(harness="by-hand"),
        skipped=[SkippedRun(case=c, variant=v, repeat_index=r, reason="token_budget") for c, v, r in skipped],
    )
    rows = [] if empty else [_row(n, *cell, source) for n, cell in enumerate(cells[:-2])]
    return aggregate_batch(source, batch, rows, [])


def chance(*parts: object) -> float:
    """0–1, from a hash of what it is for."""
    digest = hashlib.sha256(":".join(map(str, parts)).encode()).digest()
    return int.from_bytes(digest[:4], "big") / 2**32


def _row(number: int, case: str, variant: str, repeat: int, source: Source) -> RunRow:
    fate = chance("state", number)
    state: State = "INVALID" if fate < 0.03 else "CANCELLED" if fate < 0.045 else "FAILED" if fate < 0.1 else "COMPLETE"
    judged = _judged(number, variant, source) if VALIDITY[state] == "valid" else {}
    missed = [
        metric for metric, found in judged.items() if metric == "call_relation_pass_rate" and found.outcome == "miss"
    ]
    layers = ("required_call", "dependency", "fact_in_answer", "hallucinated_tool_rate")
    layer = layers[int(chance("layer", number) * len(layers))]
    return RunRow(
        run_id=f"ctx-{number:04}",
        batch="ctx-drawn",
        experiment="context-strategy-comparison",
        variant=variant,
        case_id=case,
        category=case_categories()[case],
        repeat_index=repeat,
        sequence=number,
        state=state,
        validity=VALIDITY[state],
        reason="rate_limited" if state == "INVALID" else "stopped" if state == "CANCELLED" else None,
        config_hash="sha256:0",
        line=number + 1,
        assertions=judged,
        attribution=[Attribution(layer=layer, metric="call_relation_pass_rate", entries=["A"]) for _ in missed],
        requested_differs=[],
        estimated_tokens=False,
        cached=False,
        censored="none",
        time_stratum=f"server-execution-{state.lower()}",
        evidence_sha256="0" * 64,
    )


def _judged(number: int, variant: str, source: Source) -> dict[str, Judged]:
    judged = {}
    for metric in source.metrics.metrics:
        rate = _RATES[variant] if metric.direction == "higher" else (1 - _RATES[variant]) / 3
        if metric.id == "task_pass_rate":
            judged[metric.id] = Judged("not_applicable", None, "not_recorded")
        elif metric.id == "forbidden_fact_leak_rate" and number % 3:
            judged[metric.id] = Judged("not_applicable", None, "no_stale_facts")
        elif metric.aggregate == "proportion":
            judged[metric.id] = Judged("hit" if chance(metric.id, number) < rate else "miss")
    draw = chance("size", number)
    weight = {"full": 9000, "recent-n": 3100, "single-summary": 2700, "budgeted": 4100}[variant]
    judged["avg_tokens"] = Judged("value", round(weight * (0.6 + 0.8 * draw)))
    judged["avg_turns"] = Judged("value", 2 + int(draw * 5))
    duration = round(300 + weight / 4 * (0.2 + 5 * draw**3))
    judged["duration_p50"] = judged["duration_p95"] = Judged("value", duration)
    return judged
