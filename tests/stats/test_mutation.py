from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generator.stats.mutation import MutantCounts, mutation_score
from generator.stats.regression import regression_verdict

MUTANTS = st.lists(
    st.tuples(st.integers(0, 20), st.booleans()).map(lambda each: MutantCounts("m", each[0], 20, each[1])), max_size=6
)


@settings(deadline=None, derandomize=True, max_examples=80)
@given(st.integers(0, 20), MUTANTS)
def test_a_mutant_is_killed_by_the_rule_that_finds_regressions(hits: int, mutants: list[MutantCounts]) -> None:
    result = mutation_score((hits, 20), mutants)
    for mutant, judged in zip(mutants, result.mutants, strict=True):
        if mutant.equivalent:
            assert (judged.killed, judged.p_value, judged.drop) == (None, None, None)
        else:
            assert judged.killed == (regression_verdict(hits, 20, mutant.hits, 20).outcome == "fail")
    assert result.judged == sum(not mutant.equivalent for mutant in mutants)
    if result.judged:
        assert result.score == Fraction(result.killed, result.judged)
    else:
        assert result.score is None


def test_mutants_without_runs_are_not_judged() -> None:
    result = mutation_score((19, 20), [MutantCounts("never-run", 0, 0), MutantCounts("drop", 2, 20)])
    assert [mutant.killed for mutant in result.mutants] == [None, True]
    assert result.judged == result.score == 1
    assert mutation_score((0, 0), [MutantCounts("drop", 2, 20)]).score is None


def test_impossible_counts_are_refused() -> None:
    with pytest.raises(ValueError, match=r"hits must lie in \[0, n\], got 5 of 4"):
        mutation_score((3, 4), [MutantCounts("m", 5, 4)])
