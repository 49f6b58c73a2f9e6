"""`runcite serve`: the site of a source under http://127.0.0.1, made again whenever a file changes.

Each build is a process of its own, so that changed templates and texts are read anew, and that findings are told as
`runcite build` tells them while the last good site stays. The pages keep their content security policy; it is opened
for the one script that reloads them.
"""

import logging
import os
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from generator.errors import SiteError
from generator.publish.policy import inline_script_hashes
from generator.resources import resource

if TYPE_CHECKING:
    from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

HOST = "127.0.0.1"
NO_SITE = """<!doctype html><meta charset="utf-8"><meta http-equiv="refresh" content="2"><title>Runcite</title>
<p lang="zh-CN">还没有站点，原因见终端。</p><p lang="en">There is no site yet; the terminal says why.</p>
"""
SELF = "script-src 'self'"

Say = Callable[[str], None]


def serve_source(source: Path, port: int, jobs: int, say: Say) -> None:
    """Build the site of `source` into a temporary folder and serve it until the process is interrupted.

    Raises
    ------
    SiteError
        the source is no folder, or the port is taken.
    """
    if not source.is_dir():
        raise SiteError(
            f"{source}: expected the folder of a source, found {'a file' if source.exists() else 'nothing'}"
        )
    with tempfile.TemporaryDirectory(prefix="runcite-serve-") as folder:
        site = Path(folder) / "site"
        options = ["--source", str(source), "--site", str(site), "--jobs", str(jobs)]
        command = [sys.executable, "-c", "from generator.cli import main; main()", "build", *options]
        watched = [source, resource("templates"), resource("site_src")]
        serve_folder(site, watched, port, partial(_run, command, folder), say)


def serve_folder(site: Path, watched: Iterable[Path], port: int, build: Callable[[], None], say: Say) -> None:
    """Call `build` now and after each change below the watched folders, and serve what it left in `site`.

    Ends with SIGINT or SIGTERM.

    Raises
    ------
    SiteError
        the port is taken.
    """
    from mkdocs.livereload import LiveReloadServer

    _check_port(port)
    server = LiveReloadServer(builder=build, host=HOST, port=port, root=str(site))
    server.error_handler = lambda code: _error_page(site)
    server.set_app(partial(_with_reload, server.serve_request))
    for folder in watched:
        server.watch(str(folder))
    logger = logging.getLogger("mkdocs.livereload")
    handler = _Teller(say)
    logger.addHandler(handler)
    logger.setLevel(logging.INFO)
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        build()
        run: Callable[[], None] = server.serve
        run()
    except KeyboardInterrupt:
        say("stopped")
    finally:
        signal.signal(signal.SIGTERM, before)
        server.shutdown()
        logger.removeHandler(handler)


def _run(command: list[str], folder: str) -> None:
    """What the build says goes where this process says things; that it failed is said there too. A build that is
    stopped leaves nothing outside of `folder`."""
    subprocess.run(command, check=False, env={**os.environ, "TMPDIR": folder})


def _check_port(port: int) -> None:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((HOST, port))
        except OSError as error:
            raise SiteError(f"port {port}: {os.strerror(error.errno or 0).lower()}; choose another --port") from error


def _error_page(site: Path) -> bytes:
    """As a static host answers; before the first site a page that waits for it."""
    page = site / "404.html"
    return page.read_bytes() if page.is_file() else NO_SITE.encode()


def _with_reload(
    app: "WSGIApplication", environ: "WSGIEnvironment", start_response: "StartResponse"
) -> Iterable[bytes]:
    """The answers of `app`, whose pages allow the script that it put into them."""
    answers: list[tuple[str, list[tuple[str, str]]]] = []

    def answer(status: str, headers: list[tuple[str, str]], *_: object) -> Callable[[bytes], object]:
        answers.append((status, headers))
        return lambda data: None

    body = app(environ, answer)
    status, headers = answers[0]
    if ("Content-Type", "text/html") not in headers:
        start_response(status, headers)
        return body
    content = _allow_last_script(b"".join(body))
    others = [header for header in headers if header[0] != "Content-Length"]
    start_response(status, [*others, ("Content-Length", str(len(content)))])
    return [content]


def _allow_last_script(page: bytes) -> bytes:
    html = page.decode("utf-8")
    hashes = inline_script_hashes(html[max(html.rfind("<script>"), 0) :])
    allowed = "".join(f" '{digest}'" for digest in sorted(hashes))
    return html.replace(SELF, SELF + allowed, 1).encode()


class _Teller(logging.Handler):
    """Hands what the server reports to `say`."""

    def __init__(self, say: Say) -> None:
        super().__init__(logging.INFO)
        self._say = say

    def emit(self, record: logging.LogRecord) -> None:
        self._say(record.getMessage())
