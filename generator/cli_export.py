"""`runcite export`: a built site in the form of other programs."""

from pathlib import Path
from typing import Annotated

import typer

from generator.errors import SiteError

USAGE = 2
FORMATS = ("every-eval-ever",)


def export(
    form: Annotated[str, typer.Argument(metavar="FORMAT", help=f"One of: {', '.join(FORMATS)}.")],
    site: Annotated[Path, typer.Argument(metavar="SITE", help="Folder of a built site.")],
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="A folder that is empty or not there.")],
) -> None:
    """Write what a built site publishes in another format. Exit code: 0 written, 2 usage."""
    if form not in FORMATS:
        typer.echo(f"FORMAT: expected one of {', '.join(FORMATS)}, found {form}", err=True)
        raise typer.Exit(USAGE)
    from generator.export import export_every_eval_ever

    try:
        written = export_every_eval_ever(site, folder)
    except SiteError as error:
        typer.echo(str(error), err=True)
        raise typer.Exit(USAGE) from error
    for entry in written:
        left_out = f", {entry.left_out} runs left out" if entry.left_out else ""
        typer.echo(f"{folder / entry.file}: {entry.instances} instances{left_out}")
    if not written:
        typer.echo(f"{site}: no batch has a pass rate to export")
