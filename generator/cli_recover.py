"""`runcite recover`: the batch of a recorder that did not come to its end."""

from pathlib import Path
from typing import Annotated

import typer

from generator.cli_parts import SourceOption
from generator.errors import Refused, RunciteError

REFUSED = 1


def recover(
    batch: Annotated[str, typer.Option("--batch", help="Id of the batch that was recorded.")],
    source: SourceOption = Path("data"),
) -> None:
    """Make a batch of what a recorder or pytest left when it was killed. Exit code: 0 made, 1 refused, 2 usage."""
    from generator.finding_formats import FindingFormat, format_findings
    from generator.recording.finish import finish

    try:
        finished = finish(source, batch)
    except Refused as refused:
        typer.echo(format_findings(refused.findings, FindingFormat.text, source), nl=False, err=True)
        raise typer.Exit(REFUSED) from refused
    except RunciteError as error:
        typer.echo(str(error), err=True)
        raise typer.Exit(REFUSED) from error
    if finished is None:
        typer.echo(f"{source}: nothing was recorded for batch {batch}, or a process still records it", err=True)
        raise typer.Exit(REFUSED)
    torn = sum(journal.torn for journal in finished.journals)
    typer.echo(f"{source}: batch {batch}, {finished.runs} runs; next: runcite build --source {source}")
    if torn:
        typer.echo(f"{torn} of {len(finished.journals)} journals end in a line that was cut off; it was left out")
