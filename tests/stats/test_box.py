from fractions import Fraction
from math import log
from typing import get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generator.stats.box import AT_LIMIT, BoxFactor, BoxMethod, box_loss, box_score

FACTORS = {"cost": BoxFactor("lower", 0.1, 2, 1), "quality": BoxFactor("higher", 0.8, 5, 3)}
METHODS: tuple[BoxMethod, ...] = get_args(BoxMethod)


def test_the_loss_by_hand() -> None:
    # softplus(2·(1.5 − 1)) = ln(1 + e), squared.
    assert box_loss(1.5, 2) == pytest.approx(log(1 + 2.718281828459045) ** 2)
    assert box_loss(1, 7) == pytest.approx(AT_LIMIT)
    # Far out it is the line k(x − 1), squared, and nothing overflows.
    assert box_loss(1001, 10) == pytest.approx(1e8)
    assert 0 <= box_loss(-1000, 10) < 1e-300


@settings(deadline=None, derandomize=True, max_examples=60)
@given(st.fractions(0, 4, max_denominator=50), st.integers(1, 10))
def test_the_loss_rises(x: Fraction, k: int) -> None:
    assert box_loss(x, k) < box_loss(x + Fraction(1, 10), k)


@pytest.mark.parametrize("method", METHODS)
def test_a_run_at_every_limit_has_score_one_and_is_inside(method: BoxMethod) -> None:
    result = box_score(FACTORS, {"cost": 0.1, "quality": 0.8}, method)
    assert result.score == pytest.approx(1.0)
    assert result.inside
    # One part in 10³⁰ beyond is outside: the limit is compared exactly.
    beyond = {"cost": Fraction(1, 10) + Fraction(1, 10**30), "quality": Fraction(4, 5)}
    assert not box_score(FACTORS, beyond, method).inside


@settings(deadline=None, derandomize=True, max_examples=60)
@given(st.integers(0, 40), st.integers(0, 100), st.sampled_from(METHODS))
def test_a_worse_value_never_has_a_better_score(cost: int, quality: int, method: BoxMethod) -> None:
    values = {"cost": Fraction(cost, 100), "quality": Fraction(quality, 100)}
    score = box_score(FACTORS, values, method).score
    assert box_score(FACTORS, values | {"cost": values["cost"] + 1}, method).score >= score
    assert box_score(FACTORS, values | {"quality": values["quality"] - 1}, method).score >= score
    # Weights are relative.
    doubled = {name: BoxFactor(f.direction, f.tau, f.k, 2 * Fraction(f.weight)) for name, f in FACTORS.items()}
    assert box_score(doubled, values, method).score == pytest.approx(score)


@pytest.mark.parametrize(
    ("factor", "message"),
    [
        (BoxFactor("lower", 0, 2, 1), "tau of it must be above 0, got 0"),
        (BoxFactor("higher", 1, 2, 1), "tau of it must be below 1, got 1"),
        (BoxFactor("lower", 1, -2, 1), "k must not be negative, got -2"),
        (BoxFactor("lower", 1, 2, 0), "weights must not be negative, and not all 0"),
        (BoxFactor("lower", 1, 2, -1), "weights must not be negative, and not all 0"),
    ],
)
def test_impossible_limits_are_refused(factor: BoxFactor, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        box_score({"it": factor}, {"it": 0.5})


def test_a_missing_or_foreign_value_is_refused() -> None:
    for values in ({"cost": 0.1}, {"cost": 0.1, "quality": 0.8, "speed": 3}):
        with pytest.raises(ValueError, match="values must be those of cost, quality; got cost"):
            box_score(FACTORS, values)
