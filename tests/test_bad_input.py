"""Bad input through the command line: a finding that names file, line and field, or a correct page. Never a traceback,
never half a site, and the site that was there stays as it was."""

import gzip
import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from typer.testing import CliRunner, Result

from generator import cli
from generator.verify import verify_site
from tests.support.once import small_site_once
from tests.support.small_source import (
    BATCH_ID,
    SmallSource,
    encode_runs,
    write_small_source,
)
from tests.support.whole_sites import beside, snapshot

Edit = Callable[[SmallSource], None]
RUNS = f"batches/{BATCH_ID}/runs.jsonl"
HEAD = f"batches/{BATCH_ID}/batch.yaml"


class Place(NamedTuple):
    """`line` is what the line holds, so that it can be found without the program; None where the file has no line to
    name. A number is the line itself."""

    code: str
    file: str
    line: str | int | None = None
    field: str | None = None


def _bytes(name: str, raw: bytes) -> Edit:
    return lambda source: source.files.update({name: raw})


def _line(number: int, change: Callable[[bytes], bytes]) -> Edit:
    """Changes one line of the runs file, as bytes."""

    def edit(source: SmallSource) -> None:
        lines = encode_runs(source.batch.runs).splitlines(keepends=True)
        lines[number - 1] = change(lines[number - 1])
        source.files[RUNS] = b"".join(lines)

    return edit


def _run(number: int, **changes: Any) -> Edit:
    return lambda source: source.batch.runs[number - 1].update(changes)


def _head(**changes: Any) -> Edit:
    return lambda source: source.batch.head.update(changes)


def _published(batch: str) -> Edit:
    def edit(source: SmallSource) -> None:
        source.publication["published"] = [{"batch": batch, "since": "2026-11-25"}]

    return edit


def _duration(number: str) -> Callable[[bytes], bytes]:
    return lambda line: line.replace(b'"duration_ms": 1600', b'"duration_ms": ' + number.encode())


def _no_edit(source: SmallSource) -> None:
    pass


BROKEN: dict[str, tuple[Edit, Place]] = {
    "empty file": (_bytes("metrics.yaml", b""), Place("RC008", "metrics.yaml")),
    "empty batch": (lambda source: source.batch.runs.clear(), Place("RC313", RUNS)),
    "empty runs file": (_bytes(RUNS, b""), Place("RC313", RUNS)),
    "blank lines only": (_bytes(RUNS, b"\n\n \n"), Place("RC313", RUNS)),
    "broken line in the middle": (_line(12, lambda line: line[: len(line) // 2] + b"\n"), Place("RC020", RUNS, 12)),
    "two runs in one line": (_line(12, lambda line: line.rstrip() + line), Place("RC020", RUNS, 12)),
    "line that is no object": (_line(12, lambda line: b"[1, 2]\n"), Place("RC021", RUNS, 12)),
    "one document of all runs": (
        lambda source: source.files.update({RUNS: json.dumps(source.batch.runs, indent=1).encode()}),
        Place("RC020", RUNS, 1),
    ),
    "unknown variant": (_run(3, variant="fulll"), Place("RC202", RUNS, 3, "variant")),
    "unknown case": (_run(3, case_id="basic-99"), Place("RC203", RUNS, 3, "case_id")),
    "unknown state": (_run(3, state="DONE"), Place("RC024", RUNS, 3, "state")),
    "missing field": (lambda source: source.batch.runs[2].pop("state"), Place("RC025", RUNS, 3, "state")),
    "duplicate run id": (_run(4, run_id=f"{BATCH_ID}-0003"), Place("RC312", RUNS, 4, "run_id")),
    "duplicate cell": (
        lambda source: source.batch.runs.append({**source.batch.runs[22], "run_id": "again", "sequence": 99}),
        Place("RC308", RUNS, 24),
    ),
    "duplicate key in a run": (
        _line(5, lambda line: b'{"run_id": "x", ' + line[1:]),
        Place("RC004", RUNS, 5, "run_id"),
    ),
    "duplicate key in a definition": (
        _bytes("redaction.yaml", b"version: 1\npatterns: []\nversion: 2\n"),
        Place("RC004", "redaction.yaml", 3, "version"),
    ),
    "duplicate case": (
        lambda source: source.cases["bank-small"]["cases"].append(
            {**source.cases["bank-small"]["cases"][0], "prompt": "again"}
        ),
        Place("RC101", "cases/bank-small.yaml", None, "cases[3].id"),
    ),
    "NaN": (_line(5, _duration("NaN")), Place("RC022", RUNS, 5, "timing.duration_ms")),
    "Infinity": (_line(5, _duration("-Infinity")), Place("RC022", RUNS, 5, "timing.duration_ms")),
    "number beyond a double": (_line(5, _duration("1e999")), Place("RC022", RUNS, 5, "timing.duration_ms")),
    "NaN in a definition": (
        lambda source: source.publication.update({"thresholds": {"alpha": float("nan")}}),
        Place("RC007", "publication.yaml", ".nan", "thresholds.alpha"),
    ),
    "definition in Latin-1": (
        _bytes("experiments.yaml", "# one\nexperiments: [] # é".encode("latin-1")),
        Place("RC002", "experiments.yaml", 2),
    ),
    "definition in UTF-16": (
        _bytes("experiments.yaml", "experiments: []".encode("utf-16")),
        Place("RC002", "experiments.yaml", 1),
    ),
    "definition in GBK": (
        _bytes("experiments.yaml", "# 实验\nexperiments: []".encode("gbk")),
        Place("RC002", "experiments.yaml", 1),
    ),
    "run in GBK": (
        _line(7, lambda line: line.replace(b'"mode"', '"备注": 1, "mode"'.encode("gbk"))),
        Place("RC002", RUNS, 7),
    ),
    "runs in UTF-16": (
        lambda source: source.files.update({RUNS: encode_runs(source.batch.runs).decode().encode("utf-16")}),
        Place("RC002", RUNS, 1),
    ),
    "runs that are an archive": (
        lambda source: source.files.update({RUNS: gzip.compress(encode_runs(source.batch.runs), mtime=0)}),
        Place("RC002", RUNS, 1),
    ),
    "unknown metric": (
        lambda source: source.experiment().update({"main_metrics": ["charm"]}),
        Place("RC105", "experiments.yaml", "charm", "experiments[0].main_metrics[0]"),
    ),
    "future metric table": (
        _head(metric_table_version=99),
        Place("RC303", HEAD, ": 99", "metric_table_version"),
    ),
    "unknown experiment": (_head(experiment="charm"), Place("RC301", HEAD, "charm", "experiment")),
    "unknown case bank": (
        _head(case_bank={"id": "charm", "version": 1}),
        Place("RC304", HEAD, "charm", "case_bank.id"),
    ),
    "unknown key": (_head(charm=1), Place("RC010", HEAD, "charm", "charm")),
    "syntax error": (_bytes("projection.yaml", b"version: 1\nfields: [\n"), Place("RC003", "projection.yaml", 3)),
    "run id of many lines": (_run(3, run_id="a\nb"), Place("RC201", RUNS, 3, "run_id")),
    "run id of 1001 characters": (_run(3, run_id="x" * 1001), Place("RC201", RUNS, 3, "run_id")),
    "blank run id": (_run(3, run_id="  "), Place("RC201", RUNS, 3, "run_id")),
    "batch that is not there": (
        _published("charm"),
        Place("RC013", "publication.yaml", "charm", "published[0].batch"),
    ),
} | {
    f"batch id {name!r}": (_published(name), Place("RC015", "publication.yaml", None, "published[0].batch"))
    for name in ("a/b", "..", "../ctx-small", "x" * 300, "a\u0007b", "C:")
}
GONE = {
    "metrics.yaml": Place("RC001", "metrics.yaml"),
    "publication.yaml": Place("RC001", "publication.yaml"),
    HEAD: Place("RC001", HEAD),
    RUNS: Place("RC014", f"batches/{BATCH_ID}/"),
    "cases/bank-small.yaml": Place("RC304", HEAD, "bank-small", "case_bank.id"),
}


@pytest.fixture(scope="module")
def old_site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return small_site_once(tmp_path_factory, "small")


def _build(source: Path, site: Path, *options: str) -> Result:
    arguments = ["build", "--source", str(source), "--site", str(site), "--jobs", "1", *options]
    return CliRunner().invoke(cli.app, arguments)


def _refused(source: Path, old_site: Path, folder: Path) -> list[dict[str, Any]]:
    """The findings of a build over a copy of the old site, which must stay as it is."""
    site = folder / "site"
    shutil.copytree(old_site, site, copy_function=shutil.copyfile)
    result = _build(source, site, "--format", "json")
    assert result.exit_code == 1
    assert isinstance(result.exception, SystemExit)
    assert "Traceback" not in result.output
    assert snapshot(site) == snapshot(old_site)
    assert beside(site) == []
    findings: list[dict[str, Any]] = json.loads(result.stdout)["findings"]
    return findings


def _assert_names(place: Place, findings: list[dict[str, Any]], source: Path) -> None:
    wanted = (place.code, place.file, place.field)
    found = [
        finding["place"]["line"]
        for finding in findings
        if (finding["code"], finding["place"]["file"], finding["place"]["field"]) == wanted
    ]
    assert found, findings
    if isinstance(place.line, str):
        lines = (source / place.file).read_text(encoding="utf-8").splitlines()
        assert found[0] == next(number for number, line in enumerate(lines, start=1) if place.line in line)
    elif place.line is not None:
        assert place.line in found
    assert all(finding[part] for finding in findings for part in ("rule", "expected", "found", "remedy"))


@pytest.mark.parametrize("name", BROKEN)
def test_bad_input_is_refused_where_it_is_and_the_old_site_stays(name: str, old_site: Path, tmp_path: Path) -> None:
    edit, place = BROKEN[name]
    source = write_small_source(tmp_path / "source", edit)
    _assert_names(place, _refused(source, old_site, tmp_path), source)


@pytest.mark.parametrize("name", GONE)
def test_a_missing_file_is_named_and_the_old_site_stays(name: str, old_site: Path, tmp_path: Path) -> None:
    source = write_small_source(tmp_path / "source")
    (source / name).unlink()
    _assert_names(GONE[name], _refused(source, old_site, tmp_path), source)


def test_a_source_that_is_not_there(old_site: Path, tmp_path: Path) -> None:
    findings = _refused(tmp_path / "nowhere", old_site, tmp_path)
    assert [(finding["code"], finding["place"]["file"]) for finding in findings] == [("RC001", "nowhere")]


STRANGE = ("a/b/../c", "..", "CON", "运行-一", "x" * 300, "bidi\u202eevil", "<script>alert(1)</script>", "sp ace?&#%")
CASES = ("UPPER", "upper", "index", "e\u0301", "\u00e9", "🙂", "a--b", ".", "-", "con.txt")


def _rename(source: SmallSource, key: str, old: str, new: str) -> None:
    """Another id for a variant (`key` is variant) or a case (case_id), wherever it stands."""
    head = source.batch.head
    listed, skipped = ("variants", "variant") if key == "variant" else ("cases", "case")
    head["planned"][listed] = [new if name == old else name for name in head["planned"][listed]]
    for entry in head["skipped"]:
        entry[skipped] = new if entry[skipped] == old else entry[skipped]
    for run in source.batch.runs:
        run[key] = new if run[key] == old else run[key]
    if key == "variant":
        head["variant_catalogs"][new] = head["variant_catalogs"].pop(old)
        experiment = source.experiment()
        for variant in experiment["variants"]:
            variant["id"] = new if variant["id"] == old else variant["id"]
        experiment["baseline"] = new if experiment["baseline"] == old else experiment["baseline"]
    else:
        for case in source.cases["bank-small"]["cases"]:
            case["id"] = new if case["id"] == old else case["id"]


def _strange_runs(source: SmallSource) -> None:
    for run, run_id in zip(source.batch.runs, STRANGE + CASES, strict=False):
        run["run_id"] = run_id


def _strange_names(source: SmallSource) -> None:
    """Batch, experiment, variants and cases all at once."""
    source.experiment()["schedule"] = {"method": "as_recorded"}
    for key, old, new in (
        ("variant", "full", ".."),
        ("variant", "budgeted", "a/b--CON\u202e"),
        ("case_id", "basic-01", "运行/一"),
        ("case_id", "basic-02", "x" * 200),
        ("case_id", "safety-01", "<img src=x onerror=alert(1)>"),
    ):
        _rename(source, key, old, new)
    source.experiment()["id"] = "CON"
    source.batch.head |= {"experiment": "CON", "id": "批次 一\u202e"}
    _published("批次 一\u202e")(source)


@pytest.mark.parametrize("edit", [_strange_runs, _strange_names])
def test_ids_of_any_kind_become_pages_that_verify(edit: Edit, tmp_path: Path) -> None:
    source, site = write_small_source(tmp_path / "in" / "source", edit), tmp_path / "out" / "site"
    result = _build(source, site)
    assert result.exit_code == 0, result.output
    assert verify_site(site).agrees
    assert [path.name for path in site.parent.iterdir()] == ["site"]
    (batch,) = json.loads((site / "api/v1/index.json").read_text(encoding="utf-8"))["batches"]
    runs = json.loads((site / batch["file"]).read_text(encoding="utf-8"))["runs"]
    pages = [run["page"] for run in runs]
    assert len({page.casefold() for page in pages}) == len(pages) == 23
    for address in [*pages, *(run["evidence"] for run in runs)]:
        assert (site / address).resolve().is_file()
        assert (site / address).resolve().is_relative_to(site.resolve())
    for page in site.rglob("*.html"):
        assert "\u202e" not in page.read_text(encoding="utf-8"), page
