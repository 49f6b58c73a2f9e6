"""Whether every link of the site leads somewhere, and nothing is loaded from elsewhere."""

import posixpath
from pathlib import Path
from urllib.parse import unquote, urlsplit

from generator.verify.pages import Page
from generator.verify.result import VerifyResult


def check_links(root: Path, pages: dict[str, Page], result: VerifyResult) -> None:
    """Internal links resolve to a file, and their fragment to an id; whatever a page loads is of the site."""
    for address, page in pages.items():
        for link in page.links:
            _check_link(root, pages, address, link, result)
        for load in page.loads:
            result.checked["loads"] += 1
            if _is_foreign(load) and not load.startswith("data:"):
                result.differ(address, "a request to another host", load, "none")
            elif not load.startswith("data:"):
                _check_link(root, pages, address, load, result)


def _check_link(root: Path, pages: dict[str, Page], address: str, link: str, result: VerifyResult) -> None:
    if _is_foreign(link):
        return
    result.checked["links"] += 1
    parts = urlsplit(link)
    target = _target(address, unquote(parts.path))
    if target is None or not (root / target).is_file():
        result.differ(address, "a link", link, "no such file")
        return
    fragment = unquote(parts.fragment)
    if fragment and target in pages and fragment not in pages[target].ids:
        result.differ(address, "a link", link, "no such fragment")


def _target(address: str, path: str) -> str | None:
    """The file that a link of the page leads to; None above the root of the site."""
    if not path:
        return address
    # Only the page of a missing address may use absolute addresses.
    base = "" if path.startswith("/") and address.endswith("404.html") else posixpath.dirname(address)
    joined = posixpath.normpath(posixpath.join(base, path.lstrip("/") if base == "" else path))
    if joined.startswith(("..", "/")):
        return None
    if path.endswith("/") or joined == ".":
        joined = posixpath.join(joined, "index.html")
    return posixpath.normpath(joined)


def _is_foreign(link: str) -> bool:
    parts = urlsplit(link)
    return bool(parts.scheme or parts.netloc)
