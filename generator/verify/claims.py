"""Claims: every number that they bind is published, and their status is one that these numbers allow."""

import re
from collections.abc import Iterator
from typing import Any

from generator.verify.register_files import RegisterFiles
from generator.verify.result import VerifyResult
from generator.verify.shown import Published

CALL_IN_TEXT = re.compile(r"\b(num|ref)\(([^()]*)\)")
SETTINGS = ("alpha", "beta", "delta", "theta", "epsilon", "min_valid_per_group")
"""What a text may name besides numbers."""

_LEDGER = "api/v1/claims.json"


def check_claims(register: RegisterFiles, numbers: dict[str, Published], result: VerifyResult) -> None:
    """`numbers` are all published ones, by id."""
    if register.ledger is None:
        return
    entries = {entry["id"] for entry in register.entries}
    for claim in register.ledger["claims"]:
        result.checked["claims"] += 1
        place = f"{_LEDGER} {claim['id']}"
        better = [] if claim["improvement"] is None else [claim["improvement"]]
        bound = [*_bound(claim["text"]), *_bound(claim["does_not_show"]), *better]
        left_out = [name for name in bound if name not in claim["numbers"]]
        result.compare("bindings of claims", place, "numbers of the claim that are not listed", left_out, [])
        _check_settings(place, (claim["text"], claim["does_not_show"]), result)
        _check_bound(place, claim["numbers"], claim["evidence"], numbers, entries, result)
        for what, found in _status_problems(claim, numbers):
            result.differ(place, what, found, "what the status demands")
    for entry in register.ledger["disagreements"]:
        place = f"{_LEDGER} {entry['id']}"
        bound = [*_bound(entry["text"]), *_bound(entry["why"])]
        _check_settings(place, (entry["text"], entry["why"]), result)
        _check_bound(place, bound, entry["evidence"], numbers, entries, result)


def _check_settings(place: str, texts: tuple[dict[str, str], ...], result: VerifyResult) -> None:
    """A text gives no value as configured: it names the setting."""
    calls = (call for text in texts for words in text.values() for call in CALL_IN_TEXT.finditer(words))
    typed = [call[2].strip() for call in calls if call[1] == "ref" and call[2].strip() not in SETTINGS]
    result.compare("bindings of claims", place, "references that name no setting", typed, [])


def _bound(text: dict[str, str]) -> Iterator[str]:
    return (call[2].strip() for words in text.values() for call in CALL_IN_TEXT.finditer(words) if call[1] == "num")


def _check_bound(
    place: str,
    bound: list[str],
    named: list[str],
    numbers: dict[str, Published],
    entries: set[str],
    result: VerifyResult,
) -> None:
    result.compare("bindings of claims", place, "numbers that are not published", sorted(set(bound) - set(numbers)), [])
    result.compare(
        "bindings of claims", place, "evidence that is not in the register", sorted(set(named) - entries), []
    )


def _status_problems(claim: dict[str, Any], numbers: dict[str, Published]) -> Iterator[tuple[str, str]]:
    """VERIFIED needs a number with a value; what became better, a difference whose interval leaves out zero."""
    known = [numbers[name].number for name in claim["numbers"] if name in numbers]
    if claim["status"] == "VERIFIED" and not any(
        number["value"] is not None and "quoted" not in number["marks"] for number in known
    ):
        yield "status", "VERIFIED without a number that can be made again"
    languages = [sorted(_bound({lang: words})) for lang, words in claim["text"].items()]
    if any(bound != languages[0] for bound in languages):
        yield "text", "other numbers in one language than in the other"
    improvement = numbers.get(claim["improvement"] or "")
    if claim["improvement"] is None or claim["status"] not in ("VERIFIED", "SUPPORTED"):
        return
    if improvement is None or improvement.number["change"] != "improved":
        yield "improvement", "no difference that improved"
        return
    interval, verdict = improvement.number["interval"], improvement.number["verdict"]
    if interval is None or interval["low"] <= 0 <= interval["high"]:
        yield "improvement", "no interval that leaves out zero"
    elif verdict is not None and verdict["outcome"] == "fail":
        yield "improvement", "a verdict that it regressed"
