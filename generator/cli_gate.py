"""The command `runcite gate`: a part of `cli`, with exit codes of its own."""

import html
import os
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from enum import StrEnum
from itertools import zip_longest
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperCommand

from generator.cli_parts import JobsOption, SourceOption, cores, progress
from generator.errors import Refused, RunciteError
from generator.finding_formats import FindingFormat, format_error, format_findings

NO_DECISION = 3
USAGE = 64
"""0, 1 and 2 are decisions."""


class GateFormat(StrEnum):
    text = "text"
    json = "json"
    junit = "junit"
    markdown = "markdown"


_UsageError: type[Exception] = typer.BadParameter.__bases__[0]
"""The base of all errors of usage, for which Typer has no public name."""


class GateCommand(TyperCommand):
    """Wrong usage ends with 64, because 2 says that a human decides."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        try:
            return super().parse_args(ctx, args)
        except _UsageError as error:
            usage: Any = error
            usage.exit_code = USAGE
            raise


def gate(
    batch: Annotated[str, typer.Option("--batch", help="Batch to decide on.")],
    variant: Annotated[str | None, typer.Option("--variant", help="Decide on this variant alone.")] = None,
    baseline: Annotated[
        str | None,
        typer.Option("--baseline", help="Earlier batch of the experiment; the batch itself: its baseline variant."),
    ] = None,
    policy: Annotated[Path | None, typer.Option("--policy", help="YAML file that says what a release needs.")] = None,
    source: SourceOption = Path("data"),
    forms: Annotated[list[GateFormat] | None, typer.Option("--format", help="May be given again.")] = None,
    outputs: Annotated[
        list[Path] | None, typer.Option("--output", help="File for the format at the same place; else printed.")
    ] = None,
    jobs: JobsOption = 0,
) -> None:
    """Decide on a release from recorded runs. Exit code: 0 deploy, 1 block, 2 human, 3 no decision, 64 usage."""
    from generator.decide import GATE_FORMATS, annotations
    from generator.model.gate import GateRequest
    from generator.pipeline import gate as decide

    targets = _targets(forms or [GateFormat.text], outputs or [])
    file = None if policy is None else policy.as_posix()
    request = GateRequest(batch=batch, variant=variant, baseline=baseline, policy_file=file)
    with _deciding(targets, source):
        with progress() as say:
            report = decide(source, request, jobs=jobs or cores(), progress=say)
        for form, path in targets:
            _put(GATE_FORMATS[form](report), path)
    if os.environ.get("GITHUB_ACTIONS") == "true":
        typer.echo(annotations(report), nl=False, err=True)
    raise typer.Exit(report.exit_code)


Targets = list[tuple[GateFormat, Path | None]]


def _targets(forms: list[GateFormat], outputs: list[Path]) -> Targets:
    """Each format with its file; one without is printed, and two on one stream could not be told apart."""
    if len(set(outputs)) < len(outputs):
        typer.echo("--output: expected a file for each format, found one twice", err=True)
        raise typer.Exit(USAGE)
    if not len(outputs) <= len(forms) <= len(outputs) + 1:
        expected = f"{len(forms) - 1} or {len(forms)} files for {len(forms)} formats"
        typer.echo(f"--output: expected {expected}, found {len(outputs)}", err=True)
        raise typer.Exit(USAGE)
    return list(zip_longest(forms, outputs))


@contextmanager
def _deciding(targets: Targets, source: Path) -> Iterator[None]:
    """Say in every format what left the release undecided, and stop. What is no deployment must not end with 0."""
    try:
        yield
    except (RunciteError, OSError) as error:
        if os.environ.get("GITHUB_ACTIONS") == "true":
            typer.echo(_undecided(error, FindingFormat.github, source), nl=False, err=True)
        for form, path in targets:
            text = _undecided(error, FindingFormat.text if form is GateFormat.markdown else FindingFormat(form), source)
            text = f"<pre>\n{html.escape(text)}</pre>\n" if form is GateFormat.markdown else text
            try:
                _put(text, path, err=form is GateFormat.text)
            except OSError as unwritable:
                typer.echo(str(unwritable), err=True)
        raise typer.Exit(NO_DECISION) from error
    except Exception as error:
        # Python would end with 1, which says that the release was judged and blocked.
        traceback.print_exc()
        raise typer.Exit(NO_DECISION) from error


def _undecided(error: RunciteError | OSError, form: FindingFormat, source: Path) -> str:
    if not isinstance(error, Refused):
        return format_error(str(error), form)
    from generator.read.lines import with_lines

    return format_findings(with_lines(source, error.findings), form, source, "nothing was decided")


def _put(text: str, path: Path | None, err: bool = False) -> None:
    if path is None:
        typer.echo(text, nl=False, err=err)
    else:
        path.write_text(text, encoding="utf-8", newline="\n")
