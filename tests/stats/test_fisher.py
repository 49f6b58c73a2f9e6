from fractions import Fraction
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import fisher_exact

from generator.stats.fisher import fisher_one_sided

GROUP = st.integers(0, 40).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))


def test_ties_with_the_level_are_exact() -> None:
    # 3 of 3 against 0 of 3: one of the C(6, 3) = 20 arrangements, exactly 1/20, which is not below 0.05.
    assert fisher_one_sided(3, 3, 0, 3) == Fraction(1, 20)
    # 2 of 2 against 2 of 14 is 1/20 too: C(14, 2)/C(16, 4) = 91/1820. SciPy's float lies below 0.05.
    assert fisher_one_sided(2, 2, 2, 14) == Fraction(1, 20)
    assert fisher_exact([[2, 12], [2, 0]], alternative="less").pvalue < 0.05


@pytest.mark.parametrize("counts", [(3, 4, 1, 3), (2, 5, 2, 3), (0, 3, 0, 4), (4, 4, 4, 4)])
def test_it_is_the_share_of_arrangements(counts: tuple[int, int, int, int]) -> None:
    baseline_hits, baseline_n, hits, n = counts
    arrangements = list(combinations(range(baseline_n + n), baseline_hits + hits))
    as_low = sum(sum(place >= baseline_n for place in chosen) <= hits for chosen in arrangements)
    assert fisher_one_sided(*counts) == Fraction(as_low, len(arrangements))


@settings(deadline=None, derandomize=True, max_examples=100)
@given(GROUP, GROUP)
def test_it_agrees_with_scipy(baseline: tuple[int, int], current: tuple[int, int]) -> None:
    table = [[current[0], current[1] - current[0]], [baseline[0], baseline[1] - baseline[0]]]
    expected = fisher_exact(table, alternative="less").pvalue
    assert float(fisher_one_sided(*baseline, *current)) == pytest.approx(expected, rel=1e-9)


@settings(deadline=None, derandomize=True, max_examples=100)
@given(GROUP, GROUP)
def test_fewer_hits_are_stronger_evidence(baseline: tuple[int, int], current: tuple[int, int]) -> None:
    p_value = fisher_one_sided(*baseline, *current)
    assert 0 < p_value <= 1
    if current[0]:
        assert fisher_one_sided(*baseline, current[0] - 1, current[1]) < p_value or p_value == 1
    # Misses for hits and group for group: the same arrangements, counted from the other side.
    assert fisher_one_sided(current[1] - current[0], current[1], baseline[1] - baseline[0], baseline[1]) == p_value


def test_an_empty_group_is_no_evidence() -> None:
    assert fisher_one_sided(0, 0, 0, 9) == 1
    assert fisher_one_sided(9, 9, 0, 0) == 1


def test_impossible_counts_are_refused() -> None:
    with pytest.raises(ValueError, match=r"baseline_hits must lie in \[0, baseline_n\], got 4 of 3"):
        fisher_one_sided(4, 3, 1, 3)
    with pytest.raises(ValueError, match=r"hits must lie in \[0, n\], got -1 of 3"):
        fisher_one_sided(1, 3, -1, 3)
