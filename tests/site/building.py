"""Builds a site with the command that readers of the README type, once for all workers of a test session."""

import fcntl
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
READY = "ready"
REFUSED = "refused.txt"


def build_once(folder: Path, write_source: Callable[[Path], Path]) -> Path:
    """The site in `folder`, built from `write_source(folder / "source")` by the first process that comes.

    Other processes wait for it. A build that failed is not tried again: its output is the error of all.
    """
    folder.mkdir(parents=True, exist_ok=True)
    site, ready, refused = folder / "site", folder / READY, folder / REFUSED
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not ready.exists() and not refused.exists():
            said = build(write_source(folder / "source"), site)
            (ready if said is None else refused).write_text(said or "", encoding="utf-8")
    if refused.exists():
        raise AssertionError(f"the site could not be built:\n{refused.read_text(encoding='utf-8')}")
    return site


def build(source: Path, site: Path) -> str | None:
    """None, or what the command said when it refused."""
    runcite = Path(sys.executable).with_name("runcite")
    command = [str(runcite), "build", "--source", str(source), "--site", str(site), "--jobs", "2"]
    environment = {**os.environ, "PYTHONWARNINGS": "default"}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, encoding="utf-8")
    return None if done.returncode == 0 else f"{done.stdout}\n{done.stderr}"
