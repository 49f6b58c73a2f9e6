"""The command `runcite`. Heavy modules load in the command that needs them, so that `--help` answers at once."""

import datetime
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path
from typing import Annotated, NoReturn

import typer

from generator import __version__, cli_export, cli_gate, cli_import, cli_recover
from generator.cli_parts import JobsOption, SourceOption, cores, progress
from generator.errors import Refused, RunciteError, refuse
from generator.finding_formats import FindingFormat, format_error, format_findings

REFUSED = 1
CHANGED = 1
USAGE = 2

app = typer.Typer(
    name="runcite",
    help="Publish evaluation results so that a stranger can check every figure.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)


class ResultFormat(StrEnum):
    text = "text"
    json = "json"


class Duplicates(StrEnum):
    refuse = "refuse"
    first = "first"
    last = "last"


FormatOption = Annotated[FindingFormat, typer.Option("--format", help="How findings are printed.")]
SiteOption = Annotated[Path, typer.Option("--site", help="Folder of the site; replaced when the new one is whole.")]
DateOption = Annotated[str | None, typer.Option("--date", help="Day of execution, YYYY-MM-DD, if no file says it.")]
ExportOption = Annotated[
    Path | None, typer.Option("--export", help="Folder that also receives the generated pages, for other builders.")
]


@app.command()
def build(
    source: SourceOption = Path("data"),
    site: SiteOption = Path("site"),
    jobs: JobsOption = 0,
    export: ExportOption = None,
    form: FormatOption = FindingFormat.text,
) -> None:
    """Build the site, or refuse and say everything that is wrong. Exit code: 0 built, 1 refused, 2 usage."""
    from generator.pipeline import build_site

    with _stopping(form, source), progress() as say:
        built = build_site(source, site, jobs=jobs or cores(), export=export, progress=say)
    typer.echo(f"{site}: {built.batches} batches, {built.runs} runs, {built.numbers} numbers, {built.files} files")
    typer.echo(f"digest {built.digest}")


@app.command()
def check(source: SourceOption = Path("data"), jobs: JobsOption = 0, form: FormatOption = FindingFormat.text) -> None:
    """Do all that a build does, and keep nothing. Exit code as of build."""
    from generator.pipeline import check_source

    with _stopping(form, source), progress() as say:
        check_source(source, jobs=jobs or cores(), progress=say)
    if form is not FindingFormat.text:
        typer.echo(format_findings([], form, source), nl=False)
    else:
        typer.echo(f"{source}: no findings")


@app.command("init")
def init_(
    words: Annotated[
        list[str],
        typer.Argument(metavar="DIR", help="A folder that is empty or not there; with --from, result files behind it."),
    ],
    from_files: Annotated[
        bool, typer.Option("--from", help="Import the files named (as import does), and build the first site.")
    ] = False,
    date: DateOption = None,
    site: SiteOption = Path("site"),
) -> None:
    """Make an empty source that builds, or with --from a report of result files: runcite init DIR --from FILE…"""
    from generator.source import init_source

    if from_files:
        _init_from(words, _date(date), site)
        return
    if len(words) != 1:
        _usage("expected one folder; result files are named behind --from")
    directory = Path(words[0])
    with _stopping(FindingFormat.text, directory):
        refuse(init_source(directory))
    typer.echo(f"{directory}: an empty source; next: runcite import FORMAT FILE… --source {directory}")


def _init_from(words: list[str], date: datetime.date | None, site: Path) -> None:
    directory, files = cli_import.folder_and_files(words)
    with _stopping(FindingFormat.text, directory):
        chosen = cli_import.choose(files)
        typer.echo(cli_import.guess_text(chosen), err=True)
        imported = cli_import.first_batch(directory, chosen, date)
    typer.echo(cli_import.report_text(directory, imported))
    build(directory, site)


@app.command("import")
def import_(
    words: Annotated[
        list[str],
        typer.Argument(
            metavar="[FORMAT] FILE…",
            help="Result files of one harness, folders, patterns; the format is told by how they begin if not named.",
        ),
    ],
    experiment: Annotated[
        str, typer.Option("--experiment", help="Experiment the batch belongs to; registered if new.")
    ],
    batch: Annotated[str, typer.Option("--batch", help="Id of the new batch.")],
    variant: Annotated[
        str | None, typer.Option("--variant", help="Path in the configuration that varies, e.g. environment_info.")
    ] = None,
    date: DateOption = None,
    duplicates: Annotated[Duplicates, typer.Option("--duplicates", help="What to do with a run that occurs twice.")] = (
        Duplicates.refuse
    ),
    source: SourceOption = Path("data"),
    form: FormatOption = FindingFormat.text,
) -> None:
    """Turn the output of another harness into a batch of the source. Exit code: 0 imported, 1 refused, 2 usage."""
    from generator.model.imported import ImportOptions
    from generator.read.importers import taken_run_ids
    from generator.source import write_import

    options = ImportOptions(
        experiment=experiment, batch=batch, variant=variant, date=_date(date), duplicates=duplicates.value
    )
    with _stopping(form, source):
        try:
            chosen = cli_import.choose(words)
        except cli_import.UnknownFormat as unknown:
            _unknown("FORMAT", unknown.name, unknown.options)
        if chosen.guessed:
            typer.echo(cli_import.guess_text(chosen), err=True)
        with progress() as say:
            imported, findings = chosen.importer(chosen.files, options, *([say] if cli_import.is_long(chosen) else []))
        refuse(findings)
        assert imported is not None
        refuse(write_import(source, imported, others=taken_run_ids(source, imported)))
    typer.echo(
        f"{source}: batch {batch} of experiment {experiment}, {len(imported.runs)} runs; "
        f"next: runcite build --source {source}"
    )
    if imported.differs:
        typer.echo(f"the variants differ at {', '.join(imported.differs)} as well: see {source / 'experiments.yaml'}")


@app.command()
def serve(
    source: SourceOption = Path("data"),
    port: Annotated[int, typer.Option("--port", min=1, max=65535, help="Port of 127.0.0.1.")] = 8000,
    jobs: JobsOption = 0,
) -> None:
    """Show the site of a source in the browser, and make it again whenever a file changes. Ctrl-C ends it."""
    from generator.serve import serve_source

    with _stopping(FindingFormat.text, source):
        serve_source(source, port, jobs or cores(), lambda text: typer.echo(text, err=True))


@app.command()
def verify(
    site: Annotated[Path, typer.Argument(help="Folder of a built site.")],
    form: Annotated[ResultFormat, typer.Option("--format", help="How the result is printed.")] = ResultFormat.text,
) -> None:
    """Recompute a built site from its own evidence. Exit code: 0 agrees, 1 does not, 2 no site."""
    from generator.verify import NoSite, verify_site

    try:
        result = verify_site(site, cores())
    except NoSite as problem:
        _usage(str(problem))
    typer.echo(result.as_json() if form is ResultFormat.json else result.as_text(), nl=False)
    raise typer.Exit(0 if result.agrees else REFUSED)


@app.command()
def diff(
    old: Annotated[Path, typer.Argument(metavar="OLD_SITE", help="Folder of a built site.")],
    new: Annotated[Path, typer.Argument(metavar="NEW_SITE", help="Folder of a later one.")],
    form: Annotated[FindingFormat, typer.Option("--format", help="text or json.")] = FindingFormat.text,
) -> None:
    """Say which published numbers differ between two sites, and why. Exit code: 0 same, 1 changed, 2 error."""
    from generator.compare import as_json, as_text, compare_sites

    try:
        comparison = compare_sites(old, new)
    except RunciteError as error:
        _usage(str(error))
    typer.echo(as_json(comparison) if form is FindingFormat.json else as_text(comparison), nl=False)
    raise typer.Exit(0 if comparison.same else CHANGED)


@app.command()
def record(
    site: Annotated[Path, typer.Argument(help="Folder of the site that was published.")],
    source: SourceOption = Path("data"),
    form: FormatOption = FindingFormat.text,
) -> None:
    """Note the numbers of a published site, so that none changes in silence. Exit code: 0 noted, 1 refused, 2 usage."""
    from generator.source import record_site

    with _stopping(form, source):
        recorded, findings = record_site(site, source)
        refuse(findings)
    for entry in recorded:
        typer.echo(f"{source / entry.file}: {entry.numbers} numbers, {entry.new} new, {entry.restated} restated")
    if not recorded:
        typer.echo(f"{site}: no batch is published, nothing to record")


@app.command()
def schema(name: Annotated[str | None, typer.Argument(help="Name of a record; without it, all names.")] = None) -> None:
    """Print the JSON Schema of a record."""
    from generator.publish.schemas import SCHEMAS, schema_text

    if name is None:
        typer.echo("\n".join(sorted(SCHEMAS)))
        return
    if name not in SCHEMAS:
        _unknown("schema", name, sorted(SCHEMAS))
    typer.echo(schema_text(name), nl=False)


app.command("gate", cls=cli_gate.GateCommand)(cli_gate.gate)
app.command("recover")(cli_recover.recover)
app.command("export")(cli_export.export)


def main() -> None:
    """Entry point of the command."""
    app()


@app.callback(invoke_without_command=True)
def _root(version: Annotated[bool, typer.Option("--version", help="Print the version and stop.")] = False) -> None:
    if version:
        typer.echo(__version__)
        raise typer.Exit


@contextmanager
def _stopping(form: FindingFormat, source: Path) -> Iterator[None]:
    """Print what stops the command, and stop. Programs read standard output, people and CI standard error."""
    try:
        yield
    except Refused as refused:
        from generator.read.lines import with_lines

        findings = with_lines(source, refused.findings)
        _stop(lambda form: format_findings(findings, form, source), form, refused)
    except RunciteError as error:
        message = str(error)
        _stop(lambda form: format_error(message, form), form, error)


def _stop(write: Callable[[FindingFormat], str], form: FindingFormat, error: RunciteError) -> NoReturn:
    """`write` gives the text in a format. In GitHub Actions annotations join whatever is asked for."""
    if os.environ.get("GITHUB_ACTIONS") == "true" and form is not FindingFormat.github:
        typer.echo(write(FindingFormat.github), nl=False, err=True)
    typer.echo(write(form), nl=False, err=form is FindingFormat.text)
    raise typer.Exit(REFUSED) from error


def _usage(message: str) -> NoReturn:
    typer.echo(message, err=True)
    raise typer.Exit(USAGE)


def _unknown(what: str, name: str, options: list[str]) -> NoReturn:
    from generator.model.words import did_you_mean

    remedy = did_you_mean(name, options, "name one of these")
    _usage(f"{what}: expected one of {', '.join(options)}, found {name}\n  {remedy}")


def _date(text: str | None) -> datetime.date | None:
    try:
        return None if text is None else datetime.date.fromisoformat(text)
    except ValueError:
        _usage(f"--date: expected YYYY-MM-DD, found {text}")
