"""Composition by hand: the figures of an audit, and a split that adds up."""

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generator.stats.composition import decompose

COUNTS = st.integers(0, 9).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))
GROUP = st.dictionaries(st.sampled_from("abc"), COUNTS)


def test_a_pooled_rate_that_differs_from_its_part_by_composition_alone() -> None:
    """63 of 63 legacy cases and 49 of 76 others: 112/139 pooled. Leaving the legacy cases out changes no rate of a
    category, so the whole distance of 16.10 points is composition."""
    found = decompose({"legacy": (63, 63), "other": (49, 76)}, {"other": (49, 76)})
    assert found is not None
    assert (found.composition, found.rate) == (Fraction(112, 139) - Fraction(49, 76), Fraction(0))
    assert round(float(found.composition * 100), 2) == 16.10
    assert found.differs


def test_a_split_by_hand() -> None:
    """8/10 against 8/11: basic 5/7 and 6/8, safety 3/3 and 2/3."""
    found = decompose({"basic": (5, 7), "safety": (3, 3)}, {"basic": (6, 8), "safety": (2, 3)})
    assert found is not None
    basic = found.categories["basic"]
    assert (basic.weight, basic.baseline_weight) == (Fraction(7, 10), Fraction(8, 11))
    # (7/10 − 8/11)·(5/7 + 3/4)/2 = −3/110 · 41/56, and (5/7 − 3/4)·(7/10 + 8/11)/2 = −1/28 · 157/220.
    assert (basic.composition, basic.rate) == (Fraction(-123, 6160), Fraction(-157, 6160))
    assert found.composition + found.rate == Fraction(8, 10) - Fraction(8, 11)


def test_groups_of_the_same_composition_differ_in_rates_alone() -> None:
    found = decompose({"a": (1, 2), "b": (2, 4)}, {"a": (2, 3), "b": (1, 6)})
    assert found is not None
    assert (found.differs, found.composition, found.rate) == (False, Fraction(0), Fraction(1, 2) - Fraction(1, 3))


def test_an_empty_group_has_no_split() -> None:
    assert decompose({}, {"a": (1, 2)}) is None
    with pytest.raises(ValueError, match=r"hits must lie in \[0, n\], got 3 of 2"):
        decompose({"a": (3, 2)}, {"a": (1, 2)})


@settings(deadline=None, derandomize=True, max_examples=100)
@given(GROUP, GROUP)
def test_the_parts_add_up_and_turn_round(own: dict[str, tuple[int, int]], base: dict[str, tuple[int, int]]) -> None:
    found, turned = decompose(own, base), decompose(base, own)
    if found is None or turned is None:
        assert not sum(n for _, n in own.values()) or not sum(n for _, n in base.values())
        return
    rates = [Fraction(sum(hits for hits, _ in side.values()), sum(n for _, n in side.values())) for side in (own, base)]
    assert found.composition + found.rate == rates[0] - rates[1]
    assert (turned.composition, turned.rate) == (-found.composition, -found.rate)
