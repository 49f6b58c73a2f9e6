import hashlib

import pytest

from generator.stats.counter import CounterDraws


def test_words_are_those_of_the_documented_stream() -> None:
    draws = CounterDraws("runcite")
    first = hashlib.sha256(b"runcite:0").digest() + hashlib.sha256(b"runcite:1").digest()
    expected = [int(first[i : i + 8].hex(), 16) for i in range(0, 64, 8)]
    assert [draws.word() for _ in range(8)] == expected
    assert expected[0] == 0xCB404AD426C0D8E9


def test_words_above_the_last_multiple_are_thrown_away() -> None:
    # Below 2⁶³ + 1 the limit is 2⁶³ + 1 itself: about half of the words are refused, the others stay as they are.
    draws, words, m = CounterDraws("réponse"), CounterDraws("réponse"), 2**63 + 1
    kept = [word for word in (words.word() for _ in range(40)) if word < m]
    assert 10 < len(kept) < 30
    assert [draws.below(m) for _ in kept] == kept


def test_many_are_the_same_as_one_after_the_other() -> None:
    one, many = CounterDraws("a"), CounterDraws("a")
    assert [one.below(7) for _ in range(20)] == many.many_below(7, 9) + many.many_below(7, 11)
    assert one.word() == many.word()


def test_each_result_is_about_as_frequent() -> None:
    drawn = CounterDraws("frequencies").many_below(6, 6000)
    # Six standard deviations, √(6000·(1/6)·(5/6)) = 28.9, about the expected 1000.
    assert all(abs(drawn.count(face) - 1000) < 174 for face in range(6))


@pytest.mark.parametrize("m", [0, -3, 2**64 + 1])
def test_impossible_ranges_are_refused(m: int) -> None:
    with pytest.raises(ValueError, match=r"m must lie in \[1, 2\^64\]"):
        CounterDraws("a").below(m)


def test_the_ends_of_the_range() -> None:
    assert CounterDraws("a").below(1) == 0
    assert CounterDraws("a").below(2**64) == CounterDraws("a").word()
