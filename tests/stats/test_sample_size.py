from fractions import Fraction
from typing import get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generator.stats.power import power_two_proportions
from generator.stats.sample_size import SampleSizeForm, sample_size

FORMS: tuple[SampleSizeForm, ...] = get_args(SampleSizeForm)
RATES = st.integers(30, 99).map(lambda percent: Fraction(percent, 100))
DROPS = st.integers(5, 25).map(lambda percent: Fraction(percent, 100))


@settings(deadline=None, derandomize=True, max_examples=100)
@given(RATES, DROPS, st.sampled_from([Fraction(1, 20), Fraction(1, 100)]), st.sampled_from([0.1, 0.2]))
def test_power_is_as_planned_and_no_run_is_spare(rate: Fraction, drop: Fraction, alpha: Fraction, beta: float) -> None:
    n = sample_size(rate, drop, alpha, beta, "one_sided_unpooled").n
    enough = power_two_proportions(rate, rate - drop, n, n, alpha)
    short = power_two_proportions(rate, rate - drop, n - 1, n - 1, alpha)
    assert enough is not None
    assert enough >= 1 - beta - 1e-12
    assert short is None or short < 1 - beta


def test_the_exact_test_needs_more_than_the_formula() -> None:
    # Fisher's test is conservative: at the planned 62 runs a group it has less than the 0.9 that the formula promises.
    n = sample_size(0.9, 0.25, 0.05, 0.1).n
    exact = power_two_proportions(0.9, 0.65, n, n, 0.05, "fisher_exact")
    assert exact is not None
    assert 0.8 < exact < 0.9


@settings(deadline=None, derandomize=True, max_examples=60)
@given(RATES, DROPS, st.sampled_from(FORMS))
def test_smaller_drops_and_smaller_errors_need_more_runs(rate: Fraction, drop: Fraction, form: SampleSizeForm) -> None:
    size = sample_size(rate, drop, 0.05, 0.1, form)
    assert size.n - 1 < size.raw <= size.n
    assert sample_size(rate, drop / 2, 0.05, 0.1, form).raw > size.raw or rate == 1
    assert sample_size(rate, drop, 0.01, 0.1, form).raw > size.raw
    assert sample_size(rate, drop, 0.05, 0.05, form).raw > size.raw
    assert sample_size(rate, drop, 0.05, 0.1, "one_sided_worst_case").raw >= (
        sample_size(rate, drop, 0.05, 0.1, "one_sided_pooled_mean").raw
    )


def test_a_drop_to_zero_is_a_drop() -> None:
    # p_c = 0: (z + z)²·(0.2·0.8)/0.2² = 8.5638·4.
    assert sample_size(0.2, 0.2, 0.05, 0.1).raw == pytest.approx(8.563847 * 4)


@pytest.mark.parametrize(
    ("rate", "delta", "message"),
    [
        (0.1, 0.2, "delta must not be above the rate, got 0.2 of 0.1"),
        (0.9, 0.0, r"delta must lie in \(0, 1\), got 0.0"),
        (1.1, 0.1, r"rate must lie in \[0, 1\], got 1.1"),
    ],
)
def test_values_outside_their_range_are_refused(rate: float, delta: float, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        sample_size(rate, delta)
