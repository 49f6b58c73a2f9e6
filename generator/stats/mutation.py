"""Mutation score: which deliberate damages the runs tell from the original."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

from generator.stats.fisher import fisher_one_sided
from generator.stats.parameters import Exactable, check_counts, open_unit
from generator.stats.ratios import ratio


class MutantCounts(NamedTuple):
    """Hits and valid runs of a mutant; `equivalent`: declared to behave as the original does."""

    id: str
    hits: int
    n: int
    equivalent: bool = False


@dataclass(frozen=True, slots=True)
class MutantResult:
    """`drop` is original − mutant. All None for an equivalent mutant, and where a side has no runs."""

    id: str
    p_value: Fraction | None
    drop: Fraction | None
    killed: bool | None


@dataclass(frozen=True, slots=True)
class MutationScore:
    """`score` = killed ÷ judged, None where no mutant is judged: equivalents, and mutants without runs, are not."""

    mutants: tuple[MutantResult, ...]
    killed: int
    judged: int
    score: Fraction | None


def mutation_score(
    original: tuple[int, int], mutants: Sequence[MutantCounts], *, delta: Exactable = 0.1, alpha: Exactable = 0.05
) -> MutationScore:
    """The share of mutants that are killed: a significant drop of at least δ.

    Parameters
    ----------
    original : (hits, n)
        Runs of the agent as it is.
    mutants : sequence of MutantCounts
    delta, alpha : float or Fraction
        Smallest drop that counts, compared on exact counts, and level of the one-sided exact test; in (0, 1).

    Returns
    -------
    MutationScore, results in the order given. A mutant that does better is never killed.

    Raises
    ------
    ValueError
        hits outside [0, n]; delta or alpha outside (0, 1).

    Source
    ------
    AgentAssay §5, with the statistical rule of §3.
    """
    smallest, level = open_unit(delta, "delta"), open_unit(alpha, "alpha")
    check_counts(*original)
    results = tuple(_judge(original, mutant, smallest, level) for mutant in mutants)
    judged = [result.killed for result in results if result.killed is not None]
    return MutationScore(results, sum(judged), len(judged), ratio(sum(judged), len(judged)))


def _judge(original: tuple[int, int], mutant: MutantCounts, delta: Fraction, alpha: Fraction) -> MutantResult:
    check_counts(mutant.hits, mutant.n)
    if mutant.equivalent or mutant.n == 0 or original[1] == 0:
        return MutantResult(mutant.id, None, None, None)
    drop = Fraction(*original) - Fraction(mutant.hits, mutant.n)
    p_value = fisher_one_sided(*original, mutant.hits, mutant.n)
    return MutantResult(mutant.id, p_value, drop, p_value < alpha and drop >= delta)
