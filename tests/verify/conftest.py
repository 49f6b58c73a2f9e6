"""One small site, for all tests that damage it, whose unchanged pages are parsed once.

A third of a verification is the parsing of pages, of which a damage changes one. What is parsed depends on nothing but
its bytes; every check of it is made again.
"""

from collections.abc import Iterator
from pathlib import Path

import pytest

from generator.verify import site_pages
from generator.verify.found import Found
from generator.verify.pages import Page, PageReader
from tests.support.once import small_site_once

_PARSED = {is_evidence: PageReader(is_evidence=is_evidence) for is_evidence in (False, True)}


class _RememberingReader:
    """Parses as a reader does, with what all readers of the session have parsed. Checks keep notes on what was found,
    so each reader gives copies of its own."""

    def __init__(self, *, is_evidence: bool) -> None:
        self._parsed = _PARSED[is_evidence]
        self._copies: dict[int, tuple[Found, Found]] = {}

    def read(self, html: bytes) -> Page:
        return Page([self._own(found) for found in self._parsed.read(html).found])

    def _own(self, found: Found) -> Found:
        # The original is kept too, so that no other can get its identity.
        if id(found) not in self._copies:
            own = Found()
            own.__dict__.update(found.__dict__)
            own.pieces = tuple(map(self._own, found.pieces))
            self._copies[id(found)] = found, own
        return self._copies[id(found)][1]


@pytest.fixture(autouse=True, scope="session")
def _remembered_pages() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(site_pages, "PageReader", _RememberingReader)
        yield


@pytest.fixture(scope="session")
def small_site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two variants, sixteen metrics, differences, quantiles, pass^k, runs that are excluded, both languages."""
    return small_site_once(tmp_path_factory, "small")
