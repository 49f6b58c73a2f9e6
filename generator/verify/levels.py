"""The levels of tests and verdicts, and the intervals that go with them."""

from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from generator.verify.distributions import clopper_pearson
from generator.verify.exact import wilson


@dataclass(frozen=True)
class Levels:
    """Of the index: α, β, δ, θ, ε, exactly as they are written, and how intervals of proportions are made;
    λ of the coverage of states, and the models that coverage aims at; thresholds and caps of times."""

    alpha: Fraction
    beta: Fraction
    delta: Fraction
    theta: Fraction
    epsilon: Fraction
    interval: str
    state_scale: Fraction
    models: list[str]
    times: dict[str, Any] = field(default_factory=dict)

    def interval_of(self, hits: int, n: int) -> tuple[float, float] | None:
        """Of a proportion, at level 1 − α."""
        make = {"wilson": wilson, "clopper_pearson": clopper_pearson}[self.interval]
        return make(hits, n, float(1 - self.alpha))


def levels_of(index: dict[str, Any]) -> Levels:
    found = index["thresholds"]
    alpha, beta, delta, theta, epsilon = (
        Fraction(found[name]) for name in ("alpha", "beta", "delta", "theta", "epsilon")
    )
    coverage = index["coverage"]
    return Levels(
        alpha,
        beta,
        delta,
        theta,
        epsilon,
        found["interval"],
        Fraction(coverage["state_scale"]),
        coverage["models"],
        index["times"],
    )
