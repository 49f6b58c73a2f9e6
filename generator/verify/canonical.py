"""RFC 8785: the one form of a JSON value that is hashed."""

import hashlib
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

_ESCAPES = {'"': '\\"', "\\": "\\\\", "\b": "\\b", "\t": "\\t", "\n": "\\n", "\f": "\\f", "\r": "\\r"}
_LARGEST_EXACT = 2**53


def config_hash(effective: Any) -> str:
    """`sha256:<hex>` of the canonical form of a configuration."""
    return "sha256:" + hashlib.sha256(canonical(effective)).hexdigest()


def canonical(value: Any) -> bytes:
    """The RFC 8785 form of a value as `json_files` reads it.

    Raises
    ------
    UnicodeEncodeError
        a lone surrogate, which the form does not have.
    """
    return "".join(_pieces(value)).encode("utf-8")


def ecmascript_number(value: float) -> str:
    """A finite number as ECMAScript writes it (ECMA-262, Number::toString); zero has no sign."""
    if value == 0:
        return "0"
    mantissa, _, exponent = f"{abs(value)!r}".partition("e")
    whole, _, part = mantissa.partition(".")
    digits = (whole + part).lstrip("0")
    # The value is 0.d₁d₂… · 10^point.
    point = int(exponent or 0) + (len(whole) if whole != "0" else len(digits) - len(part))
    digits = digits.rstrip("0")
    return ("-" if value < 0 else "") + _written(digits, point)


def _written(digits: str, point: int) -> str:
    count = len(digits)
    if count <= point <= 21:
        return digits + "0" * (point - count)
    if 0 < point <= 21:
        return f"{digits[:point]}.{digits[point:]}"
    if -6 < point <= 0:
        return "0." + "0" * -point + digits
    mantissa = digits if count == 1 else f"{digits[0]}.{digits[1:]}"
    return f"{mantissa}e{'+' if point > 0 else '-'}{abs(point - 1)}"


def _pieces(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        opening = "{"
        for key in sorted(value, key=_utf16):
            yield opening + _string(key) + ":"
            yield from _pieces(value[key])
            opening = ","
        yield "}" if value else "{}"
    elif isinstance(value, list):
        opening = "["
        for item in value:
            yield opening
            yield from _pieces(item)
            opening = ","
        yield "]" if value else "[]"
    else:
        yield _scalar(value)


def _scalar(value: Any) -> str:
    if isinstance(value, str):
        return _string(value)
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, int) and abs(value) < _LARGEST_EXACT:
        return str(value)
    if isinstance(value, int | float | Fraction):
        return ecmascript_number(float(value))
    raise TypeError(f"{type(value).__name__} is no JSON")


def _string(text: str) -> str:
    return '"' + "".join(_ESCAPES.get(c) or (f"\\u{ord(c):04x}" if c < " " else c) for c in text) + '"'


def _utf16(key: str) -> bytes:
    return key.encode("utf-16-be", "surrogatepass")
