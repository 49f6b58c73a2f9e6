"""Values that programs are seldom ready for."""

from random import Random
from typing import Any

WHOLE = (
    0,
    1,
    -1,
    2,
    7,
    99,
    1000,
    2**31,
    -(2**31),
    2**53,
    2**53 + 1,
    2**63 - 1,
    2**63,
    2**64,
    -(2**64),
    10**30,
    10**320,
)
FRACTIONS = (0.5, -0.0, 1.0, 1e-7, 5e-324, 1e15, 1e16, 1e21, 1.7976931348623157e308, -1e308, 0.1, 1 / 3)
NOT_JSON = (float("nan"), float("inf"), float("-inf"))
TEXTS = (
    "",
    " ",
    "\n",
    "a\nb",
    "\t",
    "null",
    "true",
    "no",
    "1.10",
    "12:30",
    "0",
    "-1",
    "1e999",
    "NaN",
    "2026-11-31",
    "2026-13-01T25:61:61Z",
    "0001-01-01T00:00:00Z",
    "9999-12-31T23:59:59.999999999Z",
    "２０２６",
    "一千二百三十四亿五千六百七十八万九千零一十二点五",
    "1,234,567.89 元，约 ¥1.23M（≈ 5.6%）",
    "1" * 400,
    "9" * 5000,
    "1" + "0" * 400 + ".5e-300%",
    "..",
    "../../etc/passwd",
    "a/b",
    "C:\\x",
    "con",
    "index",
    "x--y",
    "a-vs-b",
    "*",
    "$",
    "$.",
    "$..a",
    "$.items[*].sku",
    "$.items[99999999999]",
    "config..model",
    "config.effective.*",
    "private.account",
    "trace[].result",
    "trace[]..x",
    "[",
    "(a+)+$",
    "(?P<value>",
    "a{1,99999}",
    "(?:a|aa)*b",
    "\\",
    "%s %n {0} {{x}} ${x}",
    "<script>alert(1)</script>",
    "]]>",
    "\x00",
    "\x1b[2J",
    "\x7f\x85\xad",
    "\u202eabc\u202c",
    "\u2028\u2029",
    "\ufeff",
    "\ud800",
    "\udfff\ud800",
    "\U000e0041",
    "\U0010ffff",
    "e\u0301\u0323" * 50,
    "ß".upper() + "ﬁ" + "İ",
    "⟦U+202E⟧",
    "⟦已脱敏：邮箱⟧",
    "someone@example.org +86 138 0013 8000",
    "sk-" + "a1" * 20,
    "sha256:" + "0" * 64,
    "x" * 300,
    "W" * 70_000,
    "词" * 30_000,
    "a " * 30_000,
    "=HYPERLINK(1)",
    "sk-" * 10_000,
    "AKIA" * 8_000,
    "eyJ" * 10_000,
    "api_key: a1b2c3 " * 2_000,
    "1," * 10_000,
    "a@" * 15_000,
    "🙂" * 40,
)
LEAST: tuple[Any, ...] = (None, False, True, [], {}, [[]], [None], {"": None}, [{}], {"a": {"b": [1, "x"]}})


def text(random: Random) -> str:
    return random.choice(TEXTS)


def number(random: Random) -> int | float:
    pool: tuple[int | float, ...] = random.choice((WHOLE, WHOLE, FRACTIONS, NOT_JSON))
    return random.choice(pool)


def any_value(random: Random) -> Any:
    """A value of any kind."""
    return random.choice((text, number, lambda _: random.choice(LEAST), deep))(random)


def of_the_same_kind(random: Random, value: Any) -> Any:
    """An extreme of the kind that `value` is, so that more than its type is put to the test."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, (int, float)):
        near = (value + 1, value - 1, -value, value * 2, value // 2)
        return random.choice(near) if random.random() < 0.4 else number(random)
    if isinstance(value, str):
        return changed_text(random, value) if random.random() < 0.5 else text(random)
    return random.choice(([], {}))


def changed_text(random: Random, value: str) -> str:
    """`value` with something in it, without a part of it, or in another form."""
    place = random.randint(0, len(value))
    return random.choice(
        (
            value[:place] + text(random)[:2000] + value[place:],
            value[:place],
            value[place:],
            value.upper(),
            value + value,
            f" {value} ",
            value + "\n",
            value[::-1],
        )
    )


def deep(random: Random) -> Any:
    """Nested as deep as is allowed, or deeper."""
    value: Any = random.choice((1, "x", None, []))
    for level in range(random.choice((3, 20, 60, 90, 98, 105, 400))):
        value = [value] if level % 2 or random.random() < 0.5 else {"a": value}
    return value
