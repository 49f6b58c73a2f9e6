"""The small source as a report, and changes of it."""

import msgspec

from generator.model.experiments import Experiment
from generator.model.report import BatchReport, Report
from generator.project import publish_declared_values
from tests.render.sample import sample

EXPERIMENT = "context-strategy-comparison"
UNPUBLISHED = "temperature-stability"


def small_report() -> Report:
    made = sample()
    declared = publish_declared_values(made.source)
    return Report(source=made.source, batches=[made.batch], declared=declared)


def small_batch() -> BatchReport:
    return sample().batch


def empty_report() -> Report:
    return msgspec.structs.replace(small_report(), batches=[])


def with_experiment(report: Report, experiment: Experiment) -> Report:
    """The report with one template, and the batches made of it, exchanged."""
    experiments = {**report.source.experiments, experiment.id: experiment}
    batches = [
        msgspec.structs.replace(batch, experiment=experiment) if batch.experiment.id == experiment.id else batch
        for batch in report.batches
    ]
    source = msgspec.structs.replace(report.source, experiments=experiments)
    return Report(source=source, batches=batches, declared=publish_declared_values(source))
