"""Rules of the claim ledger."""

import re
from collections.abc import Iterable, Iterator

from generator.errors import Finding, Place
from generator.model.base import Text
from generator.model.bound_text import bound_numbers, numbers_of_text
from generator.model.claims import CLAIMS_FILE, ESTABLISHED, Claim, bound_by
from generator.model.numbers import Number
from generator.model.report import Report
from generator.model.rules import finding, visible_id
from generator.model.source import Source
from generator.model.words import did_you_mean, in_words, one_of
from generator.validate.register import unbound

MAX_CLAIMS = 500

_ID = re.compile(r"[A-Za-z][A-Za-z0-9-]{0,31}")


def check_ledger(source: Source) -> Iterator[Finding]:
    """RC170, RC172, RC173, RC176, RC178: what can be said of the ledger before there are numbers."""
    ledger = source.claims
    if ledger is None:
        return
    if len(ledger.claims) > MAX_CLAIMS:
        place, found = Place(CLAIMS_FILE, field="claims"), str(len(ledger.claims))
        yield finding("RC178", place, f"at most {MAX_CLAIMS} claims", found, "keep the claims that the report makes")
    entries = [] if source.register is None else [entry.id for entry in source.register.evidence]
    kept = [(f"disagreements[{place}]", entry) for place, entry in enumerate(ledger.disagreements)]
    listed = [(f"claims[{place}]", claim) for place, claim in enumerate(ledger.claims)]
    yield from _check_ids([*((path, claim.id) for path, claim in listed), *((path, entry.id) for path, entry in kept)])
    for path, claim in listed:
        yield from _check_texts(path, {"text": claim.text, "does_not_show": claim.does_not_show})
        yield from _check_evidence(path, claim.evidence, entries)
    for path, entry in kept:
        yield from _check_texts(path, {"text": entry.text, "why": entry.why})
        yield from _check_evidence(path, entry.evidence, entries)


def _check_ids(ids: list[tuple[str, str]]) -> Iterator[Finding]:
    """RC170: ids are fragments of the page."""
    first: dict[str, str] = {}
    for path, identifier in ids:
        place = Place(CLAIMS_FILE, field=f"{path}.id")
        if _ID.fullmatch(identifier) is None:
            expected = "a letter, then letters, digits and hyphens, at most 32"
            yield finding("RC170", place, expected, f"`{visible_id(identifier)}`", "choose an id such as C01")
        earlier = first.setdefault(identifier.lower(), path)
        if earlier != path:
            found = f"`{visible_id(identifier)}` again, as in {earlier} (upper and lower case are the same)"
            yield finding("RC170", place, "each id once", found, "rename one of them")


def _check_texts(path: str, texts: dict[str, Text]) -> Iterator[Finding]:
    """RC173, RC176: figures are bound, and to the same numbers in both languages."""
    for name, text in texts.items():
        yield from unbound(CLAIMS_FILE, f"{path}.{name}", text)
        zh, en = (sorted(bound_numbers(words)) for words in (text.zh, text.en))
        if zh != en:
            place = Place(CLAIMS_FILE, field=f"{path}.{name}.en")
            remedy = "name the same numbers in both languages"
            yield finding("RC176", place, f"num() of {in_words(zh)}", in_words(en), remedy)


def _check_evidence(path: str, named: list[str], known: list[str]) -> Iterator[Finding]:
    """RC172."""
    for place, identifier in enumerate(named):
        if identifier not in known:
            expected = one_of(known, "an entry of evidence.yaml")
            remedy = did_you_mean(identifier, known, "add the entry to evidence.yaml")
            field = Place(CLAIMS_FILE, field=f"{path}.evidence[{place}]")
            yield finding("RC172", field, expected, f"`{visible_id(identifier)}`", remedy)


def check_claims(report: Report) -> Iterator[Finding]:
    """RC171, RC174, RC175: claims bind numbers that are there, and say no more than these do."""
    ledger = report.source.claims
    if ledger is None:
        return
    for place, claim in enumerate(ledger.claims):
        path = f"claims[{place}]"
        named = bound_by(claim)
        unknown = list(_unknown(report, path, named))
        yield from unknown
        if not unknown:
            yield from _check_verified(report, path, claim, named)
            yield from _check_improvement(report, path, claim)
    for place, entry in enumerate(ledger.disagreements):
        named = [*numbers_of_text(entry.text), *numbers_of_text(entry.why)]
        yield from _unknown(report, f"disagreements[{place}]", named)


def _unknown(report: Report, path: str, named: Iterable[str]) -> Iterator[Finding]:
    """RC171."""
    for identifier in dict.fromkeys(named):
        if report.find_number(identifier) is None:
            known = [*report.evidence_numbers, *(name for batch in report.batches for name in batch.numbers)]
            alike = [name for name in known if name.rpartition("/")[2] == identifier.rpartition("/")[2]] or known
            remedy = did_you_mean(identifier, alike, "take the id from the number's page")
            place, expected = Place(CLAIMS_FILE, field=path), "the id of a published number"
            yield finding("RC171", place, expected, f"`{visible_id(identifier)}`", remedy)


def _check_verified(report: Report, path: str, claim: Claim, named: list[str]) -> Iterator[Finding]:
    """RC174."""
    if claim.status != "VERIFIED":
        return
    numbers = [number for number in map(report.find_number, named) if number is not None]
    if not any(number.value is not None and "quoted" not in number.marks for number in numbers):
        found = "numbers without a value, or merely quoted" if numbers else "none"
        remedy = "bind a number that verification recomputes, or lower the status"
        yield finding(
            "RC174", Place(CLAIMS_FILE, field=path), "a bound number with a value that can be made again", found, remedy
        )


def _check_improvement(report: Report, path: str, claim: Claim) -> Iterator[Finding]:
    """RC175: what became better is a difference whose interval leaves out the value zero."""
    number = None if claim.improvement is None else report.find_number(claim.improvement)
    if number is None or claim.status not in ESTABLISHED:
        return
    problem = _no_improvement(number)
    if problem is not None:
        expected = "a difference to the baseline that improved, with an interval that leaves out zero"
        remedy = "bind the difference that decides it, or lower the status"
        yield finding("RC175", Place(CLAIMS_FILE, field=f"{path}.improvement"), expected, problem, remedy)


def _no_improvement(number: Number) -> str | None:
    """Why a number is no verdict for an improvement; None where it is."""
    if number.compares is None or number.evidence is not None:
        return "a number that compares no two variants"
    if number.change != "improved":
        return f"the change word {number.change}"
    if number.interval is None:
        return "no interval"
    if number.interval.low <= 0 <= number.interval.high:
        return f"the interval [{number.interval.low}, {number.interval.high}]"
    if number.verdict is not None and number.verdict.outcome == "fail":
        return "a verdict that it regressed"
    return None
