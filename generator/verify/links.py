"""Whether every link of the site leads somewhere, and nothing is loaded from elsewhere."""

import posixpath
from functools import lru_cache
from urllib.parse import unquote, urlsplit

from generator.verify.result import VerifyResult


def check_links(
    files: set[str],
    ids: dict[str, set[str]],
    links: dict[str, set[str]],
    loads: dict[str, set[str]],
    base: str,
    result: VerifyResult,
) -> None:
    """Internal links resolve to a file, and their fragment to an id; whatever a page loads is of the site.

    Only the page of missing addresses may use absolute ones, because it is shown at any depth; they begin with `base`,
    the path at which the site is published.

    `files` are all addresses of the site; `ids`, `links` and `loads` are those of each page, by its address.
    """
    for address, targets in links.items():
        for link in sorted(targets):
            _check_link(files, ids, address, link, base, result)
    for address, targets in loads.items():
        for load in sorted(targets):
            result.checked["loads"] += 1
            if load.startswith("data:"):
                continue
            if _is_foreign(load):
                result.differ(address, "a request to another host", load, "none")
            else:
                _check_link(files, ids, address, load, base, result)


def _check_link(
    files: set[str], ids: dict[str, set[str]], address: str, link: str, base: str, result: VerifyResult
) -> None:
    if _is_foreign(link):
        return
    result.checked["links"] += 1
    path, _, fragment = link.partition("#")
    if address == "404.html" and path.startswith(base):
        path = path.removeprefix(base) or "./"
    target = _target(posixpath.dirname(address), path) if path else address
    if target not in files:
        result.differ(address, "a link", link, "no such file")
    elif fragment and target in ids and unquote(fragment) not in ids[target]:
        result.differ(address, "a link", link, "no such fragment")


@lru_cache(maxsize=65536)
def _target(folder: str, path: str) -> str | None:
    """The address to which a path leads from a folder; None outside the site."""
    path = unquote(path.partition("?")[0])
    joined = posixpath.normpath(posixpath.join(folder, path))
    if joined == ".." or joined.startswith(("../", "/")):
        return None
    if path.endswith("/") or joined == ".":
        joined = posixpath.join(joined, "index.html")
    return posixpath.normpath(joined)


@lru_cache(maxsize=65536)
def _is_foreign(link: str) -> bool:
    parts = urlsplit(link)
    return bool(parts.scheme or parts.netloc)
