"""Serves a built site as a static host does: files, `index.html` of a folder, and `404.html` for all else."""

import contextlib
import threading
from collections.abc import Iterator
from functools import partial
from http import HTTPStatus
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit


class _Handler(SimpleHTTPRequestHandler):
    """Knows the addresses below `prefix` alone, so that a link which leaves the site is not found."""

    protocol_version = "HTTP/1.1"

    def __init__(self, *args: Any, site: Path, prefix: str) -> None:
        self._site = site
        self._prefix = prefix
        super().__init__(*args, directory=str(site))

    def translate_path(self, path: str) -> str:
        if not urlsplit(path).path.startswith(self._prefix):
            return str(self._site / "outside-of-the-site")
        return super().translate_path("/" + path[len(self._prefix) :])

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
        body = (self._site / "404.html").read_bytes() if code == HTTPStatus.NOT_FOUND else b""
        self.send_response(code, message)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:
        """Says nothing."""


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A browser that is closed drops its connections; that is no error of the site."""


@contextlib.contextmanager
def serve(site: Path, prefix: str = "/") -> Iterator[str]:
    """The address of the site's root, with a slash at its end, for as long as the block lasts."""
    server = _Server(("127.0.0.1", 0), partial(_Handler, site=site, prefix=prefix))
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}{prefix}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
