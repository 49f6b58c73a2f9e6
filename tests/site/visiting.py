"""Pages in a browser, and what goes wrong on them."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal
from urllib.parse import urlsplit

from playwright.sync_api import Browser, ConsoleMessage, Dialog, Page, Request, Response

from tests.site.kinds import KINDS, Index

Origin = Literal["http", "subpath", "file"]
PHONE = {"width": 390, "height": 844}
DESKTOP = {"width": 1280, "height": 900}


@dataclass(frozen=True)
class Served:
    """A built site: its folder, and its address at the root of a host, below a path, and as a file."""

    root: Path
    http: str
    subpath: str
    index: Index

    def address(self, kind: str, lang: str = "zh", origin: Origin = "http") -> str:
        return self.at(KINDS[kind].address(self.index, lang), origin)

    def at(self, page: str, origin: Origin = "http") -> str:
        """`page` is an address below the root of the site."""
        roots = {"http": self.http, "subpath": self.subpath, "file": self.root.as_uri() + "/"}
        return roots[origin] + page


@dataclass
class Problems:
    """What a browser complains of while a page is open. What is not below `root`, the site, is elsewhere."""

    root: str
    console: list[str] = field(default_factory=list)
    failed: list[str] = field(default_factory=list)
    elsewhere: list[str] = field(default_factory=list)
    dialogs: list[str] = field(default_factory=list)

    @property
    def all(self) -> list[str]:
        return [*self.console, *self.failed, *self.elsewhere, *self.dialogs]


class Tab:
    """A page in a context of its own, with what goes wrong on it. A browser takes a second to make one: see `Tabs`."""

    def __init__(self, browser: Browser, options: dict[str, Any]) -> None:
        self.options = options
        self.problems = Problems("")
        self.context = browser.new_context(**options)
        self.context.set_default_timeout(20_000)
        self.context.on("console", self._said)
        self.context.on("weberror", lambda error: self.problems.console.append(str(error.error)))
        self.context.on("requestfailed", self._lost)
        self.context.on("response", self._answered)
        self.context.on("dialog", self._opened)
        self.context.on("request", self._asked)
        self.page = self.context.new_page()
        self._session = self.context.new_cdp_session(self.page)

    def clear(self, origins: list[str]) -> None:
        """Forget the last page, what it kept, and what was pretended to it."""
        self.page.goto("about:blank")
        self.page.emulate_media(media="screen", color_scheme=self.options.get("color_scheme", "light"))
        for origin in origins:
            kept = {"origin": origin, "storageTypes": "local_storage"}
            self._session.send("Storage.clearDataForOrigin", kept)

    def _said(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning", "assert"):
            self.problems.console.append(f"{message.location['url']}: {message.text}")

    def _lost(self, request: Request) -> None:
        # What a page still asked for when its reader moved on is aborted, and missed by nobody.
        if request.failure != "net::ERR_ABORTED":
            self.problems.failed.append(f"{request.url}: {request.failure}")

    def _answered(self, response: Response) -> None:
        if response.status >= 400:
            self.problems.failed.append(f"{response.url}: {response.status}")

    def _opened(self, dialog: Dialog) -> None:
        self.problems.dialogs.append(f"dialog: {dialog.message}")
        dialog.dismiss()

    def _asked(self, request: Request) -> None:
        own = request.url.startswith(self.problems.root)
        if not own and urlsplit(request.url).scheme not in ("data", "blob", "about"):
            self.problems.elsewhere.append(request.url)


@dataclass
class Tabs:
    """The tabs of a session, free ones by their options, so that tests one after another use the same."""

    browser: Browser
    free: dict[str, list[Tab]] = field(default_factory=dict)

    def take(self, options: dict[str, Any]) -> Tab:
        waiting = self.free.get(repr(sorted(options.items())), [])
        return waiting.pop() if waiting else Tab(self.browser, options)

    def give_back(self, tab: Tab, origins: list[str]) -> None:
        tab.clear(origins)
        self.free.setdefault(repr(sorted(tab.options.items())), []).append(tab)


@dataclass
class Visitor:
    """Opens pages of one site, each in a tab of its own; `leave` gives the tabs back."""

    tabs: Tabs
    served: Served
    taken: list[Tab] = field(default_factory=list)

    def open(self, kind: str, lang: str = "zh", origin: Origin = "http", **options: Any) -> tuple[Page, Problems]:
        """The page of this kind when it has loaded; `options` are those of a browser context."""
        return self.at(self.served.address(kind, lang, origin), origin, **options)

    def at(self, address: str, origin: Origin = "http", **options: Any) -> tuple[Page, Problems]:
        """The page at a whole address of this site."""
        return self.elsewhere(address, self.served.at("", origin), **options)

    def elsewhere(self, address: str, root: str, **options: Any) -> tuple[Page, Problems]:
        """The page at a whole address of the site at `root`."""
        tab = self.tabs.take({"viewport": DESKTOP, "locale": "en-GB", **options})
        self.taken.append(tab)
        tab.problems = Problems(root)
        tab.page.goto(address, wait_until="load")
        return tab.page, tab.problems

    def leave(self) -> None:
        for tab in self.taken:
            self.tabs.give_back(tab, [self.served.http.rstrip("/"), self.served.subpath.split("/some")[0]])
        self.taken.clear()

    def close(self) -> None:
        """Leave, and let nobody use these tabs again."""
        for tab in self.taken:
            tab.context.close()
        self.taken.clear()
