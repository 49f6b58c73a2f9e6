"""A comparison in words, and as JSON."""

import json
from collections import Counter
from collections.abc import Iterator
from typing import Any

import msgspec

from generator.compare.difference import Difference
from generator.compare.published import Number
from generator.compare.sites import Comparison

SITE_FIELDS = ("generator_version", "source_hash", "metric_table_version", "projection_version")
SHOWN = 12
"""Hex digits of a hash."""
GROUPS = ("changed", "added", "removed", "evidence")


def as_text(comparison: Comparison) -> str:
    """For people: each number with other figures in some lines, the others counted by cause."""
    return "".join(f"{line}\n" for line in _lines(comparison))


def as_json(comparison: Comparison) -> str:
    """For programs: every number that differs, with both forms and its causes."""
    document = {
        "same": comparison.same,
        "old": {name: getattr(comparison.old, name) for name in SITE_FIELDS},
        "new": {name: getattr(comparison.new, name) for name in SITE_FIELDS},
        **{group: [_document(entry) for entry in getattr(comparison, group)] for group in GROUPS},
        "causes": {group: dict(sorted(_by_cause(getattr(comparison, group)).items())) for group in GROUPS},
    }
    return json.dumps(document, ensure_ascii=False, indent=1) + "\n"


def _document(entry: Difference) -> dict[str, Any]:
    return {
        "id": entry.id,
        "batch": entry.batch,
        "aspects": entry.aspects,
        "old": msgspec.to_builtins(entry.old),
        "new": msgspec.to_builtins(entry.new),
        "causes": msgspec.to_builtins(entry.causes),
    }


def _by_cause(entries: list[Difference]) -> Counter[str]:
    return Counter(cause.cause for entry in entries for cause in entry.causes)


def _lines(comparison: Comparison) -> Iterator[str]:
    for name in SITE_FIELDS:
        old, new = (str(getattr(index, name)) for index in (comparison.old, comparison.new))
        if old != new:
            short = [text[:SHOWN] if name == "source_hash" else text for text in (old, new)]
            yield f"{name.replace('_', ' ')}: {short[0]} → {short[1]}"
    for entry in comparison.changed:
        yield f"changed {entry.id}  ({', '.join(entry.aspects)})"
        yield from _figures(entry)
        yield from _causes(entry)
    for word, entries in (("added", comparison.added), ("removed", comparison.removed)):
        yield from _listed(word, entries)
    if comparison.evidence:
        yield f"same figures over other evidence: {_total(comparison.evidence)}"
    counts = (("changed", comparison.changed), ("added", comparison.added), ("removed", comparison.removed))
    yield "; ".join(f"{word} {_total(entries)}" for word, entries in counts)


def _figures(entry: Difference) -> Iterator[str]:
    if entry.old is None or entry.new is None:
        return
    yield f"  {_shown(entry.old)} → {_shown(entry.new)}"
    if len(entry.new.restated) > len(entry.old.restated):
        yield f"  restated on {entry.new.restated[-1].date.isoformat()}"


def _shown(number: Number) -> str:
    value = f"none ({number.reason})" if number.value is None else str(number.value)
    if number.denominator is None:
        return value
    counts = f"n {number.denominator}" if number.numerator is None else f"{number.numerator}/{number.denominator}"
    return f"{value} {counts}"


def _causes(entry: Difference) -> Iterator[str]:
    for cause in entry.causes:
        for detail in cause.details:
            yield f"  {cause.cause}: {detail}"


def _listed(word: str, entries: list[Difference]) -> Iterator[str]:
    """Some lines a number; a batch that came or went as a whole is one line."""
    for batch, count in Counter(entry.batch for entry in entries if entry.with_batch).items():
        yield f"{word} batch {batch} with its {count} numbers"
    for entry in entries:
        if not entry.with_batch:
            yield f"{word} {entry.id}"
            yield from _causes(entry)


def _total(entries: list[Difference]) -> str:
    by_cause = ", ".join(f"{cause} {count}" for cause, count in _by_cause(entries).items())
    return f"{len(entries)}" + (f" ({by_cause})" if by_cause else "")
