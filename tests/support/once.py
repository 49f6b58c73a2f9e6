"""What tests of several files and workers need is made once a session."""

import fcntl
import os
import traceback
from collections.abc import Callable
from pathlib import Path

import pytest

from generator.pipeline import build_site
from tests.support.small_source import SmallSource, write_small_source

READY = "ready"
FAILED = "failed.txt"


def session_folder(factory: pytest.TempPathFactory) -> Path:
    """The folder that the workers of this session share."""
    base = factory.getbasetemp()
    return base.parent if "PYTEST_XDIST_WORKER" in os.environ else base


def made_once(folder: Path, make: Callable[[Path], object]) -> Path:
    """`folder`, filled by `make(folder)` in the first process that comes; others wait for it.

    What failed is not tried again: its error is that of all.
    """
    folder.mkdir(parents=True, exist_ok=True)
    ready, failed = folder / READY, folder / FAILED
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not ready.exists() and not failed.exists():
            try:
                make(folder)
            except BaseException:
                failed.write_text(traceback.format_exc(), encoding="utf-8")
                raise
            ready.touch()
    if failed.exists():
        raise AssertionError(f"it could not be made:\n{failed.read_text(encoding='utf-8')}")
    return folder


def small_site_once(
    factory: pytest.TempPathFactory, name: str, edit: Callable[[SmallSource], None] | None = None
) -> Path:
    """The site of the small source, as `edit` leaves it; its source stands beside it. `name` tells sites apart: each
    has one `edit`. Whoever changes anything takes a copy."""

    def make(folder: Path) -> None:
        source = write_small_source(folder / "source", edit)
        build_site(source, folder / "site", jobs=1, export=None, progress=lambda step: None)

    return made_once(session_folder(factory) / name, make) / "site"
