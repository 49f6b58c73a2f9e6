"""The levels of a decision: those of the policy, where it is silent those of the publication."""

from dataclasses import dataclass
from fractions import Fraction

from generator.model.experiments import Experiment
from generator.model.formatting import exact
from generator.model.gate import GateMeasure, GateMetric, GatePolicy
from generator.model.publication import Thresholds
from generator.stats.proportions import IntervalMethod


@dataclass(frozen=True, slots=True)
class Levels:
    """`alpha`, `beta`, theta and delta as configured; `min_runs` judged ones make a verdict against theta."""

    alpha: float
    beta: float
    interval: IntervalMethod
    min_runs: int
    metrics: tuple[GateMeasure, ...]

    @property
    def coverage_of_intervals(self) -> Fraction:
        return 1 - exact(self.alpha)


def make_levels(policy: GatePolicy, thresholds: Thresholds, experiment: Experiment, *, against_theta: bool) -> Levels:
    """A metric has the one of theta and delta that is used."""
    listed = policy.metrics or [GateMetric(id=experiment.pass_metric)]
    return Levels(
        alpha=_first(policy.alpha, thresholds.alpha),
        beta=_first(policy.beta, thresholds.beta),
        interval=policy.interval or thresholds.interval,
        min_runs=thresholds.min_valid_per_group if policy.min_runs is None else policy.min_runs,
        metrics=tuple(
            GateMeasure(
                id=metric.id,
                theta=_first(metric.theta, policy.theta, thresholds.theta) if against_theta else None,
                delta=None if against_theta else _first(metric.delta, policy.delta, thresholds.delta),
            )
            for metric in listed
        ),
    )


def _first(*values: float | None) -> float:
    """The first that is given; the last always is."""
    return next(value for value in values if value is not None)
