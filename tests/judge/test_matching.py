"""The matching of calls with entries, against every possible matching."""

from itertools import permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generator.judge.matching import Matching, match

Candidates = list[list[int]]


def all_matchings(candidates: Candidates, calls: int) -> list[dict[int, int]]:
    """Every largest matching, entry → call, by trying all assignments."""
    slots = [*range(calls), *[None] * len(candidates)]
    found = {
        tuple(sorted((entry, call) for entry, call in enumerate(chosen) if call is not None))
        for chosen in permutations(slots, len(candidates))
        if all(call is None or call in candidates[entry] for entry, call in enumerate(chosen))
    }
    largest = max(len(matching) for matching in found)
    return [dict(matching) for matching in found if len(matching) == largest]


def by_hand(candidates: Candidates, calls: int) -> Matching:
    matchings = all_matchings(candidates, calls)
    served = min(tuple(sorted(matching)) for matching in matchings)
    used = min(tuple(sorted(matching.values())) for matching in matchings)
    entries = set(range(len(candidates)))
    missing = entries.difference(served)
    swapped = {
        entry
        for entry in served
        if any(
            len(missing - {other}) == len(missing) - 1 and (entries - set(matching)) == (missing - {other}) | {entry}
            for matching in matchings
            for other in missing
        )
    }
    return Matching(tuple(sorted(missing)), tuple(sorted(swapped)), used)


candidate_lists = st.integers(0, 4).flatmap(
    lambda calls: st.tuples(
        st.lists(st.lists(st.integers(0, calls - 1), unique=True).map(sorted) if calls else st.just([]), max_size=4),
        st.just(calls),
    )
)


@settings(deadline=None, database=None, derandomize=True, max_examples=200)
@given(candidate_lists)
def test_against_every_matching(drawn: tuple[Candidates, int]) -> None:
    candidates, calls = drawn
    assert match(candidates, calls) == by_hand(candidates, calls)


@pytest.mark.parametrize(
    ("candidates", "calls", "expected"),
    [
        ([], 0, Matching((), (), ())),
        ([[0, 1], [0]], 2, Matching((), (), (0, 1))),
        ([[0], [0]], 1, Matching((1,), (0,), (0,))),
        ([[], [0]], 1, Matching((0,), (), (0,))),
        ([[0, 1]], 2, Matching((), (), (0,))),
    ],
)
def test_small_matchings(candidates: Candidates, calls: int, expected: Matching) -> None:
    assert match(candidates, calls) == expected


def test_long_chains_do_not_exhaust_the_stack() -> None:
    """Entry i fits calls i and i+1, the last one only the first call: everybody must move by one."""
    size = 3_000
    candidates = [[entry, entry + 1] for entry in range(size)] + [[0]]
    assert match(candidates, size + 1).missing == ()
