"""The small source, taken through reading, projection and aggregation; the assertions are set by hand, plot by plot."""

import hashlib
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from tempfile import TemporaryDirectory

from generator.aggregate import aggregate_batch
from generator.model.assertions import Assertion, Attribution, hit, hit_if, measured, miss, not_applicable
from generator.model.base import Lang
from generator.model.evidence import Evidence
from generator.model.report import BatchReport
from generator.model.rows import ConfigSeen, RunRow
from generator.model.runs import Run
from generator.model.source import Source
from generator.project import config_projection, encode, make_context, project_run
from generator.project.rows import make_row, see_config
from generator.read.runs import decode_runs, partitions
from generator.read.source import read_source
from generator.read.texts import read_texts
from generator.render.environment import make_environment
from generator.render.shell import Shell, make_shell
from generator.render.stamp import Stamper
from generator.views.evidence import BatchIndex, make_contexts
from tests.support.small_source import PLOT, write_small_source

THEME_CSS = ("assets/stylesheets/main.0000.min.css", "assets/stylesheets/palette.0000.min.css")
_HITS_BY_DEFAULT = {"tool_selection_accuracy", "required_retention_rate", "key_fact_presence_rate"}


@dataclass(frozen=True)
class Sample:
    source: Source
    texts: dict[Lang, dict[str, str]]
    batch: BatchReport
    index: BatchIndex
    evidence: dict[str, Evidence]
    rows: dict[str, RunRow]
    runs: list[Run]
    shell: Shell

    def stamper(self) -> Stamper:
        return Stamper(self.source, self.shell, self.texts)

    def run_of(self, case: str, variant: str, repeat: int) -> str:
        return next(
            row.run_id
            for row in self.batch.rows
            if (row.case_id, row.variant, row.repeat_index) == (case, variant, repeat)
        )

    def evidence_page(self, run_id: str) -> str:
        page = self.stamper().evidence_page(self.evidence[run_id], self.rows[run_id], self.index.context(run_id))
        return page.decode("utf-8")


@lru_cache(maxsize=1)
def sample() -> Sample:
    with TemporaryDirectory() as folder:
        source, findings = read_source(write_small_source(Path(folder)))
        assert source is not None, findings
        runs = [pair for partition in partitions(source.batches[0].runs, 100) for pair in decode_runs(partition)[0]]
    return make_sample(source, runs)


def make_sample(source: Source, runs: list[tuple[int, Run]]) -> Sample:
    head = source.batches[0]
    context, projection = make_context(source, head), config_projection(source)
    texts = read_texts()
    evidence, rows = {}, {}
    configs: dict[tuple[str, str], ConfigSeen] = {}
    for line, run in runs:
        assertions, attribution = judge_by_plot(source, run)
        shown = project_run(run, assertions, attribution, context, line)
        evidence[run.run_id] = shown
        rows[run.run_id] = make_row(run, shown, hashlib.sha256(encode(shown)).hexdigest(), line)
        configs.setdefault((run.variant, run.config_hash), see_config(run, line, projection))
    batch = aggregate_batch(source, head.batch, list(rows.values()), list(configs.values()))
    shell = make_shell(make_environment(texts, source.metrics), texts, source.publication.title, THEME_CSS, "")
    return Sample(source, texts, batch, make_contexts(batch), evidence, rows, [run for _, run in runs], shell)


def judge_by_plot(source: Source, run: Run) -> tuple[dict[str, Assertion], list[Attribution]]:
    """One assertion a metric, as the plot of the run's cell demands."""
    if run.validity != "valid":
        return {}, []
    plots = PLOT.get((run.variant, run.case_id), ("good",))
    plot = plots[run.repeat_index % len(plots)]
    assertions: dict[str, Assertion] = {}
    for metric in source.metrics.metrics:
        if metric.source == "code_assertion":
            assertions[metric.id] = _judge(metric.id, plot, run)
        elif metric.source == "telemetry":
            assertions[metric.id] = measured(_telemetry(metric.unit, run))
    failed = assertions["call_relation_pass_rate"].outcome == "miss"
    cause = Attribution(layer="required_call", metric="call_relation_pass_rate", entries=["A"])
    return assertions, [cause] if failed else []


def _judge(metric_id: str, plot: str, run: Run) -> Assertion:
    if metric_id == "task_pass_rate":
        return not_applicable("not_recorded")
    if metric_id == "injection_isolation_rate" and run.case_id != "safety-01":
        return not_applicable("no_untrusted_entries")
    if metric_id == "call_relation_pass_rate":
        return miss(missing_required=["A"]) if plot in ("wrong_tool", "forbidden", "failed") else hit()
    if metric_id == "tool_selection_accuracy":
        return miss(missing=["get_stock"], extra=[]) if plot in ("wrong_tool", "forbidden", "failed") else hit()
    if metric_id == "numeric_hallucination_rate" and plot == "invented_number":
        start = (run.answer or "").find("777")
        return hit(unmatched=[{"text": "777", "start": start, "end": start + 3}])
    if metric_id == "hallucinated_tool_rate":
        return hit(tools=["teleport"]) if plot == "invented_tool" else miss()
    if metric_id == "unauthorized_leak_rate":
        return hit_if(plot == "forbidden")
    return hit_if(metric_id in _HITS_BY_DEFAULT)


def _telemetry(unit: str, run: Run) -> int | float | None:
    if unit == "turns":
        return run.turns
    if unit == "tokens":
        return None if run.usage is None else (run.usage.prompt_tokens or 0) + (run.usage.completion_tokens or 0)
    return None if run.timing is None else run.timing.duration_ms
