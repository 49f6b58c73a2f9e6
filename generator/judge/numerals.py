"""Numbers written in Chinese characters."""

from decimal import Context, Decimal

DIGITS = {character: value for value, character in enumerate("零一二三四五六七八九")} | {"〇": 0, "两": 2}
SMALL_UNITS = {"十": 10, "百": 100, "千": 1000}
LARGE_UNITS = {"万": 10**4, "亿": 10**8}
UNITS = SMALL_UNITS | LARGE_UNITS

# Wide enough for every number that the scanner lets through, so that no operation rounds.
EXACT = Context(prec=2000, Emax=10**9, Emin=-(10**9))


def scale_value(scale: str) -> int:
    """The factor that a scale word such as 万, 千万 or 万亿 stands for."""
    factor = 1
    for character in scale:
        factor *= UNITS[character]
    return factor


def numeral(text: str) -> tuple[Decimal, Decimal] | None:
    """Value and shown precision of a numeral such as 十二点五, 一亿二千万, 两千五; None if it is none (三四十).

    The precision follows that of digits with a scale: the scale that ends the numeral (千, 万, 千万 …; 十 and 百 alone
    are none), or the last decimal.
    """
    whole, point, rest = text.partition("点")
    if point:
        decimals = rest.rstrip("十百千万亿")
        return _with_decimals(whole, decimals, rest[len(decimals) :])
    value = _integer(whole)
    return None if value is None else (Decimal(value), Decimal(_precision(whole)))


def _with_decimals(whole: str, decimals: str, scale: str) -> tuple[Decimal, Decimal] | None:
    value = _integer(whole)
    if value is None or not decimals:
        return None
    digits = "".join(str(DIGITS[character]) for character in decimals)
    step = EXACT.multiply(Decimal(1).scaleb(-len(digits), EXACT), Decimal(scale_value(scale)))
    return EXACT.multiply(Decimal(f"{value}.{digits}"), Decimal(scale_value(scale))), step


def _precision(whole: str) -> int:
    scale = whole[len(whole.rstrip("十百千万亿")) :]
    if scale and any(character in "千万亿" for character in scale):
        return scale_value(scale)
    if len(whole) > 1 and not scale and UNITS.get(whole[-2], 10) > 10:
        return UNITS[whole[-2]] // 10
    return 1


def _integer(text: str) -> int | None:
    total = section = 0
    digit: int | None = None
    smallest, largest = 10**4, 10**16
    for place, character in enumerate(text):
        if character in DIGITS:
            if digit:
                return None
            digit = DIGITS[character]
        elif character in SMALL_UNITS:
            unit = SMALL_UNITS[character]
            if unit >= smallest or (not digit and not (unit == 10 and digit is None)):
                return None
            section, digit, smallest = section + (digit or 1) * unit, None, unit
        else:
            unit = LARGE_UNITS[character]
            section, digit, smallest = section + (digit or 0), None, 10**4
            if place and text[place - 1] in LARGE_UNITS:
                total, section = total * unit, 0
            elif section and unit < largest:
                total, section, largest = total + section * unit, 0, unit
            else:
                return None
    return total + section + _last_digit(text, digit or 0)


def _last_digit(text: str, digit: int) -> int:
    """What the last digit counts: after a unit above ten it counts tenths of it (两千五 is 2500)."""
    before = UNITS.get(text[-2], 10) if len(text) > 1 else 10
    return digit * before // 10 if digit and before > 10 else digit
