"""Rules of the numbers that were made of aggregate evidence."""

import re
from collections.abc import Iterator
from fractions import Fraction

from generator.errors import Finding, Place
from generator.model.formatting import decimal_text, exact, round_half_away
from generator.model.numbers import Number
from generator.model.register import (
    DATA_FOLDER,
    EVIDENCE_BATCH,
    REGISTER_FILE,
    EvidenceEntry,
    EvidenceNumber,
    evidence_name,
    number_tail,
    slice_of,
)
from generator.model.report import Report
from generator.model.rules import finding

_DECIMAL = re.compile(r"-?\d+(?:\.\d+)?")


def check_evidence_numbers(report: Report) -> Iterator[Finding]:
    """RC177, RC179."""
    register = report.source.register
    for position, entry in enumerate([] if register is None else register.evidence):
        for place, wanted in enumerate([] if entry.data is None else entry.data.numbers):
            inline = (REGISTER_FILE, f"evidence[{position}].data.numbers[{place}]")
            at = inline if entry.file is None else (f"{DATA_FOLDER}/{entry.file}", f"numbers[{place}]")
            yield from _check_said(report, entry, wanted, at)
            yield from _check_parts(report, entry, wanted, at)


def _check_said(report: Report, entry: EvidenceEntry, wanted: EvidenceNumber, at: tuple[str, str]) -> Iterator[Finding]:
    """RC179: what the evidence prints is the number that its figures make."""
    if wanted.said is None or entry.data is None:
        return
    number = _of_entry(report, entry, number_tail(wanted.metric, slice_of(entry.data, wanted.group)))
    made = _printed(number, wanted.said)
    if made != wanted.said:
        remedy = "find out which of them is wrong: the figures, the operation or the printed value"
        yield finding("RC179", Place(at[0], field=f"{at[1]}.said"), made, wanted.said, remedy)


def _check_parts(
    report: Report, entry: EvidenceEntry, wanted: EvidenceNumber, at: tuple[str, str]
) -> Iterator[Finding]:
    """RC177: weights of the parts make one, and weights times rates the pooled ratio."""
    if wanted.compares is None or not wanted.parts:
        return
    remedy = "name every part once, each with the share of the whole that it has"
    place = Place(at[0], field=f"{at[1]}.parts")
    pairs = [
        (rate.exact, weight.exact)
        for part in wanted.parts
        for rate, weight in [(_of_entry(report, entry, part.rate), _of_entry(report, entry, part.weight))]
    ]
    known = [(rate, weight) for rate, weight in pairs if rate is not None and weight is not None]
    pooled = _of_entry(report, entry, wanted.compares[0]).exact
    weights, products = sum(weight for _, weight in known), sum(rate * weight for rate, weight in known)
    if len(known) < len(pairs) or pooled is None:
        yield finding("RC177", place, "parts and a pooled value that are known", "one without a value", remedy)
    elif weights != 1:
        yield finding("RC177", place, "weights that make 1", str(weights), remedy)
    elif products != pooled:
        yield finding("RC177", place, f"{pooled}, the pooled value", str(products), remedy)


def _of_entry(report: Report, entry: EvidenceEntry, tail: str) -> Number:
    return report.evidence_numbers[f"{EVIDENCE_BATCH}/{evidence_name(entry.id)}/{tail}"]


def _printed(number: Number, said: str) -> str:
    """The value with as many decimals as the printed one."""
    if number.value is None:
        return "no value"
    if _DECIMAL.fullmatch(said) is None:
        return "a decimal without commas and units"
    value = number.exact if number.exact is not None else exact(number.value)
    scaled = value * 100 if number.unit == "ratio" else value
    decimals = len(said.partition(".")[2])
    text = decimal_text(round_half_away(Fraction(scaled), decimals), decimals)
    return text.replace(",", "").replace("\N{MINUS SIGN}", "-")
