"""How a value is written: the same digits in both languages, rounded half away from zero on the exact value."""

from decimal import Decimal
from fractions import Fraction

MINUS = "\N{MINUS SIGN}"
NO_VALUE = "\N{EM DASH}"


def exact(value: int | float | str) -> Fraction:
    """The exact value of a JSON number: of its decimal text, not of the binary float behind it."""
    return Fraction(Decimal(repr(value) if isinstance(value, float) else value))


def round_half_away(value: Fraction, decimals: int) -> Fraction:
    """`value` rounded to so many decimals, ties away from zero."""
    scale = 10**decimals
    scaled = abs(value) * scale
    rounded = (2 * scaled.numerator + scaled.denominator) // (2 * scaled.denominator)
    return Fraction(rounded if value >= 0 else -rounded, scale)


def decimal_text(value: Fraction, decimals: int) -> str:
    """`value` with exactly so many decimals, thousands separated by commas, U+2212 for minus; zero has no sign."""
    rounded = round_half_away(value, decimals)
    scaled = abs(rounded.numerator) * 10**decimals // rounded.denominator
    whole, fraction = divmod(scaled, 10**decimals)
    digits = f"{whole:,}" + (f".{fraction:0{decimals}d}" if decimals else "")
    return (MINUS if rounded < 0 else "") + digits


def configured_text(value: int | float) -> str:
    """A configured value, with the decimals that it has."""
    exactly, decimals = exact(value), 0
    while (exactly * 10**decimals).denominator != 1:
        decimals += 1
    return decimal_text(exactly, decimals)


def signed_text(value: Fraction, decimals: int) -> str:
    """As `decimal_text`, with a plus for what is above zero after rounding."""
    text = decimal_text(value, decimals)
    return f"+{text}" if round_half_away(value, decimals) > 0 else text


def value_text(value: Fraction | None, unit: str, decimals: int, *, difference: bool = False) -> str:
    """The text of a number, without the words that follow it.

    The unit `ratio` is shown as a percentage (`55.6%`), its difference in points (`−34.6`, the word for points
    follows). `usd` is led by `$`. A `p` below the last decimal is written as such (`<0.0001`). All other units are
    shown as the value itself. None is an em dash.
    """
    if value is None:
        return NO_VALUE
    smallest = Fraction(1, 10**decimals)
    if unit == "p" and not difference and value < smallest:
        return f"<{decimal_text(smallest, decimals)}"
    if unit == "ratio":
        return signed_text(value * 100, decimals) if difference else decimal_text(value * 100, decimals) + "%"
    if difference:
        return signed_text(value, decimals)
    return f"${decimal_text(value, decimals)}" if unit == "usd" else decimal_text(value, decimals)


def published_float(value: Fraction | float) -> float:
    """The float that is published: 12 significant digits, so that no order of summation shows."""
    return float(f"{float(value):.12g}")
