"""Whether the numbers on a page say what the API says."""

import posixpath
import re
from dataclasses import dataclass
from fractions import Fraction
from typing import Any
from urllib.parse import urlsplit

from generator.verify.decision_texts import decision_part
from generator.verify.exact import decimal_text
from generator.verify.pages import Page, ShownNumber
from generator.verify.recompute import Recomputed
from generator.verify.result import VerifyResult


@dataclass(frozen=True)
class Published:
    """A number of the API, its metric's row, and the text that its value must have on every page."""

    number: dict[str, Any]
    metric: dict[str, Any]
    text: str
    recomputed: Recomputed


def check_shown(address: str, page: Page, published: dict[str, Published], result: VerifyResult) -> None:
    """Every `data-num` is a number of the API, leads to its page, and reads as its value."""
    for shown in page.numbers:
        known = published.get(shown.number)
        if known is None:
            result.differ(address, "a number", shown.number, "no such number")
            continue
        result.compare("shown values", address, shown.number, shown.value.strip(), known.text)
        _check_parts(address, shown, known, result)
        page_of = posixpath.normpath(posixpath.join(posixpath.dirname(address), urlsplit(shown.href).path))
        if not shown.href.startswith("#"):
            result.compare("number links", address, shown.number, page_of, known.number["page"])


def check_counts(address: str, page: Page, published: dict[str, Published], result: VerifyResult) -> None:
    """Every count that stands alone is the one of its number."""
    for shown in page.counts:
        known = published.get(shown.number)
        if known is None:
            result.differ(address, "a count", shown.number, "no such number")
            continue
        expected = _part_text(known, shown.part)
        result.compare("shown counts", address, f"{shown.number} {shown.part}", shown.text.strip(), expected)


def _check_parts(address: str, shown: ShownNumber, known: Published, result: VerifyResult) -> None:
    number = known.number
    if "count" in shown.parts:
        counts = [int(digits.replace(",", "")) for digits in re.findall(r"[\d,]+", shown.parts["count"])]
        expected = [count for count in (number["numerator"], number["denominator"]) if count is not None]
        result.compare("shown counts", address, shown.number, counts, expected)
    if "interval" in shown.parts:
        expected_text = f"[{_part_text(known, 'low')}, {_part_text(known, 'high')}]"
        result.compare("shown intervals", address, shown.number, shown.parts["interval"].strip(), expected_text)


def _part_text(known: Published, part: str) -> str:
    number, metric = known.number, known.metric
    if "." in part and ":" not in part:
        return decision_part(number, part)
    if part in ("low", "high"):
        if number["interval"] is None:
            return "no interval"
        bound = Fraction(number["interval"][part])
        return decimal_text(bound * (100 if metric["unit"] == "ratio" else 1), metric["decimals"])
    if part.startswith("excluded:"):
        count = number["excluded"].get(part.removeprefix("excluded:"), {"count": 0})["count"]
    elif part == "missing":
        count = (number["missing"] or {"count": 0})["count"]
    elif part == "misses" and number["numerator"] is not None:
        count = number["denominator"] - number["numerator"]
    else:
        count = number.get(part)
    return f"{count:,}" if isinstance(count, int) else "no such count"
