"""The registered templates, and the page of each."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from generator.model.addresses import experiment_page
from generator.model.base import Lang
from generator.model.experiments import Experiment
from generator.model.report import BatchReport, Report
from generator.views.configuration import ValueRow, variant_values
from generator.views.frame import PageView
from generator.views.home import HomeBatch, home_batch
from generator.views.trend import trend

State = Literal["published", "unpublished", "private"]


@dataclass(frozen=True)
class ExperimentEntry:
    experiment: Experiment
    state: State
    batches: list[BatchReport]
    page: str


def experiment_entries(report: Report) -> list[ExperimentEntry]:
    """In registered order. A private experiment stays private whatever was published of it."""
    entries = []
    for experiment in report.source.experiments.values():
        batches = [batch for batch in report.batches if batch.experiment.id == experiment.id]
        private = experiment.visibility == "private"
        state: State = "private" if private else "published" if batches else "unpublished"
        entries.append(ExperimentEntry(experiment, state, [] if private else batches, experiment_page(experiment.id)))
    return entries


def experiments_view(report: Report, title: str) -> PageView:
    context = {"entries": experiment_entries(report)}
    return PageView("experiments/index.html", "experiments.md.j2", title, context, hide=("navigation", "toc"))


def experiment_views(report: Report, lang: Lang) -> Iterator[PageView]:
    """One page a template. Only a published one holds quantities."""
    for entry in experiment_entries(report):
        values: list[ValueRow] = variant_values(entry.experiment, report.declared.get(entry.experiment.id, {}))
        batches: list[HomeBatch] = [home_batch(batch, report) for batch in entry.batches]
        context = {
            "entry": entry,
            "experiment": entry.experiment,
            "values": values,
            "batches": batches,
            "min_valid": report.source.min_valid(entry.experiment),
            "trend": trend(report, entry.batches[0]) if entry.batches else None,
        }
        banner = any(batch.batch.synthetic for batch in entry.batches)
        title = entry.experiment.title.in_language(lang)
        yield PageView(entry.page, "experiment.md.j2", title, context, banner)
