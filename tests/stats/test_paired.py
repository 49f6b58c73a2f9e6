from fractions import Fraction
from itertools import combinations, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from statsmodels.stats.contingency_tables import StratifiedTable, mcnemar

from generator.stats.fisher import fisher_one_sided
from generator.stats.paired import CaseCounts, mcnemar_exact, stratified_exact

GROUP = st.integers(0, 6).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))
CASE = st.tuples(GROUP, GROUP).map(lambda both: CaseCounts(*both[0], *both[1]))


def test_mcnemar_by_hand() -> None:
    # Five pairs lost, one gained: (6 + 1)/2⁶.
    assert mcnemar_exact(5, 1).p_value == pytest.approx(7 / 64)
    assert mcnemar_exact(0, 0).p_value == 1.0
    assert mcnemar_exact(0, 4).p_value == 1.0


@pytest.mark.parametrize(("lost", "gained"), [(9, 2), (12, 12), (30, 11)])
def test_mcnemar_is_half_of_the_two_sided_test(lost: int, gained: int) -> None:
    two_sided = mcnemar([[50, lost], [gained, 8]], exact=True).pvalue
    assert min(1.0, 2 * mcnemar_exact(lost, gained).p_value) == pytest.approx(two_sided)


def test_negative_pairs_are_refused() -> None:
    with pytest.raises(ValueError, match="pairs must not be negative, got -1 lost and 2 gained"):
        mcnemar_exact(-1, 2)


def arrangements(case: CaseCounts) -> list[int]:
    """Hits under the current variant, for each way of dealing the case's hits to its runs."""
    both = case.baseline_hits + case.hits
    ways = combinations(range(case.baseline_n + case.n), both)
    return [sum(place >= case.baseline_n for place in chosen) for chosen in ways]


def test_strata_by_counting_every_arrangement() -> None:
    cases = [CaseCounts(3, 3, 1, 3), CaseCounts(2, 3, 0, 2), CaseCounts(0, 2, 1, 2)]
    sums = [sum(hits) for hits in product(*map(arrangements, cases))]
    assert stratified_exact(cases) == Fraction(sum(total <= 2 for total in sums), len(sums))


@settings(deadline=None, derandomize=True, max_examples=80)
@given(CASE)
def test_one_case_is_fishers_test(case: CaseCounts) -> None:
    assert stratified_exact([case]) == fisher_one_sided(*case)


@settings(deadline=None, derandomize=True, max_examples=80)
@given(st.lists(CASE, max_size=5))
def test_order_and_silent_cases_change_nothing(cases: list[CaseCounts]) -> None:
    p_value = stratified_exact(cases)
    assert 0 < p_value <= 1
    silent = [CaseCounts(3, 3, 4, 4), CaseCounts(0, 3, 0, 1), CaseCounts(2, 5, 0, 0)]
    assert stratified_exact([*silent, *reversed(cases)]) == p_value


def test_hard_and_easy_cases_do_not_hide_a_drop() -> None:
    # The current variant ran the easy case more often: pooled 11/14 against 9/12 looks like a gain, case by case it
    # never is one.
    cases = [CaseCounts(8, 8, 11, 12), CaseCounts(1, 4, 0, 2)]
    pooled = CaseCounts(*(sum(column) for column in zip(*cases, strict=True)))
    assert pooled.hits / pooled.n > pooled.baseline_hits / pooled.baseline_n
    assert stratified_exact(cases) < fisher_one_sided(*pooled)


def test_pairs_of_single_runs_are_mcnemars() -> None:
    lost, gained = [CaseCounts(1, 1, 0, 1)] * 5, [CaseCounts(0, 1, 1, 1)] * 2
    assert float(stratified_exact([*lost, *gained])) == pytest.approx(mcnemar_exact(5, 2).p_value)


def test_it_is_near_mantel_and_haenszel() -> None:
    cases = [CaseCounts(20, 25, 14, 25), CaseCounts(12, 25, 9, 25), CaseCounts(23, 25, 19, 25)]
    tables = [[[c.baseline_hits, c.baseline_n - c.baseline_hits], [c.hits, c.n - c.hits]] for c in cases]
    two_sided = StratifiedTable([[list(row) for row in table] for table in tables]).test_null_odds(True).pvalue
    assert 2 * float(stratified_exact(cases)) == pytest.approx(two_sided, rel=0.15)


def test_impossible_counts_are_refused() -> None:
    with pytest.raises(ValueError, match=r"hits must lie in \[0, n\], got 3 of 2"):
        stratified_exact([CaseCounts(1, 2, 3, 2)])
