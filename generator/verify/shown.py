"""Whether the numbers on a page say what the API says."""

import posixpath
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from generator.verify.badges import WORD, badge_texts
from generator.verify.decision_texts import decision_part
from generator.verify.exact import decimal_text
from generator.verify.found import ShownCount, ShownNumber
from generator.verify.lexicon import Words
from generator.verify.result import Finding


@dataclass(frozen=True)
class Published:
    """A number of the API, its metric's row, and the texts that it must have on every page: of its value, of the counts
    and the interval behind it (None where there are none), of its unit and of what it counts if not runs (any of
    these), of counts that stand alone. `words` are those of the interface."""

    number: dict[str, Any]
    metric: dict[str, Any]
    value: str
    count: str | None
    interval: str | None
    units: frozenset[str]
    samples: frozenset[str]
    counts: dict[str, str]
    words: Words


def published_number(number: dict[str, Any], metric: dict[str, Any], value: str, words: Words) -> Published:
    """`value` is the text of the recomputed value."""
    low_high = _bounds(number, metric)
    counts = {part: f"{count:,}" for part, count in _counts(number).items()} | low_high
    count = None
    if number["denominator"] is not None:
        whole = counts["denominator"]
        count = f"n {whole}" if number["numerator"] is None else f"{counts['numerator']}/{whole}"
    interval = f"[{low_high['low']}, {low_high['high']}]" if low_high else None
    thing = _counted_thing(number, metric)
    samples = frozenset[str]() if thing is None else _either(f"common.unit.{thing}", words, thing)
    return Published(number, metric, value, count, interval, _units(number, words), samples, counts, words)


def _counted_thing(number: dict[str, Any], metric: dict[str, Any]) -> str | None:
    """What the denominator counts, where that is not runs."""
    if number["denominator"] is None:
        return None
    if metric["aggregate"] == "evidence":
        return str(number["detail"]["counts"])
    return "cases" if metric["aggregate"] == "pass_hat" else None


def _counts(number: dict[str, Any]) -> dict[str, int]:
    hits, whole = number["numerator"], number["denominator"]
    counts = {
        "numerator": hits,
        "denominator": whole,
        "misses": None if hits is None or whole is None else whole - hits,
        "missing": None if number["missing"] is None else number["missing"]["count"],
    }
    excluded = {f"excluded:{kind}": entry["count"] for kind, entry in number["excluded"].items()}
    return {part: count for part, count in (counts | excluded).items() if count is not None}


def _bounds(number: dict[str, Any], metric: dict[str, Any]) -> dict[str, str]:
    if number["interval"] is None:
        return {}
    scale = 100 if metric["unit"] == "ratio" else 1
    return {end: decimal_text(Fraction(number["interval"][end]) * scale, metric["decimals"]) for end in ("low", "high")}


def _units(number: dict[str, Any], words: Words) -> frozenset[str]:
    """The word behind the value."""
    if number["value"] is None or number["unit"] in ("usd", "p"):
        return frozenset()
    if number["unit"] == "ratio" and number["compares"] is None:
        return frozenset()
    key = "common.points" if number["unit"] == "ratio" else f"common.unit.{number['unit']}"
    return _either(key, words, number["unit"])


def _either(key: str, words: Words, otherwise: str) -> frozenset[str]:
    """A word in either language, and both where a page carries both."""
    zh, en = (words[lang].get(key, otherwise) for lang in ("zh", "en"))
    return frozenset((zh, en, zh + en)) if zh != en else frozenset((zh,))


def number_findings(shown: ShownNumber, known: Published | None, folder: str) -> Iterator[Finding]:
    """What a `data-num` on a page in `folder` gets wrong: it is a number of the API, leads to its page, and reads as
    that says."""
    if known is None:
        yield "a number", shown.number, "no such number"
        return
    name, parts = shown.number, shown.parts
    if shown.value.strip() != known.value:
        yield name, shown.value.strip(), known.value
    for part, text in parts.items():
        if part in ("unit", "sample"):
            words = known.units if part == "unit" else known.samples
            if text.strip() not in words:
                yield f"{name} {part}", text.strip(), " or ".join(sorted(words)) or f"no {part}"
        elif part in ("count", "interval"):
            expected = known.count if part == "count" else known.interval
            if text.strip() != expected:
                yield f"{name} {part}", text.strip(), expected or f"no {part}"
        else:
            yield f"{name} {part}", text.strip(), "count, sample, interval or unit"
    if known.units and "unit" not in parts:
        yield f"{name} unit", "none", " or ".join(sorted(known.units))
    if known.samples and "count" in parts and "sample" not in parts:
        yield f"{name} sample", "none", " or ".join(sorted(known.samples))
    path = shown.href.partition("#")[0]
    if posixpath.normpath(posixpath.join(folder, path)) != known.number["page"]:
        yield f"{name} link", shown.href, known.number["page"]
    if shown.sort is not None and (known.number["value"] is None or Fraction(shown.sort) != known.number["value"]):
        yield f"{name} key to sort by", shown.sort, known.number["value"]


def count_findings(shown: ShownCount, known: Published | None) -> Iterator[Finding]:
    """What a count that stands alone gets wrong: it is that of its number."""
    if known is None:
        yield "a count", shown.number, "no such number"
        return
    if shown.part.startswith(WORD):
        texts = badge_texts(known.number, shown.part.removeprefix(WORD), known.words)
        if " ".join(shown.text.split()) not in texts:
            yield f"{shown.number} {shown.part}", shown.text.strip(), " or ".join(texts)
        return
    decided = "." in shown.part and ":" not in shown.part
    expected = decision_part(known.number, shown.part) if decided else known.counts.get(shown.part, "no such count")
    if shown.text.strip() != expected:
        yield f"{shown.number} {shown.part}", shown.text.strip(), expected
