"""Relations between runs that follow one another: whether a pair keeps its relation, and how often pairs do not."""

from dataclasses import dataclass

from generator.model.kinds import Expectation
from generator.stats.parameters import Exactable, check_counts, closed_unit, open_unit
from generator.stats.proportions import INTERVALS, IntervalMethod
from generator.stats.thresholds import runs_to_decide, threshold_verdict
from generator.stats.verdicts import Verdict


@dataclass(frozen=True, slots=True)
class ViolationVerdict:
    """`low` and `high` are the ends of the interval of the violation rate; None without pairs. `more_pairs` would
    decide an inconclusive verdict at the present rate; None where no number would."""

    outcome: Verdict
    low: float | None
    high: float | None
    method: IntervalMethod
    more_pairs: int | None


def is_kept(expects: Expectation, source: bool, follow_up: bool) -> bool | None:
    """Whether a pair of runs keeps its relation.

    Parameters
    ----------
    expects : str
        `same`: both meet the metric or neither does; `not_better`: the run that follows does not meet it where its
        source does not; `follows`: it meets it where its source does; `holds`: it meets it.
    source, follow_up : bool
        Whether each run meets the metric.

    Returns
    -------
    None where the pair could not violate its relation and so says nothing: `follows` after a source that does not meet
    the metric, `not_better` after one that does.

    Source
    ------
    AgentAssay (arXiv:2603.02601), §6: permutation, perturbation, composition and oracle relations.
    """
    if expects == "same":
        return source == follow_up
    if expects == "not_better":
        return None if source else not follow_up
    if expects == "follows":
        return follow_up if source else None
    return follow_up


def violation_verdict(
    violated: int,
    n: int,
    *,
    epsilon: Exactable,
    delta: Exactable,
    alpha: Exactable = 0.05,
    method: IntervalMethod = "wilson",
) -> ViolationVerdict:
    """Whether pairs violate their relation no more often than ε + δ.

    Parameters
    ----------
    violated, n : int
        Pairs; 0 ≤ violated ≤ n.
    epsilon, delta : float or Fraction
        The share of violations that is tolerated, at least 0, and the smallest rise that counts, in (0, 1); their sum
        is below 1.
    alpha : float or Fraction
        Two-sided, in (0, 1): the interval has coverage 1 − α.
    method : str
        `wilson` or `clopper_pearson`.

    Returns
    -------
    `pass` if the interval lies at or below ε + δ, `fail` if wholly above, else (and without pairs) `inconclusive`.

    Raises
    ------
    ValueError
        violated outside [0, n], epsilon + delta not in (0, 1), or alpha outside (0, 1).

    Source
    ------
    AgentAssay (arXiv:2603.02601), proposition 6.1.
    """
    check_counts(violated, n)
    bound = open_unit(closed_unit(epsilon, "epsilon") + open_unit(delta, "delta"), "epsilon + delta")
    kept, least_kept = n - violated, 1 - bound
    found = threshold_verdict(kept, n, least_kept, alpha, method)
    ends = INTERVALS[method](violated, n, 1 - open_unit(alpha, "alpha"))
    low, high = (None, None) if ends is None else ends
    return ViolationVerdict(found.outcome, low, high, method, runs_to_decide(kept, n, least_kept, alpha, method))
