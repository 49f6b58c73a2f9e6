"""A part of the sample site and a site of hostile texts, built once a session, served, and read in a browser.

`RUNCITE_TEST_SITE` and `RUNCITE_TEST_HOSTILE_SITE` may name sites that were built before, to save the time of a build
while a test is written.
"""

import os
import shutil
from collections.abc import Generator, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Playwright, sync_playwright

from tests.site.building import build_once, write_part_of_sample
from tests.site.hostile import write_hostile_source
from tests.site.kinds import Index
from tests.site.serving import serve
from tests.site.visiting import DESKTOP, PHONE, Served, Tabs, Visitor
from tests.support.once import session_folder

CHROMIUM = ("/usr/bin/chromium", "chromium", "chromium-browser", "google-chrome")
ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


@pytest.fixture(scope="session")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """The site of a part of `data/`."""
    ready = os.environ.get("RUNCITE_TEST_SITE")
    folder = session_folder(tmp_path_factory) / "sample"
    yield from _served(Path(ready) if ready else build_once(folder, write_part_of_sample))


@pytest.fixture(scope="session")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """The site of a small source whose runs say hostile things."""
    ready = os.environ.get("RUNCITE_TEST_HOSTILE_SITE")
    folder = session_folder(tmp_path_factory) / "hostile"
    yield from _served(Path(ready) if ready else build_once(folder, write_hostile_source))


def _served(site: Path) -> Iterator[Served]:
    with serve(site) as http, serve(site, "/some/where/") as subpath:
        yield Served(site.absolute(), http, subpath, Index(site))


@pytest.fixture(scope="session")
def playwright() -> Iterator[Playwright]:
    with sync_playwright() as started:
        yield started


@pytest.fixture(scope="session")
def browser(playwright: Playwright) -> Iterator[Browser]:
    """The system's Chromium, else the one that Playwright installed."""
    system = next((found for name in CHROMIUM if (found := shutil.which(name))), None)
    launched = playwright.chromium.launch(executable_path=system, args=ARGUMENTS)
    yield launched
    launched.close()


@pytest.fixture(scope="session")
def tabs(browser: Browser) -> Tabs:
    return Tabs(browser)


@pytest.fixture
def visit(tabs: Tabs, sample: Served, request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Visitor]:
    """Opens pages of the sample site."""
    yield from _visitor(tabs, sample, request, tmp_path)


@pytest.fixture
def visit_hostile(tabs: Tabs, hostile: Served, request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Visitor]:
    """Opens pages of the site of hostile texts."""
    yield from _visitor(tabs, hostile, request, tmp_path)


_failed = pytest.StashKey[bool]()


def _visitor(tabs: Tabs, served: Served, request: pytest.FixtureRequest, folder: Path) -> Iterator[Visitor]:
    visitor = Visitor(tabs, served)
    yield visitor
    if request.node.stash.get(_failed, False):
        _take_pictures(visitor, folder, request.node)
        visitor.close()
    else:
        visitor.leave()


def _take_pictures(visitor: Visitor, folder: Path, item: pytest.Item) -> None:
    """What a failing test had before its eyes, at both sizes."""
    for place, tab in enumerate(visitor.taken):
        for name, size in (("desktop", DESKTOP), ("phone", PHONE)):
            tab.page.set_viewport_size({"width": size["width"], "height": size["height"]})
            path = folder / f"{place}-{name}.png"
            tab.page.screenshot(path=path, full_page=True)
            item.add_report_section("teardown", "picture", str(path))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    if call.when == "call":
        item.stash[_failed] = report.failed
    return report
