"""Draws are hashes: repeatable, apart from each other, and shared as the temperature says."""

import hashlib

from generator.sample.draws import Draws, unit


def test_unit_is_the_hash_of_its_parts() -> None:
    digest = hashlib.sha256(b"a\x1fb\x1f3").hexdigest()
    assert unit("a", "b", 3) == (int(digest[:16], 16) >> 11) / 2**53


def test_parts_do_not_run_together() -> None:
    assert unit("ab", "c") != unit("a", "bc")


def test_without_independence_repeats_decide_alike_and_the_world_does_not() -> None:
    first, second = (Draws("b", "c", "v", repeat, 0.0) for repeat in (0, 1))
    assert first.decision("x") == second.decision("x")
    assert first.physical("x") != second.physical("x")


def test_with_full_independence_repeats_decide_apart() -> None:
    first, second = (Draws("b", "c", "v", repeat, 1.0) for repeat in (0, 1))
    assert first.decision("x") != second.decision("x")


def test_the_task_is_the_same_for_all_variants() -> None:
    first, second = (Draws("b", "c", variant, 2, 0.5) for variant in ("v", "w"))
    assert first.shared("x") == second.shared("x")
    assert first.decision("x") != second.decision("x")


def test_draws_spread_evenly() -> None:
    draws = Draws("b", "c", "v", 0, 1.0)
    hits = sum(draws.chance(f"purpose {index}", 0.3) for index in range(2000))
    assert 540 <= hits <= 660


def test_picks_stay_inside() -> None:
    draws = Draws("b", "c", "v", 0, 1.0)
    assert {draws.pick(f"p{index}", "abc") for index in range(60)} == {"a", "b", "c"}
    assert {draws.whole(f"w{index}", 1, 3) for index in range(60)} == {1, 2, 3}
