"""All pages of a site: what they show, and where they lead."""

import posixpath
import re
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

from generator.verify.audit_pages import AUDIT_PAGE, Filling, check_audit_pages
from generator.verify.compared import COMPARISON, is_comparison
from generator.verify.explorer import is_filter
from generator.verify.found import Found
from generator.verify.html_tokens import MalformedHtml
from generator.verify.links import ABSOLUTE, Links
from generator.verify.page_parts import sections_of
from generator.verify.page_rows import PageRows
from generator.verify.pages import Page, PageReader, read_page
from generator.verify.piece_checks import Checked, Fragment, PieceChecks
from generator.verify.policy import BARE_PAGE, policy_findings
from generator.verify.published import Api
from generator.verify.references import References
from generator.verify.result import VerifyResult
from generator.verify.stamped import StampedPages, group_pages
from generator.verify.vocabulary import Vocabulary, spaced
from generator.verify.word_checks import WordChecks
from generator.verify.workers import work

_PAGES_PER_TASK = 200
_GENERATED = (
    *("compare/", "experiments/", "numbers/", "runs/", "index.html", "404.html"),
    *("audit.html", "changes.html", "data.html", "metrics.html", "verify.html"),
)
"""Where pages stand that are made of published words alone; others are written by hand."""

_FIXED = (
    *("index.html", "changes.html", "data.html", "methods.html", "metrics.html", "verify.html"),
    *("experiments/index.html", "runs/index.html", COMPARISON),
)
"""Pages of every site, in each of its languages."""

_HELD_AGAINST_RUNS = ("denominator", "excluded", "cells", "cases")
"""Sections of number pages."""

_OF_TEMPLATES = re.compile(r"(?:en/)?experiments/[^/]*")
"""Pages of templates, of which only those are published that have a batch."""

Group = tuple[str, list[str]]
"""Pages that belong together, and what they are called."""


@dataclass(frozen=True)
class Site:
    """What pages are held against. `scripts` are the hashes of inline scripts that any page may have."""

    root: Path
    files: set[str]
    api: Api
    scripts: frozenset[str]


@dataclass
class PagesRead:
    """What a few pages show, checked; and what must be checked with all pages at hand: the fragments that each page has
    and the first page that leads to each fragment of another."""

    result: VerifyResult = field(default_factory=VerifyResult)
    ids: dict[str, frozenset[str]] = field(default_factory=dict)
    fragments: dict[Fragment, str] = field(default_factory=dict)


def check_pages(root: Path, files: set[str], api: Api, jobs: int, result: VerifyResult) -> None:
    """Every page shows what the API says, nothing without a number, and leads where something is."""
    groups = sorted(group_pages(address for address in files if address.endswith(".html")).items())
    for base in sorted(StampedPages(root, api).expected - {base for base, _ in groups}):
        result.differ(base, "a page", "none", "the page of a number, run or list")
    _check_readers_pages(files, api, result)
    filling = Filling(api.numbers, api.words, api.index["thresholds"])
    check_audit_pages(root, files, api.register, filling, result)
    site = Site(root, files, api, _theme_scripts(root, result))
    ids: dict[str, frozenset[str]] = {}
    fragments: dict[Fragment, str] = {}
    tasks = [groups[start : start + _PAGES_PER_TASK] for start in range(0, len(groups), _PAGES_PER_TASK)]
    for read in work(jobs, SomePages, site, tasks):
        result.absorb(read.result)
        ids |= read.ids
        fragments = read.fragments | fragments
    for (target, fragment), address in fragments.items():
        is_read = is_filter(target, fragment) or is_comparison(target, fragment, ids)
        if target in ids and fragment not in ids[target] and not is_read:
            result.differ(address, "a link", f"{target}#{fragment}", "no such fragment")


def _check_readers_pages(files: set[str], api: Api, result: VerifyResult) -> None:
    """In each language those of every site, of each template and batch, and no other."""
    results = [batch["page"] for batch in api.index["batches"]]
    statistics = [f"{page.removesuffix('.html')}/statistics.html" for page in results]
    audit = [AUDIT_PAGE] if api.register.is_there else []
    known = {*_FIXED, *audit, *(listed["page"] for listed in api.index["experiments"]), *results, *statistics}
    found = {address for address in files if address.endswith(".html") and not is_stamped(address)} - {BARE_PAGE}
    is_bilingual = any(address.startswith("en/") for address in found)
    expected = known | {f"en/{address}" for address in known if is_bilingual}
    for address in sorted(found - expected):
        result.differ(address, "a page", "of nothing that the index names", "none")
    for address in sorted(expected - found):
        result.differ(address, "a page", "none", "a page of the site, of a template or of a batch")


def _theme_scripts(root: Path, result: VerifyResult) -> frozenset[str]:
    with result.reading(BARE_PAGE):
        page = read_page(root / BARE_PAGE, is_evidence=False)
        return frozenset(script for found in page.found for script in found.scripts)
    return frozenset()


class SomePages:
    """Checks pages, in one process."""

    def __init__(self, site: Site) -> None:
        api, address = site.api, site.api.index["address"] or ""
        self._site = site
        self._readers = {is_evidence: PageReader(is_evidence=is_evidence) for is_evidence in (False, True)}
        restated = [known.number["restated"] for known in api.numbers.values()]
        heads = [batch.head for batch in api.batches.values()]
        records = [api.index, api.table, *heads, restated, api.profile, *api.register.entries]
        # A value that a claim calls configured must be so elsewhere.
        references = References(records, api)
        records += [] if api.register.ledger is None else [api.register.ledger]
        self._vocabulary = Vocabulary([api.words, *records])
        self._words = WordChecks(api.words, records)
        links = Links(site.files, urlsplit(address).path.rstrip("/") + "/")
        self._checks = PieceChecks(api.numbers, self._vocabulary, self._words, links, address)
        self._references = references
        self._stamped = StampedPages(site.root, api)
        self._rows = PageRows(api)

    def __call__(self, groups: list[Group]) -> PagesRead:
        read = PagesRead()
        seen: Counter[Checked] = Counter()
        for base, addresses in groups:
            pages = []
            for address in addresses:
                with read.result.reading(address):
                    page = self._read(address, read.result)
                    if page is not None:
                        self._check(address, page, read, seen)
                        pages.append((address, page.found))
            if len(pages) == len(addresses) and is_stamped(addresses[0]):
                with read.result.reading(addresses[0]):
                    self._check_group(base, pages, read.result)
        for checked, times in seen.items():
            for kind, count in checked.counts.items():
                read.result.checked[kind] += count * times
        return read

    def _read(self, address: str, result: VerifyResult) -> Page | None:
        result.checked["pages"] += 1
        is_evidence = address.startswith("runs/") and is_stamped(address)
        try:
            raw = (self._site.root / address).read_bytes()
            page = self._readers[is_evidence].read(raw)
            with result.reading(address):
                for finding in self._rows.findings(address, raw):
                    result.differ(address, *finding)
            return page
        except (MalformedHtml, UnicodeDecodeError) as error:
            result.differ(address, "a page", str(error), "HTML in UTF-8 that needs no mending")
            return None

    def _check(self, address: str, page: Page, read: PagesRead, seen: Counter[Checked]) -> None:
        folder, absolute = posixpath.dirname(address), address == ABSOLUTE
        check = self._checks.check
        every = [
            (found.checked and found.checked.get(folder)) or check(found, folder, absolute=absolute)
            for found in page.found
        ]
        seen.update(every)
        special = [checked for checked in every if not checked.is_plain]
        page.found = [found for found in page.found if found.is_of_page or found.facts]
        read.ids[address] = frozenset(name for found in page.found for name in found.ids)
        self._check_special(address, page, special, read)
        for what, shown, expected in policy_findings(page, self._site.scripts, is_stamped=is_stamped(address)):
            read.result.differ(address, what, shown, expected)

    def _check_special(self, address: str, page: Page, special: list[Checked], read: PagesRead) -> None:
        result, ids = read.result, read.ids[address]
        is_generated = address.removeprefix("en/").startswith(_GENERATED)
        for checked in special:
            for finding in checked.findings:
                result.differ(address, *finding)
            for fragment in checked.own:
                if fragment not in ids:
                    result.differ(address, "a link", f"#{fragment}", "no such fragment")
            for target in checked.fragments:
                read.fragments.setdefault(target, address)
            for link in checked.foreign:
                if is_generated:
                    result.differ(address, "a link to another host", link, "none: the page is generated")
                else:
                    result.limits[f"links of {address} to {link}"] += 1
            for text in checked.strange if is_stamped(address) else ():
                result.differ(address, "words", text, "words that the site publishes")
            for text in checked.unpaired if is_stamped(address) else ():
                result.differ(address, "words", text, "a text of the site in both languages")
        if not is_stamped(address) and any(checked.strange for checked in special):
            result.limits["pages with words of definitions or authors that are not published"] += 1
        self._check_references(address, page, is_generated, result)
        named = [text for checked in special for text in checked.named]
        titles = [title for found in page.found for title in found.titles if any(map(str.isdigit, title))]
        if named or titles:
            self._check_names(address, page, named + [(title, "") for title in titles], result)

    def _check_references(self, address: str, page: Page, is_generated: bool, result: VerifyResult) -> None:
        """Where rows of runs are held against the evidence, their references are too."""
        sections = (
            sections_of(page.found) if address.startswith("numbers/") else {"": [found.facts for found in page.found]}
        )
        for name, facts in sections.items():
            for kind, text in (fact for row in facts for fact in row) if name not in _HELD_AGAINST_RUNS else ():
                if kind == "ref" and self._references.is_strange(text, address):
                    if is_generated and not _OF_TEMPLATES.fullmatch(address):
                        result.differ(address, "a reference", text, "a configured value, or a link to a number")
                    else:
                        result.limits[f"values that {address} gives as references"] += 1

    def _check_names(self, address: str, page: Page, named: list[tuple[str, str]], result: VerifyResult) -> None:
        """Digits outside the content are those of names, of headings of the page, or of the value that it is about."""
        headings = [(anchor, text) for found in page.found for anchor, text in found.headings]
        base = address.removeprefix("numbers/").removesuffix(".html").partition("--page-")[0]
        number = self._site.api.numbers.get(base)
        values = ["404"] if address == BARE_PAGE else []
        if number is not None:
            values = [number.value, number.number["variant"], number.number["slice"] or ""]
        for text, href in named:
            own = [heading for anchor, heading in headings if href in ("", f"#{anchor}")]
            if not self._vocabulary.explains(text, *own, *values):
                result.differ(address, "a quantity outside the content", spaced(text), "names and headings")

    def _check_group(self, base: str, pages: list[tuple[str, list[Found]]], result: VerifyResult) -> None:
        """What only pages of numbers, runs and lists show."""
        result.checked["pages against the evidence"] += len(pages)
        for address, finding in self._stamped.check(base, pages):
            result.differ(address, *finding)


def is_stamped(address: str) -> bool:
    """Whether a page is made without MkDocs, and carries both languages."""
    return address.startswith("numbers/") or (address.startswith("runs/") and address != "runs/index.html")
