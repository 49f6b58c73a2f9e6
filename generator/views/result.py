"""The result page of one batch."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from generator.model.addresses import file_name, result_page, variant_name
from generator.model.base import Lang
from generator.model.experiments import Variant
from generator.model.metrics import Metric
from generator.model.numbers import Number
from generator.model.report import Accounting, BatchReport, Report
from generator.views.boundaries import boundary_view
from generator.views.box import box_view, is_of_box
from generator.views.comparability import comparability
from generator.views.failures import EXAMPLES, examples, failure_layers
from generator.views.frame import MetricRow, PageView, main_metrics, metric_row, shown_variants
from generator.views.gate import gate_view
from generator.views.kinds import kind_view
from generator.views.matrix import case_matrix
from generator.views.measured import contract_views
from generator.views.reported import reported_rows
from generator.views.times import time_view
from generator.views.trend import trend

ACCOUNTING = ("planned", "valid", "complete", "failed", "invalid", "cancelled", "skipped")
BAR_PARTS = ("complete", "failed", "invalid", "cancelled", "skipped")


@dataclass(frozen=True)
class BarPart:
    """A stretch of a bar, in hundredths of its length."""

    kind: str
    start: float
    width: float


@dataclass(frozen=True)
class AccountingRow:
    """How the planned runs of a variant ended. `reasons` counts exclusions: keys of `excluded` of the number `of`."""

    variant: Variant
    numbers: Mapping[str, Number | None]
    of: Number | None
    reasons: Mapping[str, Sequence[str]]
    skipped: Mapping[str, int]
    bar: list[BarPart]


@dataclass(frozen=True)
class HashOfVariant:
    variant: Variant
    hashes: list[str]


@dataclass(frozen=True)
class Ended:
    """A way in which runs of the batch ended besides being valid. `key` is that of `excluded`."""

    kind: str
    reason: str

    @property
    def key(self) -> str:
        return f"{self.kind}:{self.reason}"


@dataclass(frozen=True)
class Citation:
    text: str
    bibtex: str


def result_view(report: Report, batch: BatchReport, charts: Sequence[object], lang: Lang) -> PageView:
    table = report.source.metrics.by_id()
    experiment, head = batch.experiment, batch.batch
    rows = metric_rows(batch, report.source.metrics.metrics)
    accounting = accounting_rows(batch)
    context = {
        "report": batch,
        "batch": head,
        "experiment": experiment,
        "variants": shown_variants(batch),
        "since": report.source.publication.since(head.id),
        "citation": citation(report, batch, lang),
        "hashes": hashes_by_variant(batch),
        "min_valid": report.source.min_valid(experiment),
        "accounting": accounting,
        "ended": ended_kinds(accounting),
        "rows": rows,
        "main": {metric.id for metric in main_metrics(batch, table)},
        "charts": [chart for chart in charts if not is_of_box(chart)],
        "box": box_view(report, batch, charts),
        "pass_metric": table[experiment.pass_metric],
        "matrix": case_matrix(report, batch),
        "layers": failure_layers(batch),
        "examples": examples(batch),
        "examples_shown": EXAMPLES,
        "first_page": 1,
        "comparability": comparability(report, batch),
        "kinds": kind_view(batch),
        "gate": gate_view(batch),
        "reported": reported_rows(batch),
        "boundaries": boundary_view(batch, report.source.metrics.metrics),
        "contracts": contract_views(batch, table),
        "times": time_view(batch, report.source.metrics.metrics),
        "trend": trend(report, batch),
    }
    title = f"{experiment.title.in_language(lang)} · {head.id}"
    page = result_page(experiment.id, head.id)
    return PageView(page, "result.md.j2", title, context, head.synthetic, hide=("navigation", "toc"))


def metric_rows(batch: BatchReport, metrics: Sequence[Metric]) -> list[MetricRow]:
    """The main table, in the order of the metric table; what applies to no run comes last, so that it does not stand
    between a reader and the result. Accounting counts have a table of their own, and what is derived stands on the
    statistics page."""
    rows = [metric_row(batch, metric) for metric in metrics if metric.aggregate not in ("count", "derived")]
    return sorted((row for row in rows if row.cells), key=lambda row: not row.applies)


def accounting_rows(batch: BatchReport) -> list[AccountingRow]:
    rows = []
    for variant in shown_variants(batch):
        accounting = batch.accounting[variant.id]
        group = variant_name(variant.id)
        numbers = {name: batch.number(group, f"runs_{name}") for name in ACCOUNTING}
        judged = batch.number(group, batch.experiment.pass_metric)
        keys = [] if judged is None else sorted(judged.excluded)
        reasons = {kind: [key for key in keys if key.startswith(f"{kind}:")] for kind in ("invalid", "cancelled")}
        rows.append(AccountingRow(variant, numbers, judged, reasons, accounting.skipped, accounting_bar(accounting)))
    return rows


def accounting_bar(accounting: Accounting) -> list[BarPart]:
    """The parts of the planned runs, side by side; parts without a run are left out."""
    if accounting.planned == 0:
        return []
    counts = {
        "complete": accounting.complete,
        "failed": accounting.failed,
        "invalid": sum(accounting.invalid.values()),
        "cancelled": sum(accounting.cancelled.values()),
        "skipped": sum(accounting.skipped.values()),
    }
    parts = []
    before = 0
    for kind in BAR_PARTS:
        count = counts[kind]
        if count:
            start, width = (round(100 * part / accounting.planned, 2) for part in (before, count))
            parts.append(BarPart(kind, start, width))
        before += count
    return parts


def hashes_by_variant(batch: BatchReport) -> list[HashOfVariant]:
    """The configuration hashes of each variant, sorted."""
    return [
        HashOfVariant(variant, sorted({seen.config_hash for seen in batch.configs if seen.variant == variant.id}))
        for variant in shown_variants(batch)
    ]


def ended_kinds(rows: Sequence[AccountingRow]) -> list[Ended]:
    """Every kind and reason that some variant has, each once."""
    found: list[Ended] = []
    for kind in ("invalid", "cancelled"):
        keys = sorted({key for row in rows for key in row.reasons[kind]})
        found += [Ended(kind, key.partition(":")[2]) for key in keys]
    return found + [Ended("skipped", reason) for reason in sorted({reason for row in rows for reason in row.skipped})]


def citation(report: Report, batch: BatchReport, lang: Lang) -> Citation:
    """How to cite the batch, as a sentence and as BibTeX."""
    publication, head = report.source.publication, batch.batch
    title = f"{batch.experiment.title.in_language(lang)}: {head.id}"
    author = (publication.publisher or publication.title).in_language(lang)
    date = (publication.since(head.id) or head.executed_on).isoformat()
    page = result_page(batch.experiment.id, head.id)
    address = None if publication.address is None else f"{publication.address.rstrip('/')}/{page}"
    text = " ".join(part for part in (f"{author} ({date}).", f"{title}.", address) if part)
    fields = {"author": f"{{{author}}}", "title": f"{{{title}}}", "date": date, "url": address}
    lines = [f"  {name} = {{{value}}}," for name, value in fields.items() if value is not None]
    return Citation(text, "\n".join([f"@misc{{{file_name(head.id)},", *lines, "}"]))
