"""The JSON of `api/v1`: schemas, index, metric table, batches with their evidence and numbers."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from generator.verify.batches import check_batch, check_index_entry
from generator.verify.copies import check_copies
from generator.verify.evidence import EvidenceRules, EvidenceRun, read_evidence
from generator.verify.json_files import load
from generator.verify.levels import levels_of
from generator.verify.names import file_name
from generator.verify.numbers import check_numbers
from generator.verify.recompute import Batch
from generator.verify.result import VerifyResult
from generator.verify.runsets import load_runsets
from generator.verify.schemas import schema_problems
from generator.verify.shown import Published
from generator.verify.whitelist import allow
from generator.verify.workers import work

INDEX = "api/v1/index.json"
_RUNS_PER_TASK = 100


@dataclass(frozen=True)
class EvidenceTask:
    """Runs of one batch file whose evidence is to be read."""

    head: dict[str, Any]
    listed: list[dict[str, Any]]


@dataclass(frozen=True)
class Api:
    """What is published, checked: index, metric table, its rows by id, batches by file name, numbers by id."""

    index: dict[str, Any]
    table: dict[str, Any]
    metrics: dict[str, Any]
    batches: dict[str, Batch]
    numbers: dict[str, Published]


def check_api(root: Path, jobs: int, result: VerifyResult) -> Api:
    """Recompute what the API publishes, in `jobs` processes."""
    index = load(root / INDEX)
    schemas = {name: load(root / address) for name, address in index["addresses"]["schemas"].items()}
    table = load(root / "api/v1/metrics.json")
    projection = load(root / "api/v1/projection.json")
    for name, value in (("index", index), ("metrics", table), ("projection", projection)):
        _follow(f"api/v1/{name}.json", value, schemas[name], result)
    result.compare("versions", INDEX, "metric_table_version", index["metric_table_version"], table["version"])
    result.compare("versions", INDEX, "projection_version", index["projection_version"], projection["version"])
    metrics = {metric["id"]: metric for metric in table["metrics"]}
    details = {metric: load(root / address) for metric, address in projection["details"].items()}
    rules = EvidenceRules(metrics, allow(projection["fields"]), projection["version"], schemas["evidence"], details)
    heads = {entry["file"]: load(root / entry["file"]) for entry in index["batches"]}
    runs = _read_runs(root, heads, rules, jobs, result)
    api = Api(index, table, metrics, {}, {})
    for entry in index["batches"]:
        batch = Batch(heads[entry["file"]], runs[entry["file"]])
        _follow(entry["file"], batch.head, schemas["batch"], result)
        with result.reading(entry["file"]):
            _check_batch_files(root, entry, batch, api, schemas, result)
    check_copies(root, list(heads.values()), result)
    ids = [run.run_id for batch in api.batches.values() for run in batch.runs]
    result.compare("run ids", INDEX, "run ids that stand twice", len(ids) - len(set(ids)), 0)
    return api


def _check_batch_files(
    root: Path, entry: dict[str, Any], batch: Batch, api: Api, schemas: dict[str, Any], result: VerifyResult
) -> None:
    """One batch and its numbers, noted in `api`."""
    head, name = batch.head, file_name(batch.head["id"])
    api.batches[name] = batch
    check_batch(head, batch.runs, api.index, result)
    runsets = load_runsets(root, name, {run.run_id for run in batch.runs}, result)
    check_index_entry(entry, head, runsets.files, result)
    numbers = load(root / entry["numbers"])
    _follow(entry["numbers"], numbers, schemas["numbers"], result)
    api.numbers.update(check_numbers(batch, numbers, api.metrics, runsets, levels_of(api.index), result))
    runsets.check_all_used(result)


def _read_runs(
    root: Path, heads: dict[str, dict[str, Any]], rules: EvidenceRules, jobs: int, result: VerifyResult
) -> dict[str, list[EvidenceRun]]:
    """The evidence of all runs, by batch file."""
    tasks = [
        (file, EvidenceTask(head, head["runs"][start : start + _RUNS_PER_TASK]))
        for file, head in heads.items()
        for start in range(0, len(head["runs"]), _RUNS_PER_TASK)
    ]
    runs: dict[str, list[EvidenceRun]] = {file: [] for file in heads}
    found = work(jobs, _read_runs_of, (root, rules), [task for _, task in tasks])
    for (file, _), (some, of_task) in zip(tasks, found, strict=True):
        runs[file] += some
        result.absorb(of_task)
    return runs


def _read_runs_of(shared: tuple[Path, EvidenceRules], task: EvidenceTask) -> tuple[list[EvidenceRun], VerifyResult]:
    """The runs of a task, checked."""
    root, rules = shared
    result = VerifyResult()
    read = [read_evidence(root, task.head, listed, rules, result) for listed in task.listed]
    return [run for run in read if run is not None], result


def _follow(address: str, value: Any, schema: dict[str, Any], result: VerifyResult) -> None:
    result.checked["files against schemas"] += 1
    for path, found, expected in schema_problems(value, schema):
        result.differ(address, path.lstrip("."), found, expected)
