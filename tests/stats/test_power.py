from fractions import Fraction
from math import comb

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generator.stats.fisher import fisher_one_sided
from generator.stats.power import PowerMethod, power_two_proportions

METHODS: tuple[PowerMethod, ...] = ("unpooled", "pooled_null", "arcsine", "fisher_exact")
NORMAL: tuple[PowerMethod, ...] = ("unpooled", "pooled_null")


def binomial(k: int, n: int, p: Fraction) -> Fraction:
    return comb(n, k) * p**k * (1 - p) ** (n - k)


def test_exact_power_is_that_of_the_exact_test() -> None:
    # Every outcome of 12 and 9 runs, in fractions: no float decides which of them is significant.
    before, after, alpha = Fraction(9, 10), Fraction(2, 5), Fraction(1, 20)
    expected = sum(
        binomial(kb, 12, before) * binomial(kc, 9, after)
        for kb in range(13)
        for kc in range(10)
        if fisher_one_sided(kb, 12, kc, 9) < alpha
    )
    assert power_two_proportions(before, after, 12, 9, alpha, "fisher_exact") == pytest.approx(float(expected))


def test_a_tie_with_the_level_is_not_significant() -> None:
    # Of 2 and 14 runs, 2 hits against 2 has p = 1/20 exactly; certain outcomes make it the only one.
    assert power_two_proportions(1, Fraction(1, 7), 2, 14, 0.05, "fisher_exact") == pytest.approx(
        float(sum(binomial(k, 14, Fraction(1, 7)) for k in range(2)))
    )


@pytest.mark.parametrize("method", METHODS)
def test_without_a_drop_power_is_at_most_about_the_level(method: PowerMethod) -> None:
    power = power_two_proportions(0.8, 0.8, 40, 40, 0.05, method)
    assert power is not None
    assert power == pytest.approx(0.05) if method != "fisher_exact" else power <= 0.05


@settings(deadline=None, derandomize=True, max_examples=40)
@given(st.integers(55, 95), st.integers(1, 50), st.integers(10, 60), st.sampled_from(METHODS[:3]))
def test_power_grows_with_runs_and_with_the_drop(percent: int, drop: int, n: int, method: PowerMethod) -> None:
    before, after = Fraction(percent, 100), Fraction(percent - drop, 100)
    power = power_two_proportions(before, after, n, n, 0.05, method)
    more_runs = power_two_proportions(before, after, 2 * n, 2 * n, 0.05, method)
    larger_drop = power_two_proportions(before, after - Fraction(1, 100), n, n, 0.05, method)
    assert power is not None
    assert more_runs is not None
    assert larger_drop is not None
    assert 0 <= power <= more_runs <= 1
    assert power <= larger_drop


@pytest.mark.parametrize("method", NORMAL)
def test_certain_outcomes_have_no_standard_error(method: PowerMethod) -> None:
    assert power_two_proportions(1, 1, 30, 30, 0.05, method) is None
    assert power_two_proportions(1, 0, 30, 30, 0.05, method) is None
    assert power_two_proportions(1, 0.9, 30, 30, 0.05, method) is not None


@pytest.mark.parametrize("method", METHODS)
def test_an_empty_group_has_no_power(method: PowerMethod) -> None:
    assert power_two_proportions(0.9, 0.8, 0, 30, 0.05, method) is None
    assert power_two_proportions(0.9, 0.8, 30, 0, 0.05, method) is None


def test_values_outside_their_range_are_refused() -> None:
    with pytest.raises(ValueError, match=r"baseline must lie in \[0, 1\], got 1.2"):
        power_two_proportions(1.2, 0.8, 10, 10)
    with pytest.raises(ValueError, match=r"current must lie in \[0, 1\], got -0.1"):
        power_two_proportions(0.9, -0.1, 10, 10)
    with pytest.raises(ValueError, match="runs must not be negative, got -1 and 10"):
        power_two_proportions(0.9, 0.8, -1, 10)
