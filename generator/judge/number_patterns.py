"""The grammar of numbers, dates, times and identifiers, as regular expressions over normalised text.

`TOKEN` is one alternation: at each place the first alternative that fits wins, so identifiers and dates go before plain
numbers. Every repetition is bounded by a character class or possessive, so that hostile text stays linear.

Beyond the formats of the metric's definition, English ones are read the same way, because answers come in both
languages: month names, am and pm, million, per cent; and 十亿, 百亿, 千亿 beside the scales that it lists.
"""

import re

from generator.judge import number_words as words

# Full-width digits and signs become ASCII, one character for one, so that offsets stay. The full-width comma and 、
# remain separators.
_WIDE, _ASCII = "０１２３４５６７８９．％＋－／：−", "0123456789.%+-/:-"
_NORMAL = str.maketrans(_WIDE, _ASCII)
_ANY_WIDE = re.compile(f"[{_WIDE}]")

ANY_NUMBER = re.compile(r"[0-9十百千万亿点成]|百分之")
FENCE = re.compile(r"^[ \t]*(`{3,}|~{3,})", re.MULTILINE)


def normalised(text: str) -> str:
    """The text with ASCII digits and signs. Most texts have nothing else, and a search is far cheaper than a copy."""
    return text.translate(_NORMAL) if _ANY_WIDE.search(text) else text


def any_of(items: tuple[str, ...] | list[str]) -> str:
    """An alternation of literal words, longest first."""
    return "|".join(re.escape(item) for item in sorted(items, key=lambda item: (-len(item), item)))


# One space inside a number or a date; never a line break.
_SP = r"[ \t\u00a0\u3000]"

_YEAR = r"[0-9]{4}"
_MONTH = r"(?:1[0-2]|0?[1-9])"
_DAY = r"(?:3[01]|[12][0-9]|0?[1-9])"
_HOUR = r"(?:2[0-4]|[01]?[0-9])"
_SIXTY = r"[0-5][0-9]"
_MONTH_NAME = "(?:" + "|".join(rf"{name[:3]}(?:{name[3:]})?" for name in words.MONTHS) + r"|Sept)\.?"
_ORDINAL = r"(?:st|nd|rd|th)?"
_END = r"(?![0-9A-Za-z])"
_TOKEN_START = r"(?<![0-9A-Za-z])"

_ISO_DATE = (
    rf"{_TOKEN_START}(?P<iso_year>{_YEAR})(?P<iso_sep>[-/.])(?P<iso_month>{_MONTH})(?P=iso_sep)(?P<iso_day>{_DAY})"
    rf"(?:T(?P<iso_hour>{_HOUR}):(?P<iso_minute>{_SIXTY})(?::(?P<iso_second>{_SIXTY})(?:\.[0-9]+)?)?"
    rf"(?:Z|[+-][0-9]{{2}}:?[0-9]{{2}})?)?{_END}(?!(?P=iso_sep)[0-9A-Za-z])"
)
_CHINESE_DATE = (
    rf"(?<![0-9])(?P<cn_year>{_YEAR}){_SP}?年"
    rf"(?:{_SP}?(?P<cn_month>{_MONTH}){_SP}?月(?:份|{_SP}?(?P<cn_day>{_DAY}){_SP}?[日号])?)?"
    rf"|(?<![0-9])(?P<md_month>{_MONTH}){_SP}?月{_SP}?(?P<md_day>{_DAY}){_SP}?[日号]"
)
_DAY_MONTH = (
    rf"{_TOKEN_START}(?P<dm_day>{_DAY}){_ORDINAL} (?:of )?(?P<dm_month>{_MONTH_NAME})(?![A-Za-z])"
    rf"(?:,? (?P<dm_year>{_YEAR}){_END})?"
)
_MONTH_DAY = (
    rf"(?P<en_month>{_MONTH_NAME}) (?P<en_day>{_DAY}){_ORDINAL}(?![0-9A-Za-z:%]|\.[0-9])"
    rf"(?:,? (?P<en_year>{_YEAR}){_END})?"
    rf"|(?P<my_month>{_MONTH_NAME}),? (?P<my_year>{_YEAR}){_END}"
)
_TIME = (
    rf"(?<![0-9A-Za-z:.])(?P<hour>{_HOUR}):(?P<minute>{_SIXTY})(?::(?P<second>{_SIXTY}))?(?![0-9:])"
    rf"(?:{_SP}?(?P<half>[AaPp])\.?[Mm](?![A-Za-z]))?"
)

# A label swallows the token after it; digits alone are kept aside, for facts that are such numbers.
_NAME = r"[0-9A-Za-z]++(?:[-_./][0-9A-Za-z]++)*+"
_AFTER_LABEL = rf"[\"'”]?{_SP}{{0,2}}(?:[:=]|为|是)?{_SP}{{0,2}}[\"'“#]?"
_LABEL = rf"(?:(?:{any_of(words.ID_LABELS)}){_AFTER_LABEL}|#)(?P<labelled>{_NAME})"
_LATIN_LABEL = rf"(?:ID|Id|id|N[oO]\.){_AFTER_LABEL}(?P<latin_labelled>{_NAME})"

# Letters and digits in one token: an identifier, unless it is digits with a unit (120ms, 3kg-5kg, 30-day) or a
# currency code with digits.
_QUANTITY = r"[0-9]++(?:\.[0-9]++)?(?:[eE][+-]?[0-9]{1,3})?[A-Za-z]*+"
_NOT_JOINED = r"(?<![0-9A-Za-z])(?<![0-9A-Za-z][-._])"
_JOINED = r"[0-9A-Za-z]++(?:[-._][0-9A-Za-z]++)*+"
_DIGIT_IDENTIFIER = (
    rf"{_NOT_JOINED}(?=[0-9._-]*+[A-Za-z])"
    rf"(?!{_QUANTITY}(?:-{_QUANTITY})*(?:-[A-Za-z]++)*{_END}(?![-_.][0-9A-Za-z])){_JOINED}"
)
_IDENTIFIER = rf"(?<![0-9A-Za-z][-._])(?=[A-Za-z._-]*+[0-9])(?!(?:{'|'.join(words.CURRENCY_CODES)})[0-9]){_JOINED}"
_DOTTED = r"(?<![0-9A-Za-z.])[0-9]++(?:\.[0-9]++){2,}+(?::[0-9]++)?(?:/[0-9]++)?"

SCALE = r"(?:[十百千]?(?:万亿|亿|万)|千(?![克米瓦卡帕赫字]))"
_PER = rf"(?:{_SP}?(?P<{{0}}>%|‰|个?百分点|per ?cent(?![a-z])|percentage points?))?"
_NUMBER = (
    rf"(?P<sign>(?<![0-9A-Za-z_])[+-](?=[{words.CURRENCY_SIGNS}]?[0-9])[{words.CURRENCY_SIGNS}]?)?"
    r"(?P<whole>[0-9]{1,3}(?:,[0-9]{3})+(?![0-9])|[0-9]++)(?P<fraction>\.[0-9]++)?"
    rf"(?:(?P<exponent>[eE][+-]?[0-9]{{1,3}}){_END})?"
    rf"(?:{_SP}?(?P<scale>{SCALE})(?P<more>(?:[0-9]++(?:\.[0-9]++)?{SCALE})*+(?:(?<=万)[0-9]{{4}}(?![0-9.,%‰]))?)"
    rf"|(?P<short>k|K|M|B|bn){_END}| (?P<word>thousand|million|billion|trillion)(?![A-Za-z]))?" + _PER.format("per")
)

_NUMERAL_DIGITS = "零〇一二两三四五六七八九"
_NUMERAL = rf"[{_NUMERAL_DIGITS}十百千万亿]++(?:点(?!一刻)[{_NUMERAL_DIGITS}]++(?:[十百千]?(?:万亿|亿|万)|千)?)?"
_PERCENT = rf"(?P<percent>[百千]分之)(?:(?P<percent_digits>[0-9]++(?:\.[0-9]++)?)|(?P<percent_numeral>{_NUMERAL}))"
_TENTHS = rf"{_SP}?成(?![{words.NOT_TENTHS}])"
_DIGIT_TENTHS = rf"(?<![0-9.])(?P<digit_tenths>[1-9]){_TENTHS}"
_CHINESE_TENTHS = (
    rf"(?<![{_NUMERAL_DIGITS}十百千万])(?P<tenths>[一二两三四五六七八九]){_TENTHS}"
    r"(?P<tenths_more>[一二三四五六七八九半])?"
)
# 几十万 and 数百 are no numbers; 总数, 人数 and the like are no such 数.
_CHINESE = rf"(?P<vague>几|(?<![总人次份个件户天点页指参基系倍分])数)?(?P<numeral>{_NUMERAL})" + _PER.format(
    "numeral_per"
)

# By first character, so that most places of a text fail at once. In each set the first alternative that fits wins.
_FROM_DIGIT = {
    "iso_date": _ISO_DATE,
    "chinese_date": _CHINESE_DATE,
    "day_month": _DAY_MONTH,
    "digit_identifier": _DIGIT_IDENTIFIER,
    "dotted": _DOTTED,
    "time": _TIME,
    "digit_tenth": _DIGIT_TENTHS,
    "number": _NUMBER,
}
_FROM_LETTER = {
    "url": r"(?:https?|ftp)://[!-~]*+|www\.[!-~]++",
    "month_day": _MONTH_DAY,
    "latin_label": _LATIN_LABEL,
    "identifier": _IDENTIFIER,
}
_FROM_OTHER = {
    "label": _LABEL,
    "idiom": any_of(words.IDIOMS),
    "percentage": _PERCENT,
    "tenth": _CHINESE_TENTHS,
    "chinese": _CHINESE,
}


def _first_fit(alternatives: dict[str, str]) -> str:
    """The outer group closes last, so `lastgroup` names the alternative."""
    return "(?:" + "|".join(f"(?P<{name}>{pattern})" for name, pattern in alternatives.items()) + ")"


_OTHER_STARTS = "#几数十百千万亿" + _NUMERAL_DIGITS + "".join(word[0] for word in (*words.ID_LABELS, *words.IDIOMS))
TOKEN = re.compile(
    rf"(?=[0-9+-]){_first_fit(_FROM_DIGIT)}"
    rf"|(?=[A-Za-z]){_TOKEN_START}{_first_fit(_FROM_LETTER)}"
    rf"|(?=[{_OTHER_STARTS}]){_first_fit(_FROM_OTHER)}"
)
MORE = re.compile(rf"([0-9]+(?:\.[0-9]+)?)({SCALE})?")
