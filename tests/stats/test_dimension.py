import pytest

from generator.stats.dimension import effective_dimension


def test_two_equal_directions_by_hand() -> None:
    # Corners of a square: variances 4/3 in both directions, no covariance.
    result = effective_dimension([[1, 1], [1, -1], [-1, 1], [-1, -1]], 0.5)
    assert result is not None
    assert result.eigenvalues == pytest.approx((4 / 3, 4 / 3))
    assert result.cumulative == pytest.approx((0.5, 1.0))
    # A threshold that is met exactly is met.
    assert result.d_eff == 1
    more = effective_dimension([[1, 1], [1, -1], [-1, 1], [-1, -1]], 0.51)
    assert more is not None
    assert more.d_eff == 2


def test_a_large_unit_drowns_the_others_unless_they_are_standardised() -> None:
    rows = [[1000, 0.01], [-1000, 0.01], [1000, -0.01], [-1000, -0.01]]
    plain, standardised = effective_dimension(rows), effective_dimension(rows, standardise=True)
    assert plain is not None
    assert standardised is not None
    assert (plain.d_eff, standardised.d_eff) == (1, 2)
    assert standardised.eigenvalues == pytest.approx((1.0, 1.0))


def test_constant_features_take_no_dimension() -> None:
    for standardise in (False, True):
        result = effective_dimension([[3, 1], [3, 2], [3, 5]], standardise=standardise)
        assert result is not None
        assert result.d_eff == 1
        still = effective_dimension([[3, 1], [3, 1]], standardise=standardise)
        assert still is not None
        assert (still.d_eff, still.eigenvalues, still.cumulative) == (0, (0.0, 0.0), (0.0, 0.0))


def test_equal_floats_are_constant_though_their_mean_is_rounded() -> None:
    # The mean of nineteen times 0.1 is not 0.1 in floats.
    result = effective_dimension([[0.1, 1 / 3]] * 19, standardise=True)
    assert result is not None
    assert (result.d_eff, result.eigenvalues) == (0, (0.0, 0.0))


def test_one_feature() -> None:
    result = effective_dimension([[1], [3]])
    assert result is not None
    assert (result.d_eff, result.eigenvalues) == (1, (2.0,))


def test_one_row_has_no_covariance() -> None:
    assert effective_dimension([[1, 2]]) is None
    assert effective_dimension([]) is None


def test_ragged_rows_are_refused() -> None:
    with pytest.raises(ValueError, match=r"rows need the same number of features, at least one; got \[1, 2\]"):
        effective_dimension([[1, 2], [1]])
    with pytest.raises(ValueError, match=r"threshold must lie in \(0, 1\), got 1"):
        effective_dimension([[1, 2], [1, 3]], 1)
