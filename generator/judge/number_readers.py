"""Reads what `number_patterns.TOKEN` finds, one function an alternative."""

import re
from collections.abc import Callable
from decimal import Decimal

from generator.judge.number_mentions import Amount, Mention, Moment
from generator.judge.number_patterns import MORE
from generator.judge.number_surroundings import Surroundings
from generator.judge.number_words import MONTHS
from generator.judge.numerals import DIGITS, EXACT, numeral, scale_value

# A run of more digits is no quantity that a text states; the bounds keep arithmetic cheap.
MAX_DIGITS = 300
MAX_NUMERAL = 40

_SHORT = {"k": 10**3, "K": 10**3, "M": 10**6, "B": 10**9, "bn": 10**9}
_WORDS = {"thousand": 10**3, "million": 10**6, "billion": 10**9, "trillion": 10**12}
_NUMBER_GROUPS = ("sign", "whole", "fraction", "exponent", "scale", "more", "short", "word", "per")


def _number(around: Surroundings, found: re.Match[str]) -> Mention | None:
    sign, whole, fraction, exponent, scale, more, short, word, per = found.group(*_NUMBER_GROUPS)
    whole, fraction = whole.replace(",", ""), fraction or ""
    if len(whole) + len(fraction) > MAX_DIGITS:
        return None
    start = found.start()
    if sign and around.is_range(start):
        start, sign = found.start("whole"), None
    value, step = Decimal(whole + fraction), _last_place(fraction)
    if exponent:
        shift = int(exponent[1:])
        value, step = value.scaleb(shift, EXACT), step.scaleb(shift, EXACT)
    elif scale or short or word:
        factor = Decimal(scale_value(scale) if scale else _SHORT[short] if short else _WORDS[word])
        value, step = EXACT.multiply(value, factor), EXACT.multiply(step, factor)
        for digits, next_scale in MORE.findall(more or ""):
            value, step = _add(value, digits, next_scale)
    elif not fraction and not per and around.is_approximate(start):
        step = _round_step(whole)
    if sign and sign[0] == "-":
        value = EXACT.minus(value)
    return _amount(around, (start, found.end()), value, step, per, signed=bool(sign))


def _add(value: Decimal, digits: str, scale: str) -> tuple[Decimal, Decimal]:
    """The next part of 1亿2000万, and the precision of the whole."""
    factor = Decimal(scale_value(scale))
    _, point, decimals = digits.partition(".")
    part, step = Decimal(digits), _last_place(point + decimals)
    return EXACT.add(value, EXACT.multiply(part, factor)), EXACT.multiply(step, factor)


def _last_place(fraction: str) -> Decimal:
    """The value of the last place of `.25`; 1 for the empty text."""
    return Decimal(1).scaleb(1 - len(fraction), EXACT) if fraction else Decimal(1)


def _round_step(whole: str) -> Decimal:
    """The precision of an approximate integer: its trailing zeros do not count."""
    digits = whole.lstrip("0")
    return Decimal(1).scaleb(len(digits) - len(digits.rstrip("0")), EXACT)


def _chinese(around: Surroundings, found: re.Match[str]) -> Mention | None:
    written = found["numeral"]
    start, end = found.start("numeral"), found.end()
    if found["vague"] or around.follows("几", end) or not 2 <= len(written) <= MAX_NUMERAL:
        return None
    if written[0] in "百千万亿" or not any(character in "十百千万亿点" for character in written):
        return None
    read = numeral(written)
    if read is None:
        return None
    value, step = read
    if not any(character in "万亿点" for character in written) and not found["numeral_per"]:
        step = _round_step(str(int(value))) if around.is_approximate(start) else step
    return _amount(around, (start, end), value, step, found["numeral_per"])


def _percentage(around: Surroundings, found: re.Match[str]) -> Mention | None:
    """百分之十二点五, 百分之12.5, 百分之百, 千分之三."""
    digits, written = found["percent_digits"], found["percent_numeral"]
    if digits is not None:
        if len(digits) > MAX_DIGITS:
            return None
        _, point, decimals = digits.partition(".")
        value, step = Decimal(digits), _last_place(point + decimals)
    else:
        read = (Decimal(100), Decimal(1)) if written == "百" else numeral(written[: MAX_NUMERAL + 1])
        if read is None or len(written) > MAX_NUMERAL:
            return None
        value, step = read
    return _amount(around, found.span(), value, step, "‰" if found["percent"][0] == "千" else "%")


def _tenths(around: Surroundings, found: re.Match[str]) -> Mention | None:
    """三成 is 30%, 三成五 is 35%."""
    digit, more = found["digit_tenths"], found["tenths_more"]
    value = 10 * (int(digit) if digit else DIGITS[found["tenths"]])
    if more:
        value += 5 if more == "半" else DIGITS[more]
    return _amount(around, found.span(), Decimal(value), Decimal(1 if more else 10), "%")


def _amount(
    around: Surroundings, place: tuple[int, int], value: Decimal, step: Decimal, per: str | None, signed: bool = False
) -> Mention:
    start, end = place
    divisor = 1 if per is None else 1000 if per == "‰" else 100
    amount = Amount(value, step, divisor, signed, around.is_decreasing(start))
    return Mention(start, end, "structural" if around.is_structure(start, end) else "factual", amount)


def _labelled(around: Surroundings, found: re.Match[str]) -> Mention | None:
    group = "labelled" if found["labelled"] else "latin_labelled"
    digits = found[group]
    if len(digits) > MAX_DIGITS or not digits.isdecimal():
        return None
    amount = Amount(Decimal(digits), Decimal(1), 1, False, False)
    return Mention(found.start(group), found.end(group), "labelled", amount)


def _iso_date(around: Surroundings, found: re.Match[str]) -> Mention:
    parts = found.group("iso_year", "iso_month", "iso_day", "iso_hour", "iso_minute", "iso_second")
    return _moment(found, *parts)


def _chinese_date(around: Surroundings, found: re.Match[str]) -> Mention:
    if found["md_month"]:
        return _moment(found, None, found["md_month"], found["md_day"])
    return _moment(found, found["cn_year"], found["cn_month"], found["cn_day"])


def _day_month(around: Surroundings, found: re.Match[str]) -> Mention:
    return _moment(found, found["dm_year"], _month(found["dm_month"]), found["dm_day"])


def _month_day(around: Surroundings, found: re.Match[str]) -> Mention:
    if found["my_month"]:
        return _moment(found, found["my_year"], _month(found["my_month"]))
    return _moment(found, found["en_year"], _month(found["en_month"]), found["en_day"])


def _month(name: str) -> str:
    return str(next(place for place, full in enumerate(MONTHS, 1) if full.startswith(name[:3])))


def _time(around: Surroundings, found: re.Match[str]) -> Mention:
    hour = int(found["hour"])
    half = (found["half"] or "").lower()
    if hour < 12 and (half == "p" or around.is_afternoon(found.start())):
        hour += 12
    elif hour == 12 and half == "a":
        hour = 0
    return _moment(found, None, None, None, str(hour), found["minute"], found["second"])


def _moment(found: re.Match[str], *parts: str | None) -> Mention:
    moment = Moment(*(None if part is None else int(part) for part in parts))
    return Mention(found.start(), found.end(), "factual", moment)


READERS: dict[str, Callable[[Surroundings, re.Match[str]], Mention | None]] = {
    "number": _number,
    "chinese": _chinese,
    "percentage": _percentage,
    "tenth": _tenths,
    "digit_tenth": _tenths,
    "label": _labelled,
    "latin_label": _labelled,
    "iso_date": _iso_date,
    "chinese_date": _chinese_date,
    "day_month": _day_month,
    "month_day": _month_day,
    "time": _time,
}
