"""The second arithmetic, by hand and against published values."""

from fractions import Fraction

import pytest

from generator.verify import exact
from generator.verify.names import file_name, runset_name


@pytest.mark.parametrize(
    ("value", "unit", "decimals", "difference", "text"),
    [
        (Fraction(5, 9), "ratio", 1, False, "55.6%"),
        (Fraction(1, 2000), "ratio", 1, False, "0.1%"),
        (Fraction(-1, 2000), "ratio", 1, True, "\u22120.1"),
        (Fraction(-1, 4000), "ratio", 1, True, "0.0"),
        (Fraction(346, 1000), "ratio", 1, True, "+34.6"),
        (Fraction(12345678, 10), "ms", 0, False, "1,234,568"),
        (Fraction(25, 2), "tokens", 0, True, "+13"),
        (Fraction(1, 200), "usd", 2, False, "$0.01"),
        (Fraction(0), "runs", 0, False, "0"),
        (None, "ratio", 1, False, "\u2014"),
    ],
)
def test_value_text(value: Fraction | None, unit: str, decimals: int, difference: bool, text: str) -> None:
    assert exact.value_text(value, unit, decimals, difference) == text


def test_wilson_at_45_of_50_is_the_corrected_value_of_the_reference() -> None:
    low, high = exact.wilson(45, 50, 0.95) or (None, None)
    assert low == pytest.approx(0.7864, abs=5e-5)
    assert high == pytest.approx(0.9565, abs=5e-5)


@pytest.mark.parametrize(("hits", "n", "ends"), [(0, 7, (0.0, None)), (7, 7, (None, 1.0))])
def test_wilson_is_pinned_at_its_ends(hits: int, n: int, ends: tuple[float | None, float | None]) -> None:
    interval = exact.wilson(hits, n, 0.95)
    assert interval is not None
    assert all(end is None or end == bound for end, bound in zip(ends, interval, strict=True))


def test_quantile_between_ranks() -> None:
    # h = 3·0.95 = 2.85: 30 + 0.85·(40 − 30)
    assert exact.quantile([Fraction(40), Fraction(10), Fraction(30), Fraction(20)], Fraction(95, 100)) == Fraction(
        77, 2
    )


def test_a_published_value_may_lack_what_lies_beyond_twelve_digits() -> None:
    assert exact.same(Fraction("0.333333333333"), Fraction(1, 3))
    assert not exact.same(Fraction("0.33333333333"), Fraction(1, 3))
    assert not exact.same(None, Fraction(0))
    assert not exact.same(0, None)


@pytest.mark.parametrize(
    ("identifier", "name"),
    [
        ("ctx-2026-11", "ctx-2026-11"),
        ("CON", "con-"),
        ("con", "con-"),
        ("../x", "x-"),
        ("中文", "id-"),
        ("a" * 300, "a" * 48 + "-"),
    ],
)
def test_file_names_are_plain_or_end_in_a_hash(identifier: str, name: str) -> None:
    found = file_name(identifier)
    assert found == name if not name.endswith("-") else found.startswith(name)
    assert len(found) <= 64


def test_a_run_set_is_named_by_its_sorted_ids() -> None:
    # printf 'a\nb' | sha256sum
    assert runset_name({"b", "a"}) == "rs-7e18f737311b2dc3"
    assert runset_name(set()) is None
