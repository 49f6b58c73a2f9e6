"""Exact arithmetic and the way values are written, a second time."""

import math
from collections.abc import Sequence
from fractions import Fraction
from statistics import NormalDist


def rounded(value: Fraction, decimals: int) -> Fraction:
    """Half away from zero."""
    scaled = abs(value) * 10**decimals
    whole = math.floor(scaled + Fraction(1, 2))
    return Fraction(whole if value > 0 else -whole, 10**decimals)


def decimal_text(value: Fraction, decimals: int) -> str:
    """With commas between thousands and U+2212 for minus."""
    shown = rounded(value, decimals)
    digits = str(abs(int(shown * 10**decimals))).rjust(decimals + 1, "0")
    whole, part = (digits[:-decimals], "." + digits[-decimals:]) if decimals else (digits, "")
    return ("\u2212" if shown < 0 else "") + f"{int(whole):,}" + part


def plain_decimal(value: Fraction) -> str:
    """All digits of a value that JSON wrote with a point, at least one behind it: `0.0`, `-1.25`."""
    decimals = next(count for count in range(1, 400) if (value * 10**count).denominator == 1)
    return decimal_text(value, decimals).replace(",", "").replace("\u2212", "-")


def value_text(value: Fraction | None, unit: str, decimals: int, is_difference: bool) -> str:
    if value is None:
        return "\u2014"
    if unit == "p" and value * 10**decimals < 1:
        return f"<{decimal_text(Fraction(1, 10**decimals), decimals)}"
    if unit == "ratio":
        value *= 100
    text = decimal_text(value, decimals)
    if is_difference:
        return f"+{text}" if rounded(value, decimals) > 0 else text
    return {"ratio": f"{text}%", "usd": f"${text}"}.get(unit, text)


def same(published: object, exact: Fraction | None) -> bool:
    """Whether a published value is the exact one: to relative 1e-12, or to the 12 digits that are published."""
    if exact is None or published is None or not isinstance(published, int | Fraction):
        return exact is None and published is None
    return abs(published - exact) <= abs(exact) * Fraction(5, 10**12)


def wilson(hits: float, n: float, level: float) -> tuple[float, float] | None:
    """Wilson (1927), by the roots of the quadratic in p."""
    if n == 0:
        return None
    z2 = NormalDist().inv_cdf((1 + level) / 2) ** 2
    a, b, c = n + z2, -(2 * hits + z2), hits * hits / n
    root = math.sqrt(max(0.0, b * b - 4 * a * c))
    low, high = (-b - root) / (2 * a), (-b + root) / (2 * a)
    return (0.0 if hits == 0 else low), (1.0 if hits == n else high)


def newcombe(hits: tuple[int, int], n: tuple[int, int], level: float) -> tuple[float, float] | None:
    """Newcombe (1998), method 10, of the first proportion minus the second."""
    first, second = wilson(hits[0], n[0], level), wilson(hits[1], n[1], level)
    if first is None or second is None:
        return None
    p, q = hits[0] / n[0], hits[1] / n[1]
    low = p - q - math.hypot(p - first[0], second[1] - q)
    high = p - q + math.hypot(first[1] - p, q - second[0])
    return low, high


def quantile(values: Sequence[Fraction], p: Fraction) -> Fraction:
    """percentile_cont: linear between the two values around rank (n − 1)·p."""
    ordered = sorted(values)
    place = (len(ordered) - 1) * p
    below = math.floor(place)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (place - below) * (ordered[above] - ordered[below])


def all_digits(value: Fraction) -> str:
    """A configured value with the decimals that it has."""
    decimals = next(count for count in range(400) if (value * 10**count).denominator == 1)
    return decimal_text(value, decimals)
