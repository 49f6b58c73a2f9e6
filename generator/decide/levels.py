"""The levels of a decision: those of the policy, where it is silent those of the publication."""

from dataclasses import dataclass
from fractions import Fraction

from generator.model.experiments import Experiment
from generator.model.formatting import exact
from generator.model.gate import GateMetric, GatePolicy
from generator.model.publication import Thresholds
from generator.stats.proportions import IntervalMethod


@dataclass(frozen=True, slots=True)
class Levels:
    """`alpha`, `beta` as configured; `metrics` with theta and delta filled in where there is one."""

    alpha: float
    beta: float
    interval: IntervalMethod
    metrics: tuple[GateMetric, ...]

    @property
    def coverage_of_intervals(self) -> Fraction:
        return 1 - exact(self.alpha)


def make_levels(policy: GatePolicy, thresholds: Thresholds, experiment: Experiment) -> Levels:
    listed = policy.metrics or [GateMetric(id=experiment.pass_metric)]
    return Levels(
        alpha=_first(policy.alpha, thresholds.alpha),
        beta=_first(policy.beta, thresholds.beta),
        interval=policy.interval or thresholds.interval,
        metrics=tuple(
            GateMetric(
                id=metric.id,
                theta=_first(metric.theta, policy.theta, thresholds.theta),
                delta=_first(metric.delta, policy.delta, thresholds.delta),
            )
            for metric in listed
        ),
    )


def _first(*values: float | None) -> float:
    """The first that is given; the last always is."""
    return next(value for value in values if value is not None)
