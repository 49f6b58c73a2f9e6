"""The site of a source with live reload: what a reader's browser gets, and what ends it."""

import os
import re
import signal
import socket
import subprocess
import sys
import threading
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from typer.testing import CliRunner

from generator import cli
from generator.errors import SiteError
from generator.publish.policy import inline_script_hashes, policy_tag
from generator.serve import serve_folder
from tests.support.small_source import write_small_source
from tests.support.whole_sites import COMMAND, environment

SOAK = os.environ.get("RUNCITE_SOAK") == "1"
MOST_SECONDS = 300
TAG = policy_tag(["sha256-theme"])

STUB = f"""
import signal, sys
from pathlib import Path
from generator.serve import serve_folder

# Who runs the tests in the background ignores interrupts, and children inherit that.
signal.signal(signal.SIGINT, signal.default_int_handler)
source, site, port = Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3])

def build():
    words = (source / "words").read_text(encoding="utf-8")
    if words:
        site.mkdir(exist_ok=True)
        page = '<!doctype html><meta charset="utf-8">' + {TAG!r} + "<body>" + words + "</body>"
        (site / "index.html").write_text(page, encoding="utf-8")
        (site / "data.json").write_text(words, encoding="utf-8")

serve_folder(site, [source], port, build, lambda text: print(text, flush=True))
"""


class _Server:
    def __init__(self, process: "subprocess.Popen[str]", port: int) -> None:
        self.process = process
        self.port = port
        self.said: list[str] = []

    def wait_for(self, words: str) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.said.append(line)
            if words in line:
                return
        raise AssertionError(f"ended without {words!r}: {self.said}")

    def get(self, address: str) -> str:
        with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/{address}", timeout=60) as answer:
            body: bytes = answer.read()
            assert int(answer.headers["Content-Length"] or len(body)) == len(body)
        return body.decode()


@contextmanager
def _serving(command: list[str], port: int) -> Iterator[_Server]:
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, encoding="utf-8", env=environment()
    ) as process:
        server = _Server(process, port)
        hanging = threading.Timer(MOST_SECONDS, process.kill)
        hanging.start()
        try:
            server.wait_for(f"Serving on http://127.0.0.1:{port}/")
            yield server
        finally:
            hanging.cancel()
            process.kill()


@pytest.fixture
def port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        number: int = probe.getsockname()[1]
    return number


@contextmanager
def _stub(folder: Path, port: int, words: str) -> Iterator[_Server]:
    (folder / "source").mkdir()
    (folder / "source/words").write_text(words, encoding="utf-8")
    command = [sys.executable, "-c", STUB, str(folder / "source"), str(folder / "site"), str(port)]
    with _serving(command, port) as server:
        yield server


def _epoch(page: str) -> str:
    match = re.search(r"livereload\((\d+), \d+\)", page)
    assert match is not None
    return match[1]


def test_a_change_is_built_and_the_page_told_to_reload(tmp_path: Path, port: int) -> None:
    with _stub(tmp_path, port, "the first words") as server:
        page = server.get("")
        assert "the first words" in page
        (tmp_path / "source/words").write_text("the second", encoding="utf-8")
        # Answers as soon as there is a newer site, and after a minute at the latest.
        assert int(server.get(f"livereload/{_epoch(page)}/1")) > int(_epoch(page))
        assert "the second" in server.get("index.html")


def test_the_policy_of_a_page_is_opened_for_the_one_script_and_other_files_are_as_they_are(
    tmp_path: Path, port: int
) -> None:
    with _stub(tmp_path, port, "words <script>alert(1)</script>") as server:
        page = server.get("")
        (policy,) = re.findall(r'http-equiv="Content-Security-Policy" content="([^"]*)"', page)
        allowed = set(re.findall(r"'(sha256-[^']*)'", policy))
        reloads = inline_script_hashes(page[page.rindex("<script>") :])
        assert allowed == {"sha256-theme"} | reloads
        assert len(inline_script_hashes(page) - allowed) == 1  # the one of the page itself stays forbidden
        assert policy.replace(f" '{min(reloads)}'", "") in TAG
        assert server.get("data.json") == "words <script>alert(1)</script>"


def test_before_the_first_site_a_page_waits_for_it(tmp_path: Path, port: int) -> None:
    with _stub(tmp_path, port, "") as server:
        with pytest.raises(urllib.error.HTTPError) as refused:
            server.get("")
        with refused.value as answer:
            assert answer.code == 404
            assert "There is no site yet" in answer.read().decode()
        (tmp_path / "source/words").write_text("here it is", encoding="utf-8")
        server.wait_for("Reloading browsers")
        assert "here it is" in server.get("")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_it_ends_when_it_is_told_to(number: signal.Signals, tmp_path: Path, port: int) -> None:
    with _stub(tmp_path, port, "words") as server:
        server.process.send_signal(number)
        server.wait_for("stopped")
        assert server.process.wait() == 0


def test_a_port_that_is_taken_is_told_before_anything_is_built(tmp_path: Path) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        with pytest.raises(SiteError, match=f"port {port}: address already in use; choose another --port"):
            serve_folder(tmp_path, [], port, lambda: pytest.fail("built"), lambda text: None)


def test_a_source_that_is_not_there_is_told(tmp_path: Path) -> None:
    result = CliRunner().invoke(cli.app, ["serve", "--source", str(tmp_path / "nowhere")])
    assert (result.exit_code, result.stdout) == (1, "")
    assert "nowhere: expected the folder of a source, found nothing" in result.stderr


def test_findings_are_told_and_the_last_site_stays(tmp_path: Path, port: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The whole command. Without `RUNCITE_SOAK` it begins with the finding, which costs no build of a site."""
    source = write_small_source(tmp_path / "source")
    publication = source / "publication.yaml"
    good = publication.read_text(encoding="utf-8")
    bad = good.replace('"Small report"', "[]")
    publication.write_text(good if SOAK else bad, encoding="utf-8")
    (tmp_path / "temporary").mkdir()
    monkeypatch.setenv("TMPDIR", str(tmp_path / "temporary"))
    with _serving([*COMMAND, "serve", "--source", str(source), "--port", str(port), "--jobs", "1"], port) as server:
        if not SOAK:
            assert any("publication.yaml:3  title.en  RC008" in line for line in server.said)
        else:
            assert "Small report" in server.get("en/")
            publication.write_text(bad, encoding="utf-8")
            server.wait_for("publication.yaml:3  title.en  RC008")
            server.wait_for("Reloading browsers")
            assert "Small report" in server.get("en/")
            publication.write_text(good.replace("Small report", "Mended report"), encoding="utf-8")
            server.wait_for("Reloading browsers")
            assert "Mended report" in server.get("en/")
        server.process.send_signal(signal.SIGTERM)
        server.wait_for("stopped")
        assert server.process.wait() == 0
    assert list((tmp_path / "temporary").iterdir()) == []
