"""Pages in a browser, and what goes wrong on them."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal
from urllib.parse import urlsplit

from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Dialog, Page, Request, Response

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
    """What a browser complains of while a page is open."""

    console: list[str] = field(default_factory=list)
    failed: list[str] = field(default_factory=list)
    elsewhere: list[str] = field(default_factory=list)
    dialogs: list[str] = field(default_factory=list)

    @property
    def all(self) -> list[str]:
        return [*self.console, *self.failed, *self.elsewhere, *self.dialogs]

    def watch(self, context: BrowserContext, root: str) -> None:
        """Every page of `context`. `root` is the address of the site's root: anything else is elsewhere."""
        context.on("console", self._said)
        context.on("weberror", lambda error: self.console.append(f"{error.page and error.page.url}: {error.error}"))
        context.on("requestfailed", self._lost)
        context.on("response", self._answered)
        context.on("dialog", self._opened)
        context.on("request", lambda request: self._asked(request, root))

    def _said(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning", "assert"):
            self.console.append(f"{message.location['url']}: {message.text}")

    def _lost(self, request: Request) -> None:
        # What a page still asked for when its reader moved on is aborted, and missed by nobody.
        if request.failure != "net::ERR_ABORTED":
            self.failed.append(f"{request.url}: {request.failure}")

    def _answered(self, response: Response) -> None:
        if response.status >= 400:
            self.failed.append(f"{response.url}: {response.status}")

    def _opened(self, dialog: Dialog) -> None:
        self.dialogs.append(f"dialog: {dialog.message}")
        dialog.dismiss()

    def _asked(self, request: Request, root: str) -> None:
        if not request.url.startswith(root) and urlsplit(request.url).scheme not in ("data", "blob", "about"):
            self.elsewhere.append(request.url)


@dataclass
class Visitor:
    """Opens pages of one site, each in a context of its own; `close` ends them all."""

    browser: Browser
    served: Served
    contexts: list[BrowserContext] = field(default_factory=list)

    def open(
        self,
        kind: str,
        lang: str = "zh",
        origin: Origin = "http",
        **options: Any,
    ) -> tuple[Page, Problems]:
        """The page of this kind when it has loaded; `options` are those of a browser context."""
        return self.at(self.served.address(kind, lang, origin), origin, **options)

    def at(self, address: str, origin: Origin = "http", **options: Any) -> tuple[Page, Problems]:
        """The page at a whole address."""
        context = self.browser.new_context(**{"viewport": DESKTOP, "locale": "en-GB", **options})
        context.set_default_timeout(20_000)
        self.contexts.append(context)
        problems = Problems()
        problems.watch(context, self.served.at("", origin))
        page = context.new_page()
        page.goto(address, wait_until="load")
        return page, problems

    @property
    def pages(self) -> list[Page]:
        return [page for context in self.contexts for page in context.pages]

    def close(self) -> None:
        for context in self.contexts:
            context.close()
        self.contexts.clear()
