"""Files beside pages and data: style sheets, images, search indexes, the list of pages for machines; and files that
nothing names."""

import posixpath
import re
from collections import defaultdict
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from typing import Any

from generator.verify.active import element_problems, link_problems, style_problems
from generator.verify.html_tokens import attributes_of, tokens
from generator.verify.json_files import load
from generator.verify.links import Links
from generator.verify.published import INDEX, TEXTS, Api
from generator.verify.result import VerifyResult

_SEARCH = "search/search_index.json"
_SITEMAP = "sitemap.xml"
_STYLE_ADDRESS = re.compile(r"""url\(\s*["']?\s*([^"')\s]+)""", re.IGNORECASE)
_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
_CODE = re.compile(r"<(script|style)\b.*?</\1\s*>", re.DOTALL | re.IGNORECASE)
_ANY_TAG = re.compile(r"<[^>]*>")
_SPACE = re.compile(r"[\s\u200b]+")
_ADDRESSES = re.compile(r"(?:<loc>|href=\")([^<\"]*)")


def check_other_files(root: Path, files: set[str], api: Api, result: VerifyResult) -> None:
    """`files` are all addresses of the site."""
    links = Links(files, "/")
    for address in sorted(files):
        with result.reading(address):
            if address.endswith(".css"):
                _check_style(root, address, links, result)
            elif address.endswith(".svg"):
                _check_image(root, address, result)
            elif address.endswith(_SEARCH):
                _check_search(root, address, files, result)
            elif address == _SITEMAP:
                _check_sitemap(root, api.index["address"] or "", links, result)
    known = _named(api)
    for address in sorted(files - known):
        if address.endswith(".json") and address.startswith(("api/", "runs/", "numbers/")):
            result.differ(address, "a file", "named by no index", "none")
    for address in sorted(known - files):
        result.differ(address, "a file", "none", "named by the index")


def _named(api: Api) -> set[str]:
    """Every JSON file that the index or a batch file names."""
    addresses = api.index["addresses"]
    named = {INDEX, TEXTS, addresses["metrics"], addresses["projection"], *addresses["schemas"].values()}
    if api.index["box_profile"] is not None:
        named.add(api.index["box_profile"]["file"])
    for entry in api.index["batches"]:
        named |= {entry["file"], entry["numbers"], *entry["runsets"]}
    named |= {entry["file"] for entry in api.index["evidence"]}
    named |= {address for address in (api.index["evidence_numbers"], api.index["claims"]) if address is not None}
    return named | {run["evidence"] for batch in api.batches.values() for run in batch.head["runs"]}


def _check_style(root: Path, address: str, links: Links, result: VerifyResult) -> None:
    """A style sheet loads images and fonts of the site, and no other style sheet."""
    result.checked["style sheets"] += 1
    style = _COMMENT.sub(" ", (root / address).read_bytes().decode("utf-8"))
    for problem in style_problems(style):
        result.differ(address, "what a style loads", problem, "none")
    for target in _STYLE_ADDRESS.findall(style):
        if not target.startswith(("#", "data:")) and links.target(posixpath.dirname(address), target)[0] is None:
            result.differ(address, "what a style loads", target, "a file of the site")


def _check_image(root: Path, address: str, result: VerifyResult) -> None:
    """An image runs nothing and leads nowhere."""
    result.checked["images"] += 1
    for kind, name, written, _, _, nothing in tokens((root / address).read_bytes().decode("utf-8").strip()):
        attributes = attributes_of(written)
        problems = list(element_problems(name.lower(), attributes)) if kind != "/" else []
        hrefs = [attributes[href] for href in ("href", "xlink:href") if href in attributes]
        problems += [problem for href in hrefs for problem in link_problems(href)]
        problems += [("an address", href) for href in hrefs if not href.startswith("#")]
        if nothing or name.lower() in ("script", "foreignobject", "style"):
            problems.append(("an element", name or nothing))
        for what, found in problems:
            result.differ(address, what, found, "none")


def _check_search(root: Path, address: str, files: set[str], result: VerifyResult) -> None:
    """What the search finds stands on the page to which it leads."""
    index = load(root / address)
    result.compare("search indexes", address, "fields", sorted(index), ["config", "docs"])
    folder = address.removesuffix(_SEARCH)
    by_page: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for entry in index["docs"]:
        by_page[folder + entry["location"].partition("#")[0]].append(entry)
    for page, entries in by_page.items():
        if page not in files:
            result.differ(address, "a page", page, "no such file")
            continue
        text = _plain(_CODE.sub("", (root / page).read_bytes().decode("utf-8")))
        for entry, name in ((entry, name) for entry in entries for name in ("title", "text")):
            result.checked["texts of search indexes"] += 1
            if _plain(entry[name]) not in text:
                result.differ(address, f"{entry['location']} {name}", _shortened(entry[name]), "a text of the page")


def _check_sitemap(root: Path, base: str, links: Links, result: VerifyResult) -> None:
    for address in _found_addresses((root / _SITEMAP).read_bytes().decode("utf-8")):
        result.checked["addresses of the sitemap"] += 1
        path = address.removeprefix(base.rstrip("/") + "/")
        if path == address or links.target("", path or "./")[0] is None:
            result.differ(_SITEMAP, "an address", address, "a page of the site")


def _found_addresses(sitemap: str) -> Iterator[str]:
    return (unescape(address) for address in _ADDRESSES.findall(sitemap))


def _plain(html: str) -> str:
    """Text without elements and spaces; the index of the search cuts words where it likes."""
    return _SPACE.sub("", unescape(_ANY_TAG.sub("", html)))


def _shortened(text: str) -> str:
    return text if len(text) <= 80 else text[:79] + "…"
