"""What the commands share: options, the number of processes, progress."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from generator.pipeline import Progress

SourceOption = Annotated[Path, typer.Option("--source", help="Folder of the source.")]
JobsOption = Annotated[int, typer.Option("--jobs", min=0, help="Processes; 0 is one a core.")]


def cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else (os.cpu_count() or 1)


@contextmanager
def progress() -> "Iterator[Progress]":
    """On a terminal the step in hand, elsewhere one plain line a step."""
    if not sys.stderr.isatty():
        yield lambda step: typer.echo(step, err=True)
        return
    from rich.console import Console

    with Console(stderr=True).status("…") as status:
        yield status.update
