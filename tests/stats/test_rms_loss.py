from math import log

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generator.stats.rms_loss import rms_loss

SCORES = st.lists(st.integers(0, 500).map(lambda n: n / 100), min_size=1, max_size=15)


@settings(deadline=None, derandomize=True, max_examples=80)
@given(SCORES)
def test_rms_lies_among_the_scores_and_splits_into_mean_and_spread(scores: list[float]) -> None:
    result = rms_loss(scores)
    assert result is not None
    assert min(scores) - 1e-9 <= result.rmsl <= max(scores) + 1e-9
    assert log(1 + result.rmsl) ** 2 == pytest.approx(result.log1p_mean**2 + result.log1p_std**2, abs=1e-9)
    assert rms_loss(reversed(scores)) == result


def test_rms_of_nothing_and_of_the_impossible() -> None:
    assert rms_loss([]) is None
    with pytest.raises(ValueError, match=r"scores must not be negative, got -0\.5"):
        rms_loss([1, -0.5])
