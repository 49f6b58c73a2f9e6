"""How much of an agent's behaviour the runs have reached, in five dimensions."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import exp, prod

from generator.stats.parameters import Exactable, check_counts, exact_value
from generator.stats.ratios import ratio
from generator.stats.richness import Chao1, chao1


@dataclass(frozen=True, slots=True)
class Coverage:
    """Five shares in [0, 1], each None where it is not defined, and their geometric mean (`overall`: 0 if one of them
    is 0, None if one is None). `paths` holds what the share of paths rests on."""

    tool: Fraction | None
    path: Fraction | None
    state: float
    boundary: Fraction | None
    model: Fraction | None
    overall: float | None
    paths: Chao1


def coverage5(
    *,
    tools: tuple[int, int],
    path_counts: Iterable[int],
    states: int,
    state_scale: Exactable,
    boundaries: tuple[int, int],
    models: tuple[int, int],
) -> Coverage:
    """Coverage of tools, decision paths, states, input boundaries and models.

    Parameters
    ----------
    tools, boundaries, models : (reached, all there are)
        Distinct tools called of those available, boundaries touched of those the schemas have, models run of those
        aimed at; 0 ≤ reached ≤ all.
    path_counts : iterable of int
        Runs that took each distinct path.
    states : int
        Distinct abstract states visited, ≥ 0.
    state_scale : float or Fraction
        λ > 0: at λ states the share is 1 − 1/e. There is no list of all states to divide by.

    Returns
    -------
    Coverage: ratios for tools, boundaries and models; paths seen ÷ Chao1 (bias-corrected); 1 − exp(−states/λ).

    Raises
    ------
    ValueError
        A count outside its range, or state_scale not above 0.

    Source
    ------
    AgentAssay §4; geometric mean and state share from the original paper.
    """
    for name, (reached, there_are) in {"tools": tools, "boundaries": boundaries, "models": models}.items():
        check_counts(reached, there_are, f"{name} reached", f"all {name}")
    state = state_coverage(states, state_scale)
    paths = chao1(path_counts)
    tool, boundary, model = ratio(*tools), ratio(*boundaries), ratio(*models)
    overall = overall_coverage((tool, paths.coverage, state, boundary, model))
    return Coverage(tool, paths.coverage, state, boundary, model, overall, paths)


def state_coverage(states: int, scale: Exactable) -> float:
    """1 − exp(−states/scale). ValueError for a negative count, or a scale not above 0."""
    exact_scale = exact_value(scale)
    if exact_scale <= 0 or states < 0:
        raise ValueError(f"states must not be negative and state_scale above 0, got {states} and {scale}")
    return 1 - exp(-states / float(exact_scale))


def overall_coverage(shares: Sequence[Fraction | float | None]) -> float | None:
    """The geometric mean; 0 if one is 0, None if one is None."""
    known = [float(share) for share in shares if share is not None]
    return prod(known) ** (1 / len(shares)) if shares and len(known) == len(shares) else None
