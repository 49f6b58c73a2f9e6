from fractions import Fraction

import pytest

from generator.stats.ratios import difference, ratio, relative_change


def test_no_denominator_no_value() -> None:
    assert ratio(0, 0) is None
    assert ratio(0, 5) == 0
    assert difference((1, 2), (0, 0)) is None
    assert difference((0, 0), (1, 2)) is None
    assert relative_change([0], [5]).change is None
    assert relative_change([0], [5]).reduction is None
    assert relative_change([], []).change is None
    with pytest.raises(ValueError, match="the denominator must not be negative, got -2"):
        ratio(1, -2)


def test_differences_are_those_of_exact_ratios() -> None:
    # 2/3 − 1/6 is 1/2; of the percentages 66.67 and 16.67 too, of 66.7 and 16.7 too, but not of 66 and 16.
    assert difference((2, 3), (1, 6)) == Fraction(1, 2)


def test_totals_are_compared_not_parts() -> None:
    # Parts: 10 → 20 and 100 → 90. Mean of the changes +45%, of the totals 0%.
    change = relative_change([10, 100], [20, 90])
    assert change.before == change.after == 110
    assert change.change == change.reduction == 0
    # 0.1 + 0.2 is 3/10.
    assert relative_change([0.1, 0.2], [0.6]).change == 1
