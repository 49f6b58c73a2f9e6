"""Builds a site with the command that readers of the README type, once for all workers of a test session."""

import fcntl
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import yaml

ROOT = Path(__file__).resolve().parents[2]
SHOWN_BATCHES = ("gov-2026-10", "ctx-2026-11", "gov-2026-11", "delivery-2026-11", "mut-2026-11", "meta-2026-11")
"""Of the sample: each kind of experiment, two variants and more, an earlier batch, sessions, skipped cells, every state
of a run."""

READY = "ready"
REFUSED = "refused.txt"


def write_part_of_sample(folder: Path) -> Path:
    """`data/` as if only some batches had been published: a third less of a build."""
    shutil.copytree(ROOT / "data", folder, ignore=shutil.ignore_patterns("batches"))
    for batch in SHOWN_BATCHES:
        shutil.copytree(ROOT / "data" / "batches" / batch, folder / "batches" / batch)
    publication = yaml.safe_load((folder / "publication.yaml").read_text(encoding="utf-8"))
    publication["published"] = [entry for entry in publication["published"] if entry["batch"] in SHOWN_BATCHES]
    _write(folder / "publication.yaml", publication)
    ledger = yaml.safe_load((folder / "claims.yaml").read_text(encoding="utf-8"))
    hidden = {path.name for path in (ROOT / "data" / "batches").iterdir()}.difference(SHOWN_BATCHES)
    ledger["claims"] = [claim for claim in ledger["claims"] if not any(f"{name}/" in str(claim) for name in hidden)]
    _write(folder / "claims.yaml", ledger)
    return folder


def _write(path: Path, content: object) -> None:
    path.write_text(yaml.safe_dump(content, allow_unicode=True), encoding="utf-8")


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
