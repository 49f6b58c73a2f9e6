"""The box score: several factors of a run against their limits, as one loss."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import exp, fsum, hypot, log, log1p
from typing import Literal

from generator.stats.parameters import Exactable, exact_value

BoxMethod = Literal["l2_norm", "sum", "max"]

AGGREGATES: dict[BoxMethod, Callable[[Sequence[float]], float]] = {
    "l2_norm": lambda losses: hypot(*losses),
    "sum": fsum,
    "max": max,
}


@dataclass(frozen=True, slots=True)
class BoxFactor:
    """A limit. `tau` > 0 where lower is better; tau < 1, and values in 0–1, where higher is. `k` ≥ 0 is the steepness,
    `weight` ≥ 0 the share λ of the factor, relative to the others."""

    direction: Literal["lower", "higher"]
    tau: Exactable
    k: Exactable
    weight: Exactable


@dataclass(frozen=True, slots=True)
class FactorLoss:
    """`x`: the value relative to its limit, exactly; 1 is the limit. `inside`: x ≤ 1, the limit included."""

    x: Fraction
    loss: float
    weighted_loss: float
    inside: bool


@dataclass(frozen=True, slots=True)
class BoxScore:
    """`score`: aggregated loss ÷ that of a run exactly at every limit (`reference`). A score ≤ 1 does not say that the
    run is inside: `inside` does."""

    factors: dict[str, FactorLoss]
    reference: float
    score: float
    inside: bool


def box_loss(x: Exactable, k: Exactable) -> float:
    """softplus(k(x − 1))²: the loss of a factor at x times its limit.

    Parameters
    ----------
    x : float or Fraction
        Value relative to the limit.
    k : float or Fraction
        Steepness, ≥ 0; at 0 the loss is the same everywhere.

    Returns
    -------
    Loss > 0; (ln 2)² at the limit, whatever k is.

    Raises
    ------
    ValueError
        k below 0.
    """
    steepness = exact_value(k)
    if steepness < 0:
        raise ValueError(f"k must not be negative, got {k}")
    return squared_softplus(float(steepness * (exact_value(x) - 1)))


def squared_softplus(t: float) -> float:
    """ln(1 + eᵗ)², without overflow of eᵗ for large t."""
    return float((max(t, 0.0) + log1p(exp(-abs(t)))) ** 2)


AT_LIMIT = log(2) ** 2
"""The loss of a factor at its limit."""


def box_score(
    factors: Mapping[str, BoxFactor], values: Mapping[str, Exactable], method: BoxMethod = "l2_norm"
) -> BoxScore:
    """Loss of one run against a profile.

    Parameters
    ----------
    factors : mapping of name to BoxFactor
        The profile; the weights are divided by their sum.
    values : mapping of name to number
        The run's value of each factor, and of no other.
    method : str
        `l2_norm`, `sum` or `max` of the weighted losses.

    Returns
    -------
    BoxScore: x = v/τ where lower is better, (1 − v)/(1 − τ) where higher is.

    Raises
    ------
    ValueError
        Other names than the profile's, a limit, steepness or weight outside its range, weights that add up to 0.

    Source
    ------
    The box-score article (source 004): definition, table 2, methods of aggregation.
    """
    if factors.keys() != values.keys():
        raise ValueError(f"values must be those of {', '.join(factors)}; got {', '.join(values)}")
    weights = {name: exact_value(factor.weight) for name, factor in factors.items()}
    total = sum(weights.values(), Fraction(0))
    if total <= 0 or min(weights.values()) < 0:
        raise ValueError("weights must not be negative, and not all 0")
    losses: dict[str, FactorLoss] = {}
    for name, factor in factors.items():
        x = _relative(name, factor, exact_value(values[name]))
        loss = box_loss(x, factor.k)
        losses[name] = FactorLoss(x, loss, float(weights[name] / total) * loss, x <= 1)
    aggregate = AGGREGATES[method]
    reference = aggregate([float(weight / total) * AT_LIMIT for weight in weights.values()])
    score = aggregate([loss.weighted_loss for loss in losses.values()]) / reference
    return BoxScore(losses, reference, score, all(loss.inside for loss in losses.values()))


def _relative(name: str, factor: BoxFactor, value: Fraction) -> Fraction:
    tau = exact_value(factor.tau)
    if factor.direction == "lower":
        if tau <= 0:
            raise ValueError(f"tau of {name} must be above 0, got {factor.tau}")
        return value / tau
    if tau >= 1:
        raise ValueError(f"tau of {name} must be below 1, got {factor.tau}")
    return (1 - value) / (1 - tau)
