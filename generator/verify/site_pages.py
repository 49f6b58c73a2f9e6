"""All pages of a site: what they show, and where they lead."""

from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from generator.verify.html_tokens import MalformedHtml
from generator.verify.links import check_links
from generator.verify.pages import read_page
from generator.verify.result import VerifyResult
from generator.verify.shown import Published, check_counts, check_numbers

_PAGES_PER_TASK = 200


@dataclass(frozen=True)
class PagesRead:
    """What a few pages show, checked; and for each page, by address, what must be checked with all pages at hand."""

    result: VerifyResult
    ids: dict[str, set[str]]
    links: dict[str, set[str]]
    loads: dict[str, set[str]]


def check_pages(root: Path, published: dict[str, Published], base: str, jobs: int, result: VerifyResult) -> None:
    """Every page shows what the API says, nothing without a number, and leads where something is.

    `base` is the path at which the site is published."""
    files = {path.relative_to(root).as_posix() for path in root.rglob("*") if path.is_file()}
    addresses = sorted(address for address in files if address.endswith(".html"))
    ids: dict[str, set[str]] = {}
    links: dict[str, set[str]] = {}
    loads: dict[str, set[str]] = {}
    for read in _read_all(root, published, addresses, jobs):
        result.checked += read.result.checked
        result.disagreements += read.result.disagreements
        ids |= read.ids
        links |= read.links
        loads |= read.loads
    check_links(files, ids, links, loads, base, result)


def _read_all(root: Path, published: dict[str, Published], addresses: list[str], jobs: int) -> Iterator[PagesRead]:
    tasks = [addresses[start : start + _PAGES_PER_TASK] for start in range(0, len(addresses), _PAGES_PER_TASK)]
    if jobs == 1 or len(tasks) < 2:
        yield from map(partial(_read_some, root, published), tasks)
        return
    with ProcessPoolExecutor(jobs, initializer=_start, initargs=(root, published)) as pool:
        yield from pool.map(_read_task, tasks)


_shared: tuple[Path, dict[str, Published]]


def _start(root: Path, published: dict[str, Published]) -> None:
    global _shared
    _shared = (root, published)


def _read_task(addresses: list[str]) -> PagesRead:
    return _read_some(*_shared, addresses)


def _read_some(root: Path, published: dict[str, Published], addresses: list[str]) -> PagesRead:
    read = PagesRead(VerifyResult(), {}, {}, {})
    for address in addresses:
        read.result.checked["pages"] += 1
        try:
            page = read_page(root / address, is_evidence=address.startswith("runs/"))
        except (MalformedHtml, UnicodeDecodeError) as error:
            read.result.differ(address, "a page", str(error), "HTML in UTF-8")
            continue
        check_numbers(address, page, published, read.result)
        check_counts(address, page, published, read.result)
        for text in page.loose_digits:
            read.result.differ(address, "a quantity without a number", text, "a link to a number, or a reference")
        read.ids[address], read.links[address], read.loads[address] = page.ids, page.links, page.loads
    return read
