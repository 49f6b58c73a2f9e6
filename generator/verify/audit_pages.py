"""The page of claims and evidence: each claim stands there as the ledger has it, each entry as the register has it."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from html import unescape
from pathlib import Path
from typing import Any

from generator.verify.claims import CALL_IN_TEXT, SETTINGS
from generator.verify.exact import all_digits
from generator.verify.lexicon import Words
from generator.verify.register_files import RegisterFiles
from generator.verify.result import VerifyResult
from generator.verify.shown import Published

AUDIT_PAGE = "audit.html"
_STATUSES = ("VERIFIED", "SUPPORTED", "PRELIMINARY", "HYPOTHESIS", "NOT_ESTABLISHED", "REJECTED")
_FOLDERS = {"zh": "", "en": "en/"}
_TAGS = re.compile(r"<[^>]*>")
_SECTION = re.compile(
    r'<(?:section|tr)\b[^>]*\bid="((?:claim|kept|evidence)-[^"]*)"[^>]*>(.*?)</(?:section|tr)>', re.DOTALL
)
_FIELD = re.compile(r'<(p|td|th|span|strong)\b[^>]*\bdata-said="([a-z_]+)"[^>]*>(.*?)</\1>', re.DOTALL)

Said = dict[str, str]
"""Texts of a section without spaces, by what they are called there."""


@dataclass(frozen=True)
class Filling:
    """What stands in texts for the numbers and settings that they name: published numbers by id, words of the
    interface, values of the settings."""

    numbers: dict[str, Published]
    words: Words
    thresholds: dict[str, Any]


def check_audit_pages(
    root: Path, files: set[str], register: RegisterFiles, filling: Filling, result: VerifyResult
) -> None:
    """In each language that the site has."""
    if not register.is_there:
        return
    for lang, folder in _FOLDERS.items():
        address = folder + AUDIT_PAGE
        if address not in files:
            continue
        with result.reading(address):
            html = (root / address).read_bytes().decode("utf-8")
            sections = _SECTION.findall(html)
            found = {name: dict(_fields_said(section)) for name, section in sections}
            expected = dict(_expected(register, filling, lang))
            names = [name for name, _ in sections]
            result.compare("claims on pages", address, "what stands there", names, list(expected))
            # What stands in a comment is read here and seen by nobody.
            result.compare("claims on pages", address, "comments", html.count("<!--"), 0)
            for name in (name for name in expected if name in found):
                for field in sorted(found[name].keys() | expected[name].keys()):
                    shown, text = (said[name].get(field, "nothing") for said in (found, expected))
                    result.compare("claims on pages", address, f"{field} of {name}", shown, text)


def _fields_said(section: str) -> Iterator[tuple[str, str]]:
    for _, name, html in _FIELD.findall(section):
        yield name, _bare(unescape(_TAGS.sub("", html)))


def _bare(text: str) -> str:
    return "".join(text.split())


def _expected(register: RegisterFiles, filling: Filling, lang: str) -> Iterator[tuple[str, Said]]:
    """In the order of the page: claims by status, what disagrees, the register."""
    words = filling.words
    ledger = register.ledger or {"claims": [], "disagreements": []}
    for status in _STATUSES:
        for claim in (claim for claim in ledger["claims"] if claim["status"] == status):
            yield (
                f"claim-{claim['id']}",
                {
                    "status": _bare(words[lang][f"audit.status.{status}"] + status),
                    "text": _filled(claim["text"], filling, lang),
                    "does_not_show": _filled(claim["does_not_show"], filling, lang),
                    **({} if claim["improvement"] is None else {"improvement": _bare(claim["improvement"])}),
                    **_evidence(claim, words, lang),
                },
            )
    for entry in ledger["disagreements"]:
        said = {name: _filled(entry[name], filling, lang) for name in ("text", "why")}
        yield f"kept-{entry['id']}", said | _evidence(entry, words, lang)
    for entry in register.entries:
        yield f"evidence-{entry['id'].lower()}", _of_entry(entry, lang)


def _evidence(entry: dict[str, Any], words: Words, lang: str) -> Said:
    named = str(words[lang]["common.comma"]).join(entry["evidence"])
    return {"evidence": _bare(named)} if named else {}


def _of_entry(entry: dict[str, Any], lang: str) -> Said:
    texts = {name: _bare(entry[name][lang]) for name in ("title", "scope", "cannot_show")}
    hashes = _bare(
        "".join(
            known["algorithm"] + known["value"] + ("" if known["of"] is None else f"({known['of']})")
            for known in entry["hashes"]
        )
    )
    own = {"revision": entry["revision"], "retrieved": entry["retrieved"], "hashes": hashes or None}
    stated = {name: _bare(str(value)) for name, value in own.items() if value is not None}
    return texts | {"id": entry["id"], "where": _bare(entry["where"])} | stated


def _filled(text: dict[str, str], filling: Filling, lang: str) -> str:
    """A bound text with what stands for its numbers."""

    def shown(call: re.Match[str]) -> str:
        name = call[2].strip()
        if call[1] == "ref":
            return all_digits(Fraction(filling.thresholds[name])) if name in SETTINGS else "no such setting"
        known = filling.numbers.get(name)
        return "no such number" if known is None else known.value + _unit_word(known.number, filling.words[lang])

    return _bare(CALL_IN_TEXT.sub(shown, text[lang]))


def _unit_word(number: dict[str, Any], words: Any) -> str:
    if number["value"] is None or number["unit"] in ("usd", "p"):
        return ""
    if number["unit"] == "ratio":
        return "" if number["compares"] is None else str(words["common.points"])
    return str(words[f"common.unit.{number['unit']}"])
