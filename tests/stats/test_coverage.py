from fractions import Fraction
from math import exp
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generator.stats.coverage import Coverage, coverage5

SHARE = st.integers(1, 20).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))


def covered(**changed: Any) -> Coverage:
    given_: dict[str, Any] = {
        "tools": (3, 10),
        "path_counts": [4, 3],
        "states": 20,
        "state_scale": 20,
        "boundaries": (2, 8),
        "models": (1, 1),
    }
    return coverage5(**(given_ | changed))


def test_by_hand() -> None:
    result = covered()
    assert (result.tool, result.boundary) == (Fraction(3, 10), Fraction(1, 4))
    assert result.path == result.model == 1
    assert result.state == pytest.approx(1 - exp(-1))
    assert result.overall == pytest.approx((0.3 * 0.25 * (1 - exp(-1))) ** 0.2)


@pytest.mark.parametrize(
    ("changed", "name"),
    [
        ({"tools": (0, 0)}, "tool"),
        ({"path_counts": []}, "path"),
        ({"boundaries": (0, 0)}, "boundary"),
        ({"models": (0, 0)}, "model"),
    ],
)
def test_what_has_no_denominator_is_unknown_and_so_is_the_whole(changed: dict[str, Any], name: str) -> None:
    result = covered(**changed)
    assert getattr(result, name) is None
    assert result.overall is None
    # An unknown share is not excused by one that is 0.
    assert covered(**(changed | {"states": 0})).overall is None


def test_a_scale_below_one_is_a_scale() -> None:
    assert covered(states=1, state_scale=0.5).state == pytest.approx(1 - exp(-2))


def test_no_state_is_no_coverage() -> None:
    assert (covered(states=0).state, covered(states=0).overall) == (0.0, 0.0)


@settings(deadline=None, derandomize=True, max_examples=80)
@given(SHARE, SHARE, st.integers(0, 60))
def test_the_whole_lies_among_its_parts_and_rises_with_them(
    tools: tuple[int, int], boundaries: tuple[int, int], states: int
) -> None:
    result = covered(tools=tools, boundaries=boundaries, states=states)
    parts = [float(share) for share in (result.tool, result.path, result.state, result.boundary, result.model) if share]
    assert result.overall is not None
    if len(parts) == 5:
        assert min(parts) - 1e-12 <= result.overall <= max(parts) + 1e-12
    else:
        assert result.overall == 0
    more = covered(tools=(tools[1], tools[1]), boundaries=boundaries, states=states + 1)
    assert more.overall is not None
    assert more.overall >= result.overall


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"tools": (4, 3)}, r"tools reached must lie in \[0, all tools\], got 4 of 3"),
        ({"state_scale": 0}, "states must not be negative and state_scale above 0, got 20 and 0"),
        ({"states": -1}, "states must not be negative and state_scale above 0, got -1 and 20"),
    ],
)
def test_impossible_counts_are_refused(changed: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        covered(**changed)
