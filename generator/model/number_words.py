"""Figures that a text states in words: a sentence could pass for one without figures, and say ninety per cent.

The rule is closed, so that everybody can apply it by hand. Words for zero, one and two that count nothing else (`no`,
`one`, `both`, 一, 两) are the language's own and state no figure. Every other number word does, and so do all words of
parts and multiples (half, per cent, twice, 一半, 百分之, 一成, 两倍) and every character that is a number in Unicode
(½, ①, Ⅳ). Words that merely hold such a character are listed in `_NO_FIGURES`.
"""

import re
import unicodedata

from generator.model.prose import pieces_with_digits

_COMMON = "百分点 百分比 百分数 百分位 四分位 十分 万一 千万别 第三方 四舍五入 二进制 十进制 十六进制 三角 四处 四周"
_IDIOMS = "一成不变 五花八门 七上八下 乱七八糟 不三不四 朝三暮四 千变万化 成千上万 千差万别"
_NO_FIGURES = (*_IDIOMS.split(), *_COMMON.split())
"""Words of Chinese that hold numerals and state none. What has more or fewer characters is another word."""

_DIGIT = "零〇一二三四五六七八九两几壹贰叁肆伍陆柒捌玖"
_UNIT = "十百千万亿廿卅拾佰仟萬億"
_NO_TENTH = "功为為员立本熟果绩分就交长文人形组心全品见对因败套像"
"""成 before one of these begins a word: 一成立 holds 成立, no tenth."""

_ZH = re.compile(
    rf"""
    [{_DIGIT}{_UNIT}]分之 | [一两]半 | 半数 | 半成 | [减过折]半 | 翻[一两]?[番倍] | 加倍 | 成倍
    | [{_DIGIT}半数]倍 | [{_DIGIT}半]成(?![{_NO_TENTH}])
    | [{_DIGIT}{_UNIT}]*[三四五六七八九叁肆伍陆柒捌玖{_UNIT}][{_DIGIT}{_UNIT}点]*
    | [{_DIGIT}]{{2,}} | [{_DIGIT}]点[{_DIGIT}]
    """,
    re.VERBOSE,
)
_UNITS = "three four five six seven eight nine"
_TEENS = "ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen"
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety"
_LARGE = "hundreds? thousands? millions? billions? trillions? dozens?"
_WORDS = [*_UNITS.split(), *_TEENS.split(), *_TENS.split(), *_LARGE.split()]
_PARTS = "thirds? quarters? fourths? fifths? sixths? sevenths? eighths? ninths? tenths? hundredths? thousandths?"
_EN = re.compile(
    rf"""
    \b(?:{"|".join(_WORDS)})(?:fold)?\b
    | \b(?:a|an|one|two)[ -](?:{"|".join(_PARTS.split())})\b
    | \b(?:half|halves|halved|halving|twofold|twice|thrice|doubl(?:es?|ed|ing)|tripl(?:es?|ed|ing)
        |quadrupl(?:es?|ed|ing)|percent|per[ ]cent|per[ ]mille)\b
    """,
    re.VERBOSE | re.IGNORECASE,
)
_CJK = re.compile("[\u2e80-\u9fff\uf900-\ufaff]")


def number_words(text: str) -> list[str]:
    """What a text states in number words or number characters, in order; digits are not looked at."""
    bare = text
    for piece in pieces_with_digits(text):
        bare = bare[: piece.start] + " " * (piece.end - piece.start) + bare[piece.end :]
    for word in _NO_FIGURES:
        bare = bare.replace(word, " " * len(word))
    found = [(match.start(), match[0]) for pattern in (_ZH, _EN) for match in pattern.finditer(bare)]
    found += [(place, sign) for place, sign in enumerate(bare) if _is_number_sign(sign)]
    return [words for _, words in sorted(found)]


def _is_number_sign(sign: str) -> bool:
    """½, ①, Ⅳ, but no digit and no Chinese character, which have rules of their own."""
    return not sign.isdecimal() and not _CJK.match(sign) and unicodedata.numeric(sign, None) is not None
