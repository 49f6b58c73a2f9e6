"""All pages of a site: what they show, and where they lead."""

import posixpath
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from generator.verify.html_tokens import MalformedHtml
from generator.verify.links import ABSOLUTE, Links
from generator.verify.pages import Page, PageReader, read_page
from generator.verify.piece_checks import Checked, Fragment, PieceChecks
from generator.verify.policy import BARE_PAGE, policy_findings
from generator.verify.published import Api
from generator.verify.result import VerifyResult
from generator.verify.shown import Published
from generator.verify.vocabulary import Vocabulary, spaced
from generator.verify.workers import work

_PAGES_PER_TASK = 200
_GENERATED = (
    *("experiments/", "numbers/", "runs/", "index.html", "404.html"),
    *("audit.html", "changes.html", "data.html", "metrics.html", "verify.html"),
)


@dataclass(frozen=True)
class Site:
    """What pages are held against. `scripts` are the hashes of inline scripts that any page may have."""

    root: Path
    files: set[str]
    address: str
    published: dict[str, Published]
    records: list[Any]
    scripts: frozenset[str]


@dataclass
class PagesRead:
    """What a few pages show, checked; and what must be checked with all pages at hand: the fragments that each page has
    and the first page that leads to each fragment of another."""

    result: VerifyResult = field(default_factory=VerifyResult)
    ids: dict[str, frozenset[str]] = field(default_factory=dict)
    fragments: dict[Fragment, str] = field(default_factory=dict)


def check_pages(root: Path, api: Api, jobs: int, result: VerifyResult) -> None:
    """Every page shows what the API says, nothing without a number, and leads where something is."""
    files = {path.relative_to(root).as_posix() for path in root.rglob("*") if path.is_file()}
    addresses = sorted(address for address in files if address.endswith(".html"))
    heads = [batch.head for batch in api.batches.values()]
    records = [api.index, api.table, api.words, *heads]
    site = Site(root, files, api.index["address"] or "", api.numbers, records, _theme_scripts(root, result))
    ids: dict[str, frozenset[str]] = {}
    fragments: dict[Fragment, str] = {}
    tasks = [addresses[start : start + _PAGES_PER_TASK] for start in range(0, len(addresses), _PAGES_PER_TASK)]
    for read in work(jobs, SomePages, site, tasks):
        result.absorb(read.result)
        ids |= read.ids
        fragments = read.fragments | fragments
    for (target, fragment), address in fragments.items():
        if target in ids and fragment not in ids[target]:
            result.differ(address, "a link", f"{target}#{fragment}", "no such fragment")


def _theme_scripts(root: Path, result: VerifyResult) -> frozenset[str]:
    with result.reading(BARE_PAGE):
        page = read_page(root / BARE_PAGE, is_evidence=False)
        return frozenset(script for found in page.found for script in found.scripts)
    return frozenset()


class SomePages:
    """Checks pages, in one process."""

    def __init__(self, site: Site) -> None:
        self._site = site
        self._readers = {is_evidence: PageReader(is_evidence=is_evidence) for is_evidence in (False, True)}
        links = Links(site.files, urlsplit(site.address).path.rstrip("/") + "/")
        self._vocabulary = Vocabulary(site.records)
        self._checks = PieceChecks(site.published, self._vocabulary, links, site.address)

    def __call__(self, addresses: list[str]) -> PagesRead:
        read = PagesRead()
        seen: Counter[Checked] = Counter()
        for address in addresses:
            with read.result.reading(address):
                self._check(address, read, seen)
        read.result.checked["pages"] += len(addresses)
        for checked, times in seen.items():
            for kind, count in checked.counts.items():
                read.result.checked[kind] += count * times
        return read

    def _check(self, address: str, read: PagesRead, seen: Counter[Checked]) -> None:
        try:
            page = self._readers[_is_evidence(address)].read((self._site.root / address).read_bytes())
        except (MalformedHtml, UnicodeDecodeError) as error:
            read.result.differ(address, "a page", str(error), "HTML in UTF-8 that needs no mending")
            return
        folder, absolute = posixpath.dirname(address), address == ABSOLUTE
        check = self._checks.check
        every = [
            (found.checked and found.checked.get(folder)) or check(found, folder, absolute=absolute)
            for found in page.found
        ]
        seen.update(every)
        special = [checked for checked in every if not checked.is_plain]
        page.found = [found for found in page.found if found.is_of_page or found.facts]
        ids = read.ids[address] = frozenset(name for found in page.found for name in found.ids)
        self._check_special(address, page, special, ids, read)
        for what, shown, expected in policy_findings(page, self._site.scripts, is_stamped=_is_stamped(address)):
            read.result.differ(address, what, shown, expected)

    def _check_special(
        self, address: str, page: Page, special: list[Checked], ids: frozenset[str], read: PagesRead
    ) -> None:
        result = read.result
        for checked in special:
            for finding in checked.findings:
                result.differ(address, *finding)
            for fragment in checked.own:
                if fragment not in ids:
                    result.differ(address, "a link", f"#{fragment}", "no such fragment")
            for target in checked.fragments:
                read.fragments.setdefault(target, address)
            for link in checked.foreign:
                if address.removeprefix("en/").startswith(_GENERATED):
                    result.differ(address, "a link to another host", link, "none: the page is generated")
                else:
                    result.limits[f"links of {address} to {link}"] += 1
        named = [text for checked in special for text in checked.named]
        titles = [title for found in page.found for title in found.titles if any(map(str.isdigit, title))]
        if named or titles:
            self._check_names(address, page, named + [(title, "") for title in titles], result)

    def _check_names(self, address: str, page: Page, named: list[tuple[str, str]], result: VerifyResult) -> None:
        """Digits outside the content are those of names, of headings of the page, or of the value that it is about."""
        headings = [(anchor, text) for found in page.found for anchor, text in found.headings]
        number = self._site.published.get(
            address.removeprefix("numbers/").removesuffix(".html").partition("--page-")[0]
        )
        values = ["404"] if address == BARE_PAGE else []
        if number is not None:
            values = [number.value, number.number["variant"], number.number["slice"] or ""]
        for text, href in named:
            own = [heading for anchor, heading in headings if href in ("", f"#{anchor}")]
            if not self._vocabulary.explains(text, *own, *values):
                result.differ(address, "a quantity outside the content", spaced(text), "names and headings")


def _is_evidence(address: str) -> bool:
    return address.startswith("runs/") and address != "runs/index.html"


def _is_stamped(address: str) -> bool:
    return address.startswith("numbers/") or _is_evidence(address)
