"""Finds the numbers, dates and times of a text."""

import re
from collections.abc import Callable
from decimal import Decimal
from functools import lru_cache
from typing import Literal, NamedTuple

from generator.judge import number_patterns as patterns
from generator.judge.number_words import MONTHS
from generator.judge.numerals import DIGITS, EXACT, numeral, scale_value

# A run of more digits is no quantity that a text states; the bound keeps arithmetic cheap.
MAX_DIGITS = 300
MAX_NUMERAL = 40
_CACHED_LENGTH = 20_000

Role = Literal["factual", "labelled", "structural", "code"]
_SHORT = {"k": 10**3, "K": 10**3, "M": 10**6, "B": 10**9, "bn": 10**9}
_WORDS = {"thousand": 10**3, "million": 10**6, "billion": 10**9, "trillion": 10**12}


class Amount(NamedTuple):
    """A number as it stands: `value` before division by `per` (100 after a percent sign, 1000 after ‰, else 1).

    `step` is the precision shown, on the scale of `value`. `signed`: a sign is written. `decreasing`: a word of
    decrease stands before it.
    """

    value: Decimal
    step: Decimal
    per: int
    signed: bool
    decreasing: bool


class Moment(NamedTuple):
    """A date, a time, or both; parts that are not given are None."""

    year: int | None = None
    month: int | None = None
    day: int | None = None
    hour: int | None = None
    minute: int | None = None
    second: int | None = None


class Mention(NamedTuple):
    """A number or a moment, and where it stands. `role` says why it may not count as a statement of fact."""

    start: int
    end: int
    role: Role
    what: Amount | Moment


def scan(text: str) -> tuple[Mention, ...]:
    """All mentions of a text in order; offsets count code points of the text as given."""
    if not patterns.ANY_NUMBER.search(normal := text.translate(patterns.NORMAL)):
        return ()
    return _scan_cached(normal) if len(normal) <= _CACHED_LENGTH else _scan(normal)


def _scan(text: str) -> tuple[Mention, ...]:
    fences = _fences(text)
    mentions: list[Mention] = []
    for found in patterns.TOKEN.finditer(text):
        reader = _READERS.get(found.lastgroup or "")
        mention = reader(text, found) if reader else None
        if mention is not None:
            if any(start <= mention.start < end for start, end in fences):
                mention = mention._replace(role="code")
            mentions.append(mention)
    return tuple(mentions)


# Contexts, results and prompts recur from run to run.
_scan_cached = lru_cache(maxsize=1024)(_scan)


def _fences(text: str) -> list[tuple[int, int]]:
    """Spans of fenced code; a fence that is not closed reaches to the end."""
    spans: list[tuple[int, int]] = []
    opened: re.Match[str] | None = None
    for fence in patterns.FENCE.finditer(text):
        if opened is None:
            opened = fence
        elif fence[1].startswith(opened[1]):
            spans.append((opened.start(), fence.end()))
            opened = None
    return spans if opened is None else [*spans, (opened.start(), len(text))]


def _number(text: str, found: re.Match[str]) -> Mention | None:
    whole = found["whole"].replace(",", "")
    decimals = (found["fraction"] or "")[1:]
    if len(whole) + len(decimals) > MAX_DIGITS:
        return None
    start = found.start()
    sign = found["sign"]
    if sign and patterns.RANGE.search(text, max(0, start - 12), start):
        start, sign = found.start("whole"), None
    exponent = int((found["exponent"] or "e0")[1:])
    scale = scale_value(found["scale"] or "") * _SHORT.get(found["short"] or "", 1) * _WORDS.get(found["word"] or "", 1)
    value = EXACT.multiply(Decimal(f"{whole}.{decimals}").scaleb(exponent, EXACT), Decimal(scale))
    step = EXACT.multiply(Decimal(1).scaleb(exponent - len(decimals), EXACT), Decimal(scale))
    for digits, more_scale in patterns.MORE.findall(found["more"] or ""):
        value, step = _add(value, digits, scale_value(more_scale))
    plain = not (decimals or found["exponent"] or found["scale"] or found["short"] or found["word"] or found["per"])
    if plain and patterns.APPROXIMATE.search(text, max(0, start - 16), start):
        step = _round_step(whole)
    signed = sign is not None and sign != ""
    if signed and sign[0] == "-":
        value = EXACT.minus(value)
    return _amount(text, start, found.end(), value, step, found["per"], signed)


def _add(value: Decimal, digits: str, scale: int) -> tuple[Decimal, Decimal]:
    """The next part of 1亿2000万, and the precision of the whole."""
    decimals = len(digits.partition(".")[2])
    return (
        EXACT.add(value, EXACT.multiply(Decimal(digits), Decimal(scale))),
        EXACT.multiply(Decimal(1).scaleb(-decimals, EXACT), Decimal(scale)),
    )


def _round_step(whole: str) -> Decimal:
    """The precision of an approximate integer: its trailing zeros do not count."""
    digits = whole.lstrip("0")
    return Decimal(1).scaleb(len(digits) - len(digits.rstrip("0")), EXACT)


def _chinese(text: str, found: re.Match[str]) -> Mention | None:
    written = found["numeral"]
    start, end = found.start("numeral"), found.end()
    if found["vague"] or text[end : end + 1] == "几" or not 2 <= len(written) <= MAX_NUMERAL:
        return None
    if written[0] in "百千万亿" or not any(character in "十百千万亿点" for character in written):
        return None
    read = numeral(written)
    if read is None:
        return None
    value, step = read
    if not any(character in "万亿点" for character in written) and not found["numeral_per"]:
        approximate = patterns.APPROXIMATE.search(text, max(0, start - 16), start)
        step = _round_step(str(int(value))) if approximate else step
    return _amount(text, start, end, value, step, found["numeral_per"], False)


def _percentage(text: str, found: re.Match[str]) -> Mention | None:
    """百分之十二点五, 百分之12.5, 百分之百, 千分之三."""
    digits, written = found["percent_digits"], found["percent_numeral"]
    if digits is not None:
        if len(digits) > MAX_DIGITS:
            return None
        value, step = Decimal(digits), Decimal(1).scaleb(-len(digits.partition(".")[2]), EXACT)
    else:
        read = (Decimal(100), Decimal(1)) if written == "百" else numeral(written[: MAX_NUMERAL + 1])
        if read is None or len(written) > MAX_NUMERAL:
            return None
        value, step = read
    return _amount(text, found.start(), found.end(), value, step, "‰" if found["percent"][0] == "千" else "%", False)


def _tenths(text: str, found: re.Match[str]) -> Mention | None:
    """三成 is 30%, 三成五 is 35%."""
    tens, more = found["tenths"], found["tenths_more"]
    value = 10 * (int(tens) if tens.isascii() else DIGITS[tens])
    if more:
        value += 5 if more == "半" else DIGITS[more]
    return _amount(text, found.start(), found.end(), Decimal(value), Decimal(1 if more else 10), "%", False)


def _amount(text: str, start: int, end: int, value: Decimal, step: Decimal, per: str | None, signed: bool) -> Mention:
    divisor = 1 if per is None else 1000 if per == "‰" else 100
    decreasing = patterns.DECREASE.search(text, max(0, start - 20), start) is not None
    amount = Amount(value, step, divisor, signed, decreasing)
    return Mention(start, end, "structural" if _is_structure(text, start, end) else "factual", amount)


def _is_structure(text: str, start: int, end: int) -> bool:
    """Whether a number only orders the text: 第2步, 表3, 以下3点, a list's or a heading's own number."""
    if patterns.STRUCTURE_BEFORE.search(text, max(0, start - 20), start):
        return True
    if patterns.LISTING_AFTER.match(text, end) and patterns.LISTING_BEFORE.search(text, max(0, start - 12), start):
        return True
    line = text.rfind("\n", 0, start) + 1
    if start - line > 12:
        return False
    if patterns.ORDINAL_AFTER.match(text, end) and patterns.ORDINAL_BEFORE.fullmatch(text, line, start):
        return True
    return bool(patterns.HEADING_AFTER.match(text, end) and patterns.HEADING_BEFORE.fullmatch(text, line, start))


def _labelled(text: str, found: re.Match[str]) -> Mention | None:
    digits = found["labelled"]
    if len(digits) > MAX_DIGITS or not digits.isdecimal():
        return None
    return Mention(
        found.start("labelled"), found.end("labelled"), "labelled", Amount(Decimal(digits), Decimal(1), 1, False, False)
    )


def _iso_date(text: str, found: re.Match[str]) -> Mention:
    parts = found.group("iso_year", "iso_month", "iso_day", "iso_hour", "iso_minute", "iso_second")
    return _moment(found, *parts)


def _chinese_date(text: str, found: re.Match[str]) -> Mention:
    if found["md_month"]:
        return _moment(found, None, found["md_month"], found["md_day"])
    return _moment(found, found["cn_year"], found["cn_month"], found["cn_day"])


def _english_date(text: str, found: re.Match[str]) -> Mention:
    name = found["en_month"] or found["dm_month"] or found["my_month"]
    month = next(place for place, full in enumerate(MONTHS, 1) if full.startswith(name[:3]))
    year = found["en_year"] or found["dm_year"] or found["my_year"]
    return _moment(found, year, str(month), found["en_day"] or found["dm_day"])


def _time(text: str, found: re.Match[str]) -> Mention:
    hour = int(found["hour"])
    half = (found["half"] or "").lower()
    if hour < 12 and (half == "p" or patterns.AFTERNOON.search(text, max(0, found.start() - 4), found.start())):
        hour += 12
    elif hour == 12 and half == "a":
        hour = 0
    return _moment(found, None, None, None, str(hour), found["minute"], found["second"])


def _moment(found: re.Match[str], *parts: str | None) -> Mention:
    moment = Moment(*(None if part is None else int(part) for part in parts))
    return Mention(found.start(), found.end(), "factual", moment)


_READERS: dict[str, Callable[[str, re.Match[str]], Mention | None]] = {
    "number": _number,
    "chinese": _chinese,
    "percentage": _percentage,
    "tenth": _tenths,
    "label": _labelled,
    "iso_date": _iso_date,
    "chinese_date": _chinese_date,
    "english_date": _english_date,
    "time": _time,
}
