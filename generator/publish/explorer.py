"""`explorer/`: what the page of all runs filters and lists, in columns.

Scripts that hand over their data, because a page that was opened from a folder can read nothing else. A batch is cut
into parts, so that the first rows can be shown before the last ones have arrived. All of it stands in the API and the
evidence too; verification makes it once more from there.
"""

import json
from collections.abc import Iterator, Sequence

from generator.model.addresses import file_name
from generator.model.base import Text
from generator.model.metrics import Metric
from generator.model.report import BatchReport, Report
from generator.model.rows import RunRow
from generator.publish.api import title_of

FOLDER = "explorer/"
ROWS_A_PART = 20_000
STATES = {"COMPLETE": "C", "FAILED": "F", "INVALID": "I", "CANCELLED": "X"}
OUTCOMES = {"hit": "h", "miss": "m", "not_applicable": "n"}
NOT_JUDGED = "-"


def explorer_files(report: Report) -> Iterator[tuple[str, bytes]]:
    """Address and bytes of `explorer/index.js` (`runcite.explorer({"batches": […], "metrics": […]})`, newest batch
    first) and of the parts of each batch (`runcite.runs({…})`)."""
    judged = {batch.batch.id: outcome_metrics(batch, report.source.metrics.metrics) for batch in report.batches}
    named = {metric.id: metric for metrics in judged.values() for metric in metrics}
    table = [metric for metric in report.source.metrics.metrics if metric.id in named]
    index = {
        "batches": [_entry(batch) for batch in report.batches],
        "metrics": [{"id": it.id, "name": _both(it.name), "direction": it.direction} for it in table],
    }
    yield f"{FOLDER}index.js", _script("explorer", index)
    for batch in report.batches:
        for part, start in enumerate(_starts(batch), start=1):
            rows = batch.rows[start : start + ROWS_A_PART]
            data = _part(batch, rows, judged[batch.batch.id])
            yield f"{FOLDER}{file_name(batch.batch.id)}/{part}.js", _script("runs", data)


def outcome_metrics(batch: BatchReport, table: Sequence[Metric]) -> list[Metric]:
    """The metrics of which some run of the batch is a hit or a miss, in the order of the table."""
    found = {name for row in batch.rows for name, it in row.assertions.items() if it.outcome in ("hit", "miss")}
    return [metric for metric in table if metric.id in found]


def _starts(batch: BatchReport) -> range:
    return range(0, max(1, len(batch.rows)), ROWS_A_PART)


def _entry(batch: BatchReport) -> dict[str, object]:
    return {
        "id": batch.batch.id,
        "folder": file_name(batch.batch.id),
        "title": _both(title_of(batch)),
        "pass_metric": batch.experiment.pass_metric,
        "parts": len(_starts(batch)),
        "runs": len(batch.rows),
        "variants": [
            {"id": variant.id, "name": _both(variant.name)}
            for variant in batch.experiment.ordered_variants
            if variant.id in batch.batch.planned.variants
        ],
    }


def _part(batch: BatchReport, rows: Sequence[RunRow], metrics: Sequence[Metric]) -> dict[str, object]:
    """Columns of equal length, one entry a row, in executed order. Texts are places in the lists beside them; `files`
    names the pages of the runs whose file name is not their id."""
    variants, cases = _Places(), _Places()
    reasons, categories = _Places(), _Places()
    columns = {
        "variant": [variants.of(row.variant) for row in rows],
        "case": [cases.of(row.case_id) for row in rows],
        "category": [categories.of(row.category) for row in rows],
        "reason": [-1 if row.reason is None else reasons.of(row.reason) for row in rows],
    }
    return {
        "batch": batch.batch.id,
        "run": [row.run_id for row in rows],
        "files": {str(place): name for place, row in enumerate(rows) if (name := file_name(row.run_id)) != row.run_id},
        "lists": {
            "variant": variants.names,
            "case": cases.names,
            "category": categories.names,
            "reason": reasons.names,
        },
        **columns,
        "repeat": [row.repeat_index for row in rows],
        "state": "".join(STATES[row.state] for row in rows),
        "outcomes": {metric.id: "".join(_outcome(row, metric.id) for row in rows) for metric in metrics},
    }


class _Places(dict[str, int]):
    """Places of texts in the order in which they first come."""

    def of(self, text: str) -> int:
        return self.setdefault(text, len(self))

    @property
    def names(self) -> list[str]:
        return list(self)


def _outcome(row: RunRow, metric: str) -> str:
    judged = row.assertions.get(metric)
    return NOT_JUDGED if judged is None else OUTCOMES.get(judged.outcome, NOT_JUDGED)


def _both(text: Text) -> dict[str, str]:
    return {"zh": text.zh, "en": text.en}


def _script(call: str, data: object) -> bytes:
    """ASCII, because an id may hold what no encoding has."""
    return f"runcite.{call}({json.dumps(data, ensure_ascii=True, separators=(',', ':'))});\n".encode()
