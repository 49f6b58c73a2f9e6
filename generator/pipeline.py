"""The product on one screen: read → validate → judge → aggregate → project → render → write → verify."""

import datetime
import pickle
import shutil
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import msgspec

from generator.aggregate import aggregate_batch
from generator.aggregate.evidence_numbers import evidence_numbers
from generator.aggregate.restated import with_restatements
from generator.decide import check_comparable, check_request, decide, needed_batches
from generator.engine import LocalEngine
from generator.errors import Finding, SiteError, refuse
from generator.judge import METRICS
from generator.judge.details import DETAILS
from generator.judging import RUNS_PER_PARTITION, judge_batches
from generator.leaks import find_leaks
from generator.model.base import LANGS, Lang
from generator.model.gate import GatePolicy, GateReport, GateRequest
from generator.model.report import BatchReport, Report
from generator.model.rows import RunRow
from generator.model.source import BatchSource, Source
from generator.project import check_projection
from generator.publish.api import api_files
from generator.publish.copies import api_copies
from generator.publish.explorer import explorer_files
from generator.publish.manifest import MANIFEST, make_manifest
from generator.publish.mkdocs_site import LANGUAGE_FOLDER, sitemap
from generator.publish.policy import apply_policy, policy_tag
from generator.publish.stage import Stage, write_file
from generator.publish.texts import RECOMPUTE_WORDS, TEXTS, recompute_words, texts_file
from generator.publish.vega_bundle import vega_files
from generator.publish.verifier import VERIFIER, verifier_file
from generator.read.gate_policy import read_gate_policy
from generator.read.lines import with_lines
from generator.read.source import read_source
from generator.read.texts import read_texts
from generator.steps import (
    NEEDED_BY_WORKERS,
    Frame,
    PagesTask,
    StampTask,
    Texts,
    build_pages,
    stamp_partition,
    start_worker,
)
from generator.validate.aggregates import check_aggregates
from generator.validate.batches import check_run_ids
from generator.validate.claims import check_claims
from generator.validate.definitions import check_definitions
from generator.validate.evidence_numbers import check_evidence_numbers
from generator.validate.restatements import check_restatements

Progress = Callable[[str], None]

NUMBERS_PER_PARTITION = 400


@dataclass(frozen=True)
class Built:
    """What a build made."""

    batches: int
    runs: int
    numbers: int
    files: int
    digest: str


def build_site(source: Path, site: Path, *, jobs: int, export: Path | None, progress: Progress) -> Built:
    """Build `site` from `source`, or raise `Refused` with every finding; the old site stays until the new one is whole.

    Raises
    ------
    Refused
        the source has findings.
    SiteError
        the site cannot be written, or what was made does not verify.
    """
    with Stage(site) as stage:
        if export is not None and export.exists() and any(export.iterdir()):
            raise SiteError(f"{export}: expected an empty folder, found files; choose another --export")
        built = _make(source, stage, jobs, progress)
        stage.commit()
        if export is not None:
            _export(stage, export)
    return built


def check_source(source: Path, *, jobs: int, progress: Progress) -> Built:
    """All of a build, without a site. Raises as `build_site` does."""
    with tempfile.TemporaryDirectory(prefix="runcite-check-") as folder, Stage(Path(folder) / "site") as stage:
        return _make(source, stage, jobs, progress)


def pages_for_hook(source_root: Path, lang: Lang) -> dict[str, bytes]:
    """The docs tree of one language, for whoever writes a page by hand. Raises `Refused`."""
    from generator.charts import draw_charts
    from generator.render.pages import human_pages

    with tempfile.TemporaryDirectory(prefix="runcite-pages-") as folder:
        source, findings = read_checked(source_root)
        with LocalEngine(1, start_worker, (source, Path(folder))) as engine:
            report = evaluate(source, findings, engine)
    texts = read_texts()
    charts = {batch.batch.id: draw_charts(batch, source, lang, texts[lang]) for batch in report.batches}
    return dict(human_pages(report, charts, lang, texts))


def gate(source_root: Path, request: GateRequest, *, jobs: int, progress: Progress) -> GateReport:
    """The release decision on a batch, from its recorded runs and those of its baseline. Raises `Refused`."""
    progress("reading the source")
    source, findings = read_checked(source_root)
    policy, problems = read_gate_policy(request.policy_file) if request.policy_file else (GatePolicy(), [])
    if policy is not None:
        problems += check_request(source, request, policy)
    refuse([*findings, *with_lines(Path(), problems)] if problems else [])
    assert policy is not None
    source = _only(source, needed_batches(source, request))
    progress("judging the runs")
    with (
        tempfile.TemporaryDirectory(prefix="runcite-gate-") as folder,
        LocalEngine(jobs, start_worker, (source, Path(folder))) as engine,
    ):
        report = evaluate(source, findings, engine)
    refuse(with_lines(Path(), check_comparable(report, request, policy)))
    return decide(report, request, policy)


def _only(source: Source, batches: list[BatchSource]) -> Source:
    """The source as if nothing but these batches had ever been published: other batches have no say, and claims about
    them none either."""
    publication = msgspec.structs.replace(source.publication, restatements=[])
    kept = msgspec.structs.replace(source, batches=batches, published={}, publication=publication)
    return msgspec.structs.replace(kept, register=None, claims=None)


def _make(source_root: Path, stage: Stage, jobs: int, progress: Progress) -> Built:
    progress("reading the source")
    source, findings = read_checked(source_root)
    with LocalEngine(jobs, start_worker, (source, stage.root), NEEDED_BY_WORKERS) as engine:
        progress("judging the runs")
        report = evaluate(source, findings, engine)
        for address, data in api_files(report, DETAILS):
            write_file(stage.root, address, data)
        for address, data in api_copies(stage.root, [batch.batch.id for batch in report.batches]):
            write_file(stage.root, address, data)
        for address, data in explorer_files(report):
            write_file(stage.root, address, data)
        texts = read_texts()
        write_file(stage.root, TEXTS, texts_file(texts))
        write_file(stage.root, RECOMPUTE_WORDS, recompute_words(texts))
        progress("building the pages")
        _build_pages(report, texts, stage, engine)
        progress("stamping evidence and numbers")
        _stamp_pages(report, texts, stage, engine)
        write_file(stage.root, VERIFIER, verifier_file())
        progress("searching for leaks")
        refuse(find_leaks(report, texts, stage, engine))
    progress("checking the site")
    return _finish(report, stage, jobs)


def read_checked(root: Path) -> tuple[Source, list[Finding]]:
    """The source, with the findings about its definitions. Refuses where too little could be read to go on."""
    source, findings = read_source(root)
    if source is None:
        refuse(findings)
        raise AssertionError("a source that cannot be read has findings")
    findings += check_definitions(source, frozenset(METRICS)) + check_projection(source.projection)
    return source, findings


def evaluate(source: Source, findings: list[Finding], engine: LocalEngine) -> Report:
    """Every number of every batch. Refuses after all batches were read, so that everything wrong is said at once."""
    judging = not findings
    rows: list[RunRow] = []
    batches: list[BatchReport] = []
    for batch, judged in judge_batches(source, judging, engine):
        rows += judged.rows
        findings += judged.findings
        if judging and not judged.findings:
            batches.append(aggregate_batch(source, batch.batch, judged.rows, judged.configs, batches))
    published = {} if findings else evidence_numbers(source)
    report = Report(source=source, batches=batches[::-1], evidence_numbers=published)
    refuse([*findings, *check_run_ids(source, rows), *check_aggregates(report)])
    refuse([*check_restatements(report), *check_evidence_numbers(report), *check_claims(report)])
    return with_restatements(report)


def _build_pages(report: Report, texts: Texts, stage: Stage, engine: LocalEngine) -> None:
    """The pages for readers: each language in a folder of its own, then merged, the policy set in."""
    pickled = stage.scratch / "report.pickle"
    pickled.write_bytes(pickle.dumps(report))
    tasks = [
        PagesTask(lang, pickled, texts, stage.scratch / f"docs-{lang}", stage.scratch / f"site-{lang}", _epoch(report))
        for lang in LANGS
    ]
    for _ in engine.map(build_pages, tasks):
        pass
    for address, data in vega_files():
        write_file(stage.root, address, data)
    addresses: list[str] = []
    for task in tasks:
        for address, path in _built_files(task):
            write_file(stage.root, address, path.read_bytes())
            addresses.append(address)
    pages = [address for address in addresses if address.endswith(".html")]
    apply_policy(stage.root, "404.html", pages)
    own = [page for page in pages if not page.startswith(LANGUAGE_FOLDER["en"]) and page != "404.html"]
    addresses_of_site = sitemap(own, report.source.publication)
    if addresses_of_site is not None:
        write_file(stage.root, "sitemap.xml", addresses_of_site)


def _built_files(task: PagesTask) -> Iterator[tuple[str, Path]]:
    """Address in the site and path of each file of one language. A host shows the 404.html of the root alone."""
    folder = LANGUAGE_FOLDER[task.lang]
    for path in sorted(task.out.rglob("*")):
        address = folder + path.relative_to(task.out).as_posix()
        if path.is_file() and address != "en/404.html":
            yield address, path


def _stamp_pages(report: Report, texts: Texts, stage: Stage, engine: LocalEngine) -> None:
    from generator.render.environment import make_environment
    from generator.render.evidence_number import evidence_number_pages
    from generator.render.shell import make_shell
    from generator.views.evidence import make_contexts

    source = report.source
    theme = [path.relative_to(stage.root).as_posix() for path in sorted(stage.root.glob("assets/stylesheets/*.css"))]
    environment = make_environment(texts, source.metrics)
    publication = source.publication
    shell = make_shell(
        environment,
        texts,
        publication.title,
        theme,
        policy_tag(),
        publication.languages,
        has_audit=report.has_audit,
    )
    for address, data in evidence_number_pages(report, environment, texts, shell):
        write_file(stage.root, address, data)

    def tasks() -> Iterator[StampTask]:
        for place, batch in enumerate(report.batches):
            frame = stage.scratch / f"frame-{place}.pickle"
            frame.write_bytes(pickle.dumps(Frame(batch, make_contexts(batch), shell, texts)))
            yield StampTask(frame, [], 0, [], lists=True)
            for part, start in enumerate(range(0, len(batch.rows), RUNS_PER_PARTITION), start=1):
                yield StampTask(frame, batch.rows[start : start + RUNS_PER_PARTITION], part, [], lists=False)
            names = list(batch.numbers)
            for start in range(0, len(names), NUMBERS_PER_PARTITION):
                yield StampTask(frame, [], 0, names[start : start + NUMBERS_PER_PARTITION], lists=False)

    for _ in engine.map(stamp_partition, tasks()):
        pass


def _finish(report: Report, stage: Stage, jobs: int) -> Built:
    """The manifest, and the proof that the site says what its evidence says."""
    from generator.verify import verify_site

    manifest = make_manifest(stage.root)
    write_file(stage.root, MANIFEST, manifest.data)
    result = verify_site(stage.root, jobs)
    if not result.agrees:
        raise SiteError(f"the site does not verify, and is not published:\n{result.as_text()}")
    return Built(
        batches=len(report.batches),
        runs=sum(len(batch.rows) for batch in report.batches),
        numbers=sum(len(batch.numbers) for batch in report.batches) + len(report.evidence_numbers),
        files=manifest.files + 1,
        digest=manifest.digest,
    )


def _epoch(report: Report) -> int:
    """Midnight UTC of the newest publication: the only clock that the site has."""
    register = report.source.register
    days = [entry.since for entry in report.source.publication.published]
    if not days and register is not None:
        days = [entry.retrieved for entry in register.evidence if entry.retrieved is not None]
    newest = max(days, default=datetime.date(2000, 1, 1))
    return int(datetime.datetime.combine(newest, datetime.time(), datetime.UTC).timestamp())


def _export(stage: Stage, folder: Path) -> None:
    for lang in LANGS:
        shutil.copytree(stage.scratch / f"docs-{lang}", folder / lang, dirs_exist_ok=True)
