"""The JSON of `api/v1`: schemas, index, metric table, batches with their evidence and numbers."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from generator.verify.batches import check_batch, check_index_entry
from generator.verify.copies import check_copies
from generator.verify.evidence import EvidenceRules, EvidenceRun, read_evidence
from generator.verify.json_files import load, within
from generator.verify.levels import levels_of
from generator.verify.lexicon import Words
from generator.verify.names import file_name
from generator.verify.numbers import check_numbers
from generator.verify.recompute import Batch
from generator.verify.result import VerifyResult
from generator.verify.runsets import load_runsets
from generator.verify.schemas import Schema, form_of
from generator.verify.shown import Published
from generator.verify.whitelist import allow
from generator.verify.workers import work

INDEX = "api/v1/index.json"
TEXTS = "api/v1/texts.json"
_RUNS_PER_TASK = 100


@dataclass(frozen=True)
class EvidenceTask:
    """Runs of one batch file whose evidence is to be read."""

    head: dict[str, Any]
    listed: list[dict[str, Any]]


@dataclass(frozen=True)
class EvidenceForm:
    """What the site publishes of the form of evidence: rows of the metric table by id, whitelist, schema of evidence,
    schemas of the details of each metric."""

    metrics: dict[str, Any]
    projection: dict[str, Any]
    schema: Schema
    details: dict[str, Schema]


@dataclass(frozen=True)
class Api:
    """What is published, checked: index, words of the pages, metric table, its rows by id, batches and run sets by file
    name, numbers by id."""

    index: dict[str, Any]
    words: Words
    table: dict[str, Any]
    metrics: dict[str, Any]
    batches: dict[str, Batch]
    runsets: dict[str, dict[str, list[str]]]
    numbers: dict[str, Published]


def check_api(root: Path, jobs: int, result: VerifyResult) -> Api:
    """Recompute what the API publishes, in `jobs` processes."""
    index = load(root / INDEX)
    schemas = {name: load(within(root, address)) for name, address in index["addresses"]["schemas"].items()}
    table = load(root / "api/v1/metrics.json")
    projection = load(root / "api/v1/projection.json")
    for name, value in (("index", index), ("metrics", table), ("projection", projection)):
        _follow(f"api/v1/{name}.json", value, schemas[name], result)
    result.compare("versions", INDEX, "metric_table_version", index["metric_table_version"], table["version"])
    result.compare("versions", INDEX, "projection_version", index["projection_version"], projection["version"])
    metrics = {metric["id"]: metric for metric in table["metrics"]}
    details = {metric: load(within(root, address)) for metric, address in projection["details"].items()}
    form = EvidenceForm(metrics, projection, schemas["evidence"], details)
    heads = {entry["file"]: load(within(root, entry["file"])) for entry in index["batches"]}
    runs = _read_runs(root, heads, form, jobs, result)
    api = Api(index, load(root / TEXTS), table, metrics, {}, {}, {})
    batches: list[Batch] = []
    for entry in reversed(index["batches"]):
        earlier = tuple(batch for batch in batches if batch.head["experiment"] == entry["experiment"])
        batches.append(Batch(heads[entry["file"]], runs[entry["file"]], earlier))
    for entry, batch in zip(index["batches"], reversed(batches), strict=True):
        _follow(entry["file"], batch.head, schemas["batch"], result)
        with result.reading(entry["file"]):
            _check_batch_files(root, entry, batch, api, schemas, result)
    _check_experiments(root, index, result)
    check_copies(root, list(heads.values()), result)
    ids = [run.run_id for batch in api.batches.values() for run in batch.runs]
    result.compare("run ids", INDEX, "run ids that stand twice", len(ids) - len(set(ids)), 0)
    return api


def _check_experiments(root: Path, index: dict[str, Any], result: VerifyResult) -> None:
    """Every template has its page, every such page its template, and every batch is of one of them."""
    listed = [entry["page"] for entry in index["experiments"]]
    made = [f"experiments/{file_name(entry['id'])}.html" for entry in index["experiments"]]
    result.compare("experiments", INDEX, "pages of experiments", listed, made)
    found = {path.relative_to(root).as_posix() for path in (root / "experiments").glob("*.html")}
    result.compare("experiments", INDEX, "experiments", sorted(listed), sorted(found - {"experiments/index.html"}))
    known = {entry["id"] for entry in index["experiments"]}
    for entry in index["batches"]:
        if entry["experiment"] not in known:
            result.differ(INDEX, f"experiment of {entry['id']}", entry["experiment"], "one of the experiments")


def _check_batch_files(
    root: Path, entry: dict[str, Any], batch: Batch, api: Api, schemas: dict[str, Any], result: VerifyResult
) -> None:
    """One batch and its numbers, noted in `api`."""
    head, name = batch.head, file_name(batch.head["id"])
    api.batches[name] = batch
    check_batch(head, batch.runs, api.index, result)
    runsets = load_runsets(root, name, {run.run_id for run in batch.runs}, result)
    api.runsets[name] = runsets.by_name
    check_index_entry(entry, head, runsets.files, result)
    numbers = load(within(root, entry["numbers"]))
    _follow(entry["numbers"], numbers, schemas["numbers"], result)
    levels = levels_of(api.index)
    api.numbers.update(check_numbers(batch, numbers, api.metrics, api.words, runsets, levels, result))
    runsets.check_all_used(result)


def _read_runs(
    root: Path, heads: dict[str, dict[str, Any]], form: EvidenceForm, jobs: int, result: VerifyResult
) -> dict[str, list[EvidenceRun]]:
    """The evidence of all runs, by batch file."""
    tasks = [
        (file, EvidenceTask(head, head["runs"][start : start + _RUNS_PER_TASK]))
        for file, head in heads.items()
        for start in range(0, len(head["runs"]), _RUNS_PER_TASK)
    ]
    runs: dict[str, list[EvidenceRun]] = {file: [] for file in heads}
    found = work(jobs, SomeRuns, (root, form), [task for _, task in tasks])
    for (file, _), (some, of_task) in zip(tasks, found, strict=True):
        runs[file] += some
        result.absorb(of_task)
    return runs


class SomeRuns:
    """Reads and checks runs, in one process."""

    def __init__(self, shared: tuple[Path, EvidenceForm]) -> None:
        self._root, form = shared
        self._rules = EvidenceRules(
            metrics=form.metrics,
            allowed=allow(form.projection["fields"]),
            projection_version=form.projection["version"],
            form=form_of(form.schema),
            details={metric: form_of(schema) for metric, schema in form.details.items()},
        )

    def __call__(self, task: EvidenceTask) -> tuple[list[EvidenceRun], VerifyResult]:
        result = VerifyResult()
        read = [read_evidence(self._root, task.head, listed, self._rules, result) for listed in task.listed]
        return [run for run in read if run is not None], result


def _follow(address: str, value: Any, schema: dict[str, Any], result: VerifyResult) -> None:
    result.checked["files against schemas"] += 1
    for path, found, expected in form_of(schema)(value):
        result.differ(address, path.lstrip("."), found, expected)
