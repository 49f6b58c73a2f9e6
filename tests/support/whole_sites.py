"""Builds in processes of their own, and what of a site is left."""

import hashlib
import json
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
COMMAND = (sys.executable, "-c", "from generator.cli import main; main()")

Snapshot = dict[str, str]
"""Path below a folder → SHA-256 of the file."""


def build_command(source: Path, site: Path, jobs: int = 1) -> list[str]:
    return [*COMMAND, "build", "--source", str(source), "--site", str(site), "--jobs", str(jobs)]


def environment(changes: Mapping[str, str] | None = None) -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(ROOT), **(changes or {})}


def start(command: Sequence[str], changes: Mapping[str, str] | None = None, **options: Any) -> subprocess.Popen[str]:
    """Begin a command; what it says can be read from its pipes."""
    return subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
        env=environment(changes),
        **options,
    )


def snapshot(folder: Path) -> Snapshot:
    return {
        path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def is_whole(site: Path) -> bool:
    """Whether the manifest lists exactly the files that are there, with their hashes."""
    listed = json.loads((site / "manifest.json").read_bytes())["files"]
    found = snapshot(site)
    del found["manifest.json"]
    return found == {entry["path"]: entry["sha256"] for entry in listed}


def beside(site: Path) -> list[str]:
    """What builds left beside a site."""
    return sorted(path.name for path in site.parent.iterdir() if path.name.startswith("."))
