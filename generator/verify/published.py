"""The JSON of `api/v1`: schemas, index, metric table, batches with their evidence and numbers."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from generator.verify.batches import check_batch, check_index_entry
from generator.verify.box import BoxRules
from generator.verify.claims import check_claims
from generator.verify.copies import check_copies
from generator.verify.evidence import EvidenceRules, EvidenceRun, read_evidence
from generator.verify.explorer import check_explorer
from generator.verify.json_files import load, within
from generator.verify.levels import levels_of
from generator.verify.lexicon import Words
from generator.verify.measured import check_measurement
from generator.verify.names import file_name
from generator.verify.numbers import check_numbers
from generator.verify.recompute import Batch
from generator.verify.register_files import RegisterFiles, check_evidence_numbers, read_register_files
from generator.verify.reported import check_headlines
from generator.verify.result import VerifyResult
from generator.verify.runsets import load_runsets
from generator.verify.schemas import Schema, form_of
from generator.verify.shown import Published
from generator.verify.times import check_time_settings
from generator.verify.units import check_units
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
    name, numbers by id, register and claims, the box profile in force."""

    index: dict[str, Any]
    words: Words
    table: dict[str, Any]
    metrics: dict[str, Any]
    batches: dict[str, Batch]
    runsets: dict[str, dict[str, list[str]]]
    numbers: dict[str, Published]
    register: RegisterFiles
    profile: dict[str, Any] | None = None


@dataclass(frozen=True)
class BatchRules:
    """What batches are held against: index, words, rows of the metric table by id, schemas by name; and the batches, in
    the order of the index."""

    root: Path
    index: dict[str, Any]
    words: Words
    metrics: dict[str, Any]
    schemas: dict[str, Any]
    batches: list[Batch]


@dataclass
class CheckedBatch:
    """What was found of a batch: its run sets by name, its numbers by id, as far as they could be read."""

    result: VerifyResult = field(default_factory=VerifyResult)
    runsets: dict[str, list[str]] = field(default_factory=dict)
    numbers: dict[str, Published] = field(default_factory=dict)


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
    words: Words = load(root / TEXTS)
    profile = _read_profile(root, index, schemas, result)
    register = read_register_files(root, index, schemas, result)
    on_evidence = check_evidence_numbers(register, index, metrics, words, result)
    api = Api(index, words, table, metrics, {}, {}, on_evidence, register, profile)
    batches: list[Batch] = []
    for entry in reversed(index["batches"]):
        earlier = tuple(batch for batch in batches if batch.head["experiment"] == entry["experiment"])
        head = heads[entry["file"]]
        is_boxed = head["kind"] == "comparison"
        batches.append(Batch(head, runs[entry["file"]], earlier, profile if is_boxed else None))
    listed = list(zip(index["batches"], reversed(batches), strict=True))
    shared = BatchRules(root, index, api.words, metrics, schemas, [batch for _, batch in listed])
    for (_, batch), checked in zip(listed, work(jobs, SomeBatches, shared, range(len(listed))), strict=True):
        result.absorb(checked.result)
        name = file_name(batch.head["id"])
        api.batches[name], api.runsets[name] = batch, checked.runsets
        api.numbers.update(checked.numbers)
    check_claims(register, api.numbers, result)
    _check_experiments(index, result)
    check_units("api/v1/metrics.json", metrics, result)
    check_time_settings(INDEX, index["times"], metrics, result)
    check_copies(root, list(heads.values()), result)
    check_explorer(root, index, shared.batches, metrics, result)
    ids = [run.run_id for batch in api.batches.values() for run in batch.runs]
    result.compare("run ids", INDEX, "run ids that stand twice", len(ids) - len(set(ids)), 0)
    return api


def _read_profile(
    root: Path, index: dict[str, Any], schemas: dict[str, Any], result: VerifyResult
) -> dict[str, Any] | None:
    """The box profile in force; None without one."""
    entry = index["box_profile"]
    if entry is None:
        return None
    profile: dict[str, Any] = load(within(root, entry["file"]))
    _follow(entry["file"], profile, schemas["profile"], result)
    for name in ("id", "version"):
        result.compare("versions", entry["file"], name, profile[name], entry[name])
    address = f"api/v1/profiles/{file_name(entry['id'])}.json"
    result.compare("versions", INDEX, "file of the profile", entry["file"], address)
    BoxRules(profile)
    return profile


def _check_experiments(index: dict[str, Any], result: VerifyResult) -> None:
    """The page of every template is called as it is, and every batch is of one of them."""
    listed = [entry["page"] for entry in index["experiments"]]
    made = [f"experiments/{file_name(entry['id'])}.html" for entry in index["experiments"]]
    result.compare("experiments", INDEX, "pages of experiments", listed, made)
    known = {entry["id"] for entry in index["experiments"]}
    for entry in index["batches"]:
        if entry["experiment"] not in known:
            result.differ(INDEX, f"experiment of {entry['id']}", entry["experiment"], "one of the experiments")


class SomeBatches:
    """Checks batches and their numbers, in one process. A batch is given by its place in the index."""

    def __init__(self, rules: BatchRules) -> None:
        self._rules = rules

    def __call__(self, place: int) -> CheckedBatch:
        rules, checked = self._rules, CheckedBatch()
        entry, batch = rules.index["batches"][place], rules.batches[place]
        _follow(entry["file"], batch.head, rules.schemas["batch"], checked.result)
        with checked.result.reading(entry["file"]):
            self._check(entry, batch, checked)
        return checked

    def _check(self, entry: dict[str, Any], batch: Batch, checked: CheckedBatch) -> None:
        rules, result, head = self._rules, checked.result, batch.head
        check_batch(head, batch.runs, rules.index, result)
        check_measurement(entry["file"], head, batch.runs, rules.metrics, result)
        runsets = load_runsets(rules.root, file_name(head["id"]), {run.run_id for run in batch.runs}, result)
        checked.runsets = runsets.by_name
        check_index_entry(entry, head, runsets.files, result)
        numbers = load(within(rules.root, entry["numbers"]))
        _follow(entry["numbers"], numbers, rules.schemas["numbers"], result)
        check_headlines(head, numbers, result)
        levels = levels_of(rules.index)
        checked.numbers = check_numbers(batch, numbers, rules.metrics, rules.words, runsets, levels, result)
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
