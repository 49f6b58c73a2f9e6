from fractions import Fraction
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generator.stats.pass_hat import mean_pass_hat, pass_hat


@pytest.mark.parametrize(
    ("passed", "valid", "k", "expected"),
    [
        (3, 4, 1, Fraction(3, 4)),
        (3, 4, 2, Fraction(1, 2)),  # C(3,2) ÷ C(4,2) = 3 ÷ 6
        (3, 4, 3, Fraction(1, 4)),  # 1 ÷ 4
        (3, 4, 4, Fraction(0)),
        (4, 4, 4, Fraction(1)),
        (0, 4, 1, Fraction(0)),
        (1, 1, 2, None),
        (0, 0, 1, None),
    ],
)
def test_by_hand(passed: int, valid: int, k: int, expected: Fraction | None) -> None:
    assert pass_hat(passed, valid, k) == expected


@settings(deadline=None, derandomize=True, max_examples=60)
@given(st.lists(st.booleans(), max_size=8), st.integers(1, 8))
def test_it_is_the_share_of_draws_that_all_pass(outcomes: list[bool], k: int) -> None:
    draws = [all(draw) for draw in combinations(outcomes, k)]
    expected = Fraction(sum(draws), len(draws)) if draws else None
    assert pass_hat(sum(outcomes), len(outcomes), k) == expected


def test_cases_with_fewer_runs_do_not_count() -> None:
    # (3 of 4: 1/2) and (4 of 4: 1) have two runs, (1 of 1) has not: mean 3/4 over two cases.
    assert mean_pass_hat([(3, 4), (1, 1), (4, 4)], 2) == (Fraction(3, 4), 2)
    assert mean_pass_hat([(1, 1)], 2) == (None, 0)


@pytest.mark.parametrize(("passed", "valid"), [(5, 4), (-1, 4)])
def test_impossible_counts_are_refused(passed: int, valid: int) -> None:
    with pytest.raises(ValueError, match="passed must lie in"):
        pass_hat(passed, valid, 1)


def test_k_must_be_positive() -> None:
    with pytest.raises(ValueError, match="k must be at least 1"):
        pass_hat(1, 2, 0)
