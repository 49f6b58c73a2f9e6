"""All pages of a site: what they show, and where they lead."""

from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from generator.verify.html_tokens import MalformedHtml
from generator.verify.links import check_links
from generator.verify.pages import read_page
from generator.verify.published import Api
from generator.verify.result import VerifyResult
from generator.verify.shown import Published, check_counts, check_shown
from generator.verify.workers import work

_PAGES_PER_TASK = 200


@dataclass(frozen=True)
class PagesRead:
    """What a few pages show, checked; and for each page, by address, what must be checked with all pages at hand."""

    result: VerifyResult
    ids: dict[str, set[str]]
    links: dict[str, set[str]]
    loads: dict[str, set[str]]


def check_pages(root: Path, api: Api, jobs: int, result: VerifyResult) -> None:
    """Every page shows what the API says, nothing without a number, and leads where something is."""
    published = api.numbers
    base = urlsplit(api.index["address"] or "").path.rstrip("/") + "/"
    files = {path.relative_to(root).as_posix() for path in root.rglob("*") if path.is_file()}
    addresses = sorted(address for address in files if address.endswith(".html"))
    ids: dict[str, set[str]] = {}
    links: dict[str, set[str]] = {}
    loads: dict[str, set[str]] = {}
    tasks = [addresses[start : start + _PAGES_PER_TASK] for start in range(0, len(addresses), _PAGES_PER_TASK)]
    for read in work(jobs, _read_pages, (root, published), tasks):
        result.absorb(read.result)
        ids |= read.ids
        links |= read.links
        loads |= read.loads
    check_links(files, ids, links, loads, base, result)


def _read_pages(shared: tuple[Path, dict[str, Published]], addresses: list[str]) -> PagesRead:
    return _read_some(*shared, addresses)


def _read_some(root: Path, published: dict[str, Published], addresses: list[str]) -> PagesRead:
    read = PagesRead(VerifyResult(), {}, {}, {})
    for address in addresses:
        read.result.checked["pages"] += 1
        try:
            page = read_page(root / address, is_evidence=address.startswith("runs/"))
        except (MalformedHtml, UnicodeDecodeError) as error:
            read.result.differ(address, "a page", str(error), "HTML in UTF-8")
            continue
        check_shown(address, page, published, read.result)
        check_counts(address, page, published, read.result)
        for text in page.loose_digits:
            read.result.differ(address, "a quantity without a number", text, "a link to a number, or a reference")
        read.ids[address], read.links[address], read.loads[address] = page.ids, page.links, page.loads
    return read
