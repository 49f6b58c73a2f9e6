"""What a capped sequential test does at a given true rate: for planning, and for honest figures about savings."""

from dataclasses import dataclass

from generator.stats.parameters import Exactable, closed_unit
from generator.stats.sequential import SprtPlan


@dataclass(frozen=True, slots=True)
class SprtOperation:
    """What the test does at one true rate, under a cap: the chances of each end, and the runs it takes."""

    passes: float
    fails: float
    inconclusive: float
    expected_n: float


def sprt_operation(plan: SprtPlan, rate: Exactable, n_max: int) -> SprtOperation:
    """What a capped test does when the true rate is `rate`, by counting every path.

    Parameters
    ----------
    plan : SprtPlan
    rate : float or Fraction
        True pass rate, in [0, 1].
    n_max : int
        The cap, ≥ 1; work grows with its square.

    Returns
    -------
    SprtOperation; the three chances add up to 1.

    Raises
    ------
    ValueError
        rate outside [0, 1], or n_max below 1.

    Source
    ------
    Direct enumeration over the number of failures; runs independent of one another.
    """
    if n_max < 1:
        raise ValueError(f"n_max must be at least 1, got {n_max}")
    p = float(closed_unit(rate, "rate"))
    ends = {"pass": 0.0, "fail": 0.0}
    expected = 0.0
    # Chances of each number of failures among the paths that are still open.
    still_open = {0: 1.0}
    for n in range(1, n_max + 1):
        reached: dict[int, float] = {}
        for failed, chance in still_open.items():
            reached[failed] = reached.get(failed, 0.0) + chance * p
            reached[failed + 1] = reached.get(failed + 1, 0.0) + chance * (1 - p)
        still_open = {}
        for failed, chance in reached.items():
            decision = plan.decision(plan.llr(n - failed, failed))
            if decision == "continue":
                still_open[failed] = chance
            else:
                ends[decision] += chance
                expected += n * chance
    undecided = sum(still_open.values())
    return SprtOperation(ends["pass"], ends["fail"], undecided, expected + n_max * undecided)
