"""Whatever stops a build, the old site is whole, the message says what happened, and the next build succeeds."""

import json
import os
import select
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from generator.pipeline import build_site
from generator.publish.stage import Stage
from tests.support.once import small_site_once
from tests.support.small_source import SmallSource, write_small_source
from tests.support.whole_sites import (
    ROOT,
    Snapshot,
    beside,
    build_command,
    environment,
    is_whole,
    snapshot,
    start,
)

MOMENTS = (
    0.5,
    0.1,
    0.9,
    0.02,
    0.15,
    0.2,
    0.25,
    0.3,
    0.35,
    0.4,
    0.45,
    0.55,
    0.6,
    0.65,
    0.7,
    0.75,
    0.8,
    0.85,
    0.95,
    0.99,
)
"""Parts of the time that a whole build takes."""
SOAK = os.environ.get("RUNCITE_SOAK") == "1"
UNTOUCHED = "the previous site is untouched"


@dataclass(frozen=True)
class Sites:
    """Two sources and their sites; `seconds` is how long a process needs for the second one."""

    folder: Path
    old: Snapshot
    new: Snapshot
    seconds: float

    @property
    def source(self) -> Path:
        return self.folder / "new-source"

    def published(self, folder: Path) -> Path:
        """The old site, in a folder of its own."""
        shutil.copytree(self.folder / "old", folder / "site")
        return folder / "site"

    def build_again(self, site: Path) -> None:
        """The next build succeeds and leaves nothing of the one that was stopped."""
        build_site(self.source, site, jobs=1, export=None, progress=lambda step: None)
        assert snapshot(site) == self.new
        assert beside(site) == []


def _rename(source: SmallSource) -> None:
    source.publication["title"] = {"zh": "新的一版", "en": "The new edition"}
    source.batch.cell("basic-02", "full", 0)["answer"] = "B-2 的库存为 38 件。"


@pytest.fixture(scope="module")
def sites(tmp_path_factory: pytest.TempPathFactory) -> Sites:
    folder = tmp_path_factory.mktemp("sites")
    shutil.copytree(small_site_once(tmp_path_factory, "small"), folder / "old")
    write_small_source(folder / "new-source", _rename)
    began = time.monotonic()
    subprocess.run(
        build_command(folder / "new-source", folder / "new", jobs=2),
        env=environment(),
        capture_output=True,
        check=True,
    )
    seconds = time.monotonic() - began
    return Sites(folder, snapshot(folder / "old"), snapshot(folder / "new"), seconds)


@pytest.mark.parametrize("moment", MOMENTS if SOAK else MOMENTS[:2])
def test_a_build_that_is_killed_leaves_a_whole_site(moment: float, sites: Sites, tmp_path: Path) -> None:
    site = sites.published(tmp_path)
    seconds = moment * sites.seconds
    while (family := _killed_after(seconds, sites, site)) is None:
        seconds /= 2  # the machine is faster than it was
        shutil.rmtree(site)
        sites.published(tmp_path)
    assert snapshot(site) in (sites.old, sites.new)
    assert is_whole(site)
    for process in family:
        ended, _, _ = select.select([process], [], [], 60)
        os.close(process)
        assert ended
    sites.build_again(site)


def _killed_after(seconds: float, sites: Sites, site: Path) -> list[int] | None:
    """Build in two processes and kill the first after so long. Handles of all processes that it had then; None if it
    was done before."""
    name, mark = "RUNCITE_TEST", f"{site}{seconds}"
    with start(build_command(sites.source, site, jobs=2), {name: mark}) as build:
        try:
            build.communicate(timeout=seconds)
        except subprocess.TimeoutExpired:
            family = list(_processes(f"{name}={mark}"))
            build.send_signal(signal.SIGKILL)
            build.communicate()
            return family
    return None


def _processes(mark: str) -> Iterator[int]:
    """A handle of every process that has `mark` in its environment."""
    for folder in Path("/proc").iterdir():
        try:
            if folder.name.isdigit() and mark.encode() in (folder / "environ").read_bytes().split(b"\0"):
                yield os.pidfd_open(int(folder.name))
        except (OSError, ProcessLookupError):
            continue  # it has ended, or belongs to somebody else


EXCHANGE = """
import os, signal, sys
from pathlib import Path
from generator.publish import swap
from generator.publish.stage import Stage, write_file

step, site = sys.argv[1], Path(sys.argv[2])
rename, exchange = Path.rename, swap._exchange_in_one_step

def stop(name):
    if name == step:
        os.kill(os.getpid(), signal.SIGKILL)

def slow_rename(self, target):
    stop(f"before {self.name}")
    moved = rename(self, target)
    stop(f"after {self.name}")
    return moved

def slow_exchange(new, site):
    stop("before exchange")
    done = exchange(new, site) if "two" not in sys.argv else False
    stop("after exchange")
    return done

Path.rename, swap._exchange_in_one_step = slow_rename, slow_exchange
with Stage(site) as stage:
    write_file(stage.root, "manifest.json", b"the new site")
    stage.commit()
"""


@pytest.mark.parametrize(
    ("steps", "after"),
    [
        (("before site",), "old"),
        (("after site",), "old"),
        (("before exchange",), "old"),
        (("after exchange",), "new"),
        (("after .site.new",), "new"),
        (("before exchange", "two"), "old"),
        (("after exchange", "two"), "old"),
        (("before .site.new", "two"), "old"),
        (("after .site.new", "two"), "new"),
    ],
    ids=" ".join,
)
def test_a_kill_within_the_exchange_leaves_one_site_or_the_other(
    steps: tuple[str, ...], after: str, tmp_path: Path
) -> None:
    site = tmp_path / "site"
    site.mkdir()
    (site / "manifest.json").write_bytes(b"the old site")
    step, *mode = steps
    command = [sys.executable, "-c", EXCHANGE, step, str(site), *mode]
    ran = subprocess.run(command, env=environment(), capture_output=True, check=False)
    assert ran.returncode == -signal.SIGKILL, ran.stderr
    with Stage(site):
        pass
    assert (site / "manifest.json").read_text(encoding="utf-8") == f"the {after} site"
    assert beside(site) == []


@pytest.mark.parametrize("limit", [2_000, 40_000, 400_000] if SOAK else [40_000])
def test_an_error_while_writing_leaves_the_old_site(limit: int, sites: Sites, tmp_path: Path) -> None:
    """No file may grow beyond `limit` bytes; the smallest limit stops the first evidence, others a later step."""
    site = sites.published(tmp_path)
    command = [sys.executable, "-c", LIMITED, str(limit), *build_command(sites.source, site)[3:]]
    ran = subprocess.run(command, env=environment(), capture_output=True, text=True, check=False)
    assert (ran.returncode, f"{site}: File too large; {UNTOUCHED}" in ran.stderr) == (1, True), ran.stderr
    assert "Traceback" not in ran.stderr
    assert snapshot(site) == sites.old
    assert beside(site) == []
    sites.build_again(site)


LIMITED = """
import resource, sys
limit = int(sys.argv.pop(1))
resource.setrlimit(resource.RLIMIT_FSIZE, (limit, resource.getrlimit(resource.RLIMIT_FSIZE)[1]))
from generator.cli import main
main()
"""


@cache
def _namespace() -> list[str] | None:
    """The command that gives a process mounts of its own; None where this machine lets nobody mount."""
    for command in (["unshare", "--mount"], ["unshare", "--mount", "--map-root-user"]):
        try:
            tried = subprocess.run(
                [*command, "mount", "-t", "tmpfs", "tmpfs", "/mnt"], capture_output=True, check=False
            )
        except FileNotFoundError:
            return None
        if tried.returncode == 0:
            return command
    return None


def _on_a_small_disk(kind: str, sites: Sites, folder: Path, room: int = 0) -> dict[str, Any]:
    namespace = _namespace()
    if namespace is None:
        pytest.skip(f"NOT PROVEN here: a {kind} disk (this machine lets nobody mount one)")
    (folder / "disk").mkdir()
    script = [sys.executable, "-m", "tests.support.small_disk", kind]
    arguments = [str(folder / "disk"), str(sites.source), str(sites.folder / "old"), str(room)]
    ran = subprocess.run(
        [*namespace, *script, *arguments], cwd=ROOT, env=environment(), capture_output=True, text=True, check=False
    )
    assert ran.returncode == 0, ran.stderr
    report: dict[str, Any] = json.loads(ran.stdout)
    return report


@pytest.mark.parametrize("part", [0.001, 0.1, 0.5, 0.9] if SOAK else [0.6])
def test_a_full_disk_leaves_the_old_site(part: float, sites: Sites, tmp_path: Path) -> None:
    """The disk has room for `part` of the new site."""
    size = sum(path.stat().st_size for path in (sites.folder / "new").rglob("*"))
    report = _on_a_small_disk("full", sites, tmp_path, int(size * part))
    stopped = report["stopped"]
    assert (stopped["code"], "No space left on device" in stopped["said"]) == (1, True), stopped["said"]
    assert UNTOUCHED in stopped["said"] or "nothing was changed" in stopped["said"]
    assert "Traceback" not in stopped["said"]
    assert stopped["site"] == sites.old
    assert stopped["beside"] == []
    assert report["next"]["code"] == 0, report["next"]["said"]
    assert report["next"]["site"] == sites.new


def test_a_target_that_is_mounted_read_only_is_told(sites: Sites, tmp_path: Path) -> None:
    report = _on_a_small_disk("readonly", sites, tmp_path)
    stopped = report["stopped"]
    assert stopped["code"] == 1
    assert "cannot be written (Read-only file system); nothing was changed; choose another --site" in stopped["said"]
    assert stopped["site"] == sites.old


def test_a_target_below_a_file_is_told(sites: Sites, tmp_path: Path) -> None:
    """Holds for the administrator too, whom permissions do not bind."""
    (tmp_path / "file").write_text("mine", encoding="utf-8")
    command = build_command(sites.source, tmp_path / "file" / "site")
    ran = subprocess.run(command, env=environment(), capture_output=True, text=True, check=False)
    assert (ran.returncode, "Traceback" in ran.stderr) == (1, False)
    assert "cannot be written (a file, not a folder); nothing was changed; choose another --site" in ran.stderr
    assert (tmp_path / "file").read_text(encoding="utf-8") == "mine"


def test_of_two_builds_at_once_the_second_is_refused(sites: Sites, tmp_path: Path) -> None:
    site = sites.published(tmp_path)
    with start(build_command(sites.source, site)) as first:
        assert first.stderr is not None
        assert first.stderr.readline() == "reading the source\n"  # said after the lock is taken
        second = subprocess.run(
            build_command(sites.source, site), env=environment(), capture_output=True, text=True, check=False
        )
        assert first.poll() is None
        first.communicate()
    assert (second.returncode, second.stderr) == (
        1,
        f"{site}: another build is writing this site; wait for it to end\n",
    )
    assert first.returncode == 0
    assert snapshot(site) == sites.new
    assert beside(site) == []
