from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from statsmodels.stats.multitest import multipletests

from generator.stats.holm import holm

LISTS = st.lists(st.integers(0, 1000).map(lambda n: Fraction(n, 1000)), max_size=12)


@settings(deadline=None, derandomize=True, max_examples=100)
@given(LISTS)
def test_between_the_raw_and_bonferroni(p_values: list[Fraction]) -> None:
    result = holm(p_values)
    m = len(p_values)
    for raw, adjusted, reject in zip(p_values, result.adjusted, result.reject, strict=True):
        assert raw <= adjusted <= min(Fraction(1), m * raw)
        assert reject == (adjusted <= Fraction(1, 20))
    ranked = sorted(zip(p_values, result.adjusted, strict=True))
    assert [adjusted for _, adjusted in ranked] == sorted(result.adjusted)


@settings(deadline=None, derandomize=True, max_examples=60)
@given(LISTS)
def test_the_order_of_the_family_is_irrelevant(p_values: list[Fraction]) -> None:
    order = sorted(range(len(p_values)), key=lambda i: (p_values[i] * 7919) % 13)
    result, moved = holm(p_values), holm([p_values[i] for i in order])
    assert [result.adjusted[i] for i in order] == list(moved.adjusted)
    assert [result.reject[i] for i in order] == list(moved.reject)


def test_it_agrees_with_statsmodels() -> None:
    p_values = [0.013, 0.2, 0.0004, 0.011, 0.049, 0.011, 0.8]
    reject, adjusted, _, _ = multipletests(p_values, alpha=0.05, method="holm")
    result = holm(p_values)
    assert [float(p) for p in result.adjusted] == pytest.approx(adjusted)
    assert list(result.reject) == list(reject)


def test_a_tie_of_exact_p_values_is_rejected() -> None:
    # 7·(1/140) is 1/20 exactly.
    assert holm([Fraction(1, 140), *[Fraction(1)] * 6], 0.05).reject[0]
    assert not holm([Fraction(1, 140) + Fraction(1, 10**30), *[Fraction(1)] * 6], 0.05).reject[0]


def test_values_outside_their_range_are_refused() -> None:
    with pytest.raises(ValueError, match=r"p must lie in \[0, 1\], got 1.5"):
        holm([0.1, 1.5])
    with pytest.raises(ValueError, match=r"alpha must lie in \(0, 1\), got 0"):
        holm([0.1], 0)
