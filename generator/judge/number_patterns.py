"""The grammar of numbers, dates, times and identifiers, as regular expressions over normalised text.

`TOKEN` is one alternation: at each place the first alternative that fits wins, so identifiers and dates go before plain
numbers. Every repetition is bounded by a character class or possessive, so that hostile text stays linear.
"""

import re

from generator.judge import number_words as words

# Full-width digits and signs become ASCII, one character for one, so that offsets stay. The full-width comma and 、
# remain separators.
NORMAL = str.maketrans("０１２３４５６７８９．％＋－／：−", "0123456789.%+-/:-")

ANY_NUMBER = re.compile(r"[0-9十百千万亿点成]|百分之")
FENCE = re.compile(r"^[ \t]*(`{3,}|~{3,})", re.MULTILINE)


def any_of(items: tuple[str, ...] | list[str]) -> str:
    """An alternation of literal words, longest first."""
    return "|".join(re.escape(item) for item in sorted(items, key=lambda item: (-len(item), item)))


_YEAR = r"[0-9]{4}"
_MONTH = r"(?:1[0-2]|0?[1-9])"
_DAY = r"(?:3[01]|[12][0-9]|0?[1-9])"
_HOUR = r"(?:2[0-4]|[01]?[0-9])"
_SIXTY = r"[0-5][0-9]"
_MONTH_NAME = "(?:" + "|".join(rf"{name[:3]}(?:{name[3:]})?" for name in words.MONTHS) + r"|Sept)\.?"
_ORDINAL = r"(?:st|nd|rd|th)?"

_URL = r"(?:https?|ftp)://[!-~]*+|www\.[!-~]++"

_ISO_DATE = (
    rf"(?<![0-9A-Za-z])(?P<iso_year>{_YEAR})(?P<iso_sep>[-/.])(?P<iso_month>{_MONTH})(?P=iso_sep)(?P<iso_day>{_DAY})"
    rf"(?:T(?P<iso_hour>{_HOUR}):(?P<iso_minute>{_SIXTY})(?::(?P<iso_second>{_SIXTY})(?:\.[0-9]+)?)?"
    r"(?:Z|[+-][0-9]{2}:?[0-9]{2})?)?"
    r"(?![0-9A-Za-z])(?!(?P=iso_sep)[0-9A-Za-z])"
)
_CHINESE_DATE = (
    rf"(?<![0-9])(?P<cn_year>{_YEAR})\s?年(?:\s?(?P<cn_month>{_MONTH})\s?月(?:份|\s?(?P<cn_day>{_DAY})\s?[日号])?)?"
    rf"|(?<![0-9])(?P<md_month>{_MONTH})\s?月\s?(?P<md_day>{_DAY})\s?[日号]"
)
_ENGLISH_DATE = (
    rf"(?<![0-9A-Za-z])(?P<en_month>{_MONTH_NAME})\s(?P<en_day>{_DAY}){_ORDINAL}(?![0-9A-Za-z:%]|\.[0-9])"
    rf"(?:,?\s(?P<en_year>{_YEAR})(?![0-9A-Za-z]))?"
    rf"|(?<![0-9A-Za-z])(?P<dm_day>{_DAY}){_ORDINAL}\s(?:of\s)?(?P<dm_month>{_MONTH_NAME})(?![A-Za-z])"
    rf"(?:,?\s(?P<dm_year>{_YEAR})(?![0-9A-Za-z]))?"
    rf"|(?<![0-9A-Za-z])(?P<my_month>{_MONTH_NAME}),?\s(?P<my_year>{_YEAR})(?![0-9A-Za-z])"
)
_TIME = (
    rf"(?<![0-9A-Za-z:.])(?P<hour>{_HOUR}):(?P<minute>{_SIXTY})(?::(?P<second>{_SIXTY}))?(?![0-9:])"
    r"(?:\s?(?P<half>[AaPp])\.?[Mm](?![A-Za-z]))?"
)

# A label swallows the token after it; digits alone are kept aside, for facts that are such numbers.
_LABELLED = (
    rf"(?:(?:{any_of(words.ID_LABELS)}|(?<![A-Za-z0-9])(?:ID|Id|id|N[oO]\.))[\"'”]?\s{{0,2}}(?:[:=]|为|是)?\s{{0,2}}[\"'“#]?|#)"
    r"(?P<labelled>[0-9A-Za-z]++(?:[-_./][0-9A-Za-z]++)*+)"
)

_QUANTITY = r"[0-9]++(?:\.[0-9]++)?(?:[eE][+-]?[0-9]{1,3})?[A-Za-z]*+"
_CURRENCY = "(?:" + "|".join(words.CURRENCY_CODES) + ")"
# Letters and digits in one token: an identifier, unless it is digits with a unit (120ms, 3kg-5kg, 30-day) or a
# currency code with digits.
_IDENTIFIER = (
    rf"(?<![0-9A-Za-z])(?<![0-9A-Za-z][-._])(?!{_CURRENCY}[0-9])"
    rf"(?!{_QUANTITY}(?:-{_QUANTITY})*(?:-[A-Za-z]++)*(?![0-9A-Za-z])(?![-_.][0-9A-Za-z]))"
    r"(?=[0-9._-]*+[A-Za-z])(?=[A-Za-z._-]*+[0-9])[0-9A-Za-z]++(?:[-._][0-9A-Za-z]++)*+"
)
_DOTTED = r"(?<![0-9A-Za-z.])[0-9]++(?:\.[0-9]++){2,}+(?::[0-9]++)?(?:/[0-9]++)?"

_SCALE = r"(?:[十百千]?(?:万亿|亿|万)|千(?![克米瓦卡帕赫字]))"
_PER = r"(?:\s?(?P<{0}>%|‰|个?百分点|per\s?cent(?![a-z])|percentage points?))?"
_NUMBER = (
    rf"(?P<sign>(?<![0-9A-Za-z_])[+-](?=[{words.CURRENCY_SIGNS}]?[0-9])[{words.CURRENCY_SIGNS}]?)?"
    r"(?P<whole>[0-9]{1,3}(?:,[0-9]{3})+(?![0-9])|[0-9]++)(?P<fraction>\.[0-9]++)?"
    r"(?:(?P<exponent>[eE][+-]?[0-9]{1,3})(?![0-9A-Za-z]))?"
    rf"(?:\s?(?P<scale>{_SCALE})(?P<more>(?:[0-9]++(?:\.[0-9]++)?{_SCALE})*+(?:[0-9]{{4}}(?![0-9.,%‰]))?)"
    r"|(?P<short>k|K|M|B|bn)(?![0-9A-Za-z])|\s(?P<word>thousand|million|billion|trillion)(?![A-Za-z]))?"
    + _PER.format("per")
)

_NUMERAL_DIGITS = "零〇一二两三四五六七八九"
_NUMERAL = rf"[{_NUMERAL_DIGITS}十百千万亿]++(?:点(?!一刻)[{_NUMERAL_DIGITS}]++(?:[十百千]?(?:万亿|亿|万)|千)?)?"
_PERCENT = rf"(?P<percent>[百千]分之)(?:(?P<percent_digits>[0-9]++(?:\.[0-9]++)?)|(?P<percent_numeral>{_NUMERAL}))"
_TENTHS = (
    rf"(?<![0-9.{_NUMERAL_DIGITS}十百千万])(?P<tenths>[一二两三四五六七八九]|[1-9])\s?成(?![{words.NOT_TENTHS}])"
    r"(?P<tenths_more>[一二三四五六七八九半])?"
)
_CHINESE = rf"(?P<vague>[数几好]?)(?P<numeral>{_NUMERAL})" + _PER.format("numeral_per")

_ALTERNATIVES = {
    "url": _URL,
    "iso_date": _ISO_DATE,
    "chinese_date": _CHINESE_DATE,
    "english_date": _ENGLISH_DATE,
    "label": _LABELLED,
    "identifier": _IDENTIFIER,
    "dotted": _DOTTED,
    "time": _TIME,
    "idiom": any_of(words.IDIOMS),
    "percentage": _PERCENT,
    "tenth": _TENTHS,
    "number": _NUMBER,
    "chinese": _CHINESE,
}
# The outer group closes last, so `lastgroup` names the alternative.
TOKEN = re.compile("|".join(f"(?P<{name}>{pattern})" for name, pattern in _ALTERNATIVES.items()))
MORE = re.compile(rf"([0-9]+(?:\.[0-9]+)?)({_SCALE})?")

# What stands before a number, up to it.
APPROXIMATE = re.compile(rf"(?:{words.APPROXIMATIONS})\s?(?:有|为|是)?\s?[{words.CURRENCY_SIGNS}]?$")
DECREASE = re.compile(
    rf"(?:{any_of(words.DECREASES)}|(?:{any_of(words.DECREASES_ENGLISH)})[a-z]*)[^,，、。;；!?！？\n]{{0,6}}$",
    re.IGNORECASE,
)
RANGE = re.compile(rf"[0-9](?:\s?{_SCALE})?\s?(?:{any_of(words.UNITS)}|%|‰)?$")
AFTERNOON = re.compile(r"(?:下午|晚上|傍晚|晚间)\s?$")

_ENUMERATION = r"(?:[0-9零〇一二两三四五六七八九十百]+(?:[-.][0-9]+)*\s?[-–~至到、和与,]\s?)*"
STRUCTURE_BEFORE = re.compile(
    rf"(?:第|{any_of(words.STRUCTURE_WORDS)}|(?:^|[^一-鿿]|[{words.REFERENCES}])[{words.STRUCTURE_CHARACTERS}]"
    rf"|(?<![A-Za-z])(?i:{any_of(words.STRUCTURE_ENGLISH)}))\s?{_ENUMERATION}(?:[0-9]+[-.])*$"
)
ORDINAL_BEFORE = re.compile(r"[ \t>　]*(?:[-*+•·]\s+)?\**[(（\[]?")
ORDINAL_AFTER = re.compile(r"[.、)）\]](?![0-9])")
HEADING_BEFORE = re.compile(r"[ \t]*#{1,6}\s+\**")
HEADING_AFTER = re.compile(r"[.、)）]?(?:\s|$)(?!\s?(?:[千万亿%]|百万))")
LISTING_BEFORE = re.compile(rf"(?:{any_of(words.LISTING_WORDS)})的?\s?$|(?i:\bfollowing\s)$")
LISTING_AFTER = re.compile(rf"\s?(?:{any_of(words.LISTED_UNITS)})|\s(?:points|steps|items|options|reasons|parts)")
