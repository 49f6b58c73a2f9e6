"""The batch file: grid, accounting, list of runs, and what it repeats of the index and the metric table."""

from collections import Counter
from collections.abc import Iterable
from typing import Any

from generator.verify.evidence import EvidenceRun
from generator.verify.names import file_name, variant_name
from generator.verify.result import VerifyResult

_REPEATED = ("id", "experiment", "title", "executed_on", "published_since", "synthetic", "page")
NOT_GIVEN = "not_given"


def check_batch(head: dict[str, Any], runs: list[EvidenceRun], index: dict[str, Any], result: VerifyResult) -> None:
    """What the batch file says, once more from the evidence of its runs."""
    place = f"api/v1/batches/{file_name(head['id'])}.json"
    _check_grid(place, head, runs, result)
    _check_lists(place, head, runs, result)
    for variant in head["grid"]["variants"]:
        accounting = head["accounting"].get(variant)
        result.compare("accounts", place, f"accounting {variant}", accounting, account(head, variant, runs))
    thresholds = index["thresholds"]
    result.compare("fields of batches", place, "alpha", head["alpha"], thresholds["alpha"])
    for name in ("metric_table_version", "projection_version"):
        result.compare("fields of batches", place, name, head[name], index[name])
    valid = Counter(run.variant for run in runs if run.validity == "valid")
    for variant in head["grid"]["variants"]:
        if valid[variant] < head["threshold"]:
            result.differ(
                place, f"threshold {variant}", f"{valid[variant]} valid runs", f"{head['threshold']} at least"
            )


def check_index_entry(entry: dict[str, Any], head: dict[str, Any], runsets: list[str], result: VerifyResult) -> None:
    """What the index repeats of a batch."""
    place, name = "api/v1/index.json", file_name(head["id"])
    for field in _REPEATED:
        result.compare("fields of batches", place, f"{head['id']} {field}", entry[field], head[field])
    page = f"experiments/{file_name(head['experiment'])}/{name}.html"
    derived = {
        "page": page,
        "file": f"api/v1/batches/{name}.json",
        "numbers": f"api/v1/numbers/{name}.json",
        "runsets": runsets,
        "variants": [variant["id"] for variant in head["variants"]],
        "planned": sum(account["planned"] for account in head["accounting"].values()),
        "runs": len(head["runs"]),
    }
    for field, value in derived.items():
        result.compare("fields of batches", place, f"{head['id']} {field}", entry[field], value)


def account(head: dict[str, Any], variant: str, runs: list[EvidenceRun]) -> dict[str, Any]:
    """How the planned runs of a variant ended."""
    grid, own = head["grid"], [run for run in runs if run.variant == variant]
    states = Counter(run.state for run in own)
    return {
        "planned": len(grid["cases"]) * grid["repeats"] if variant in grid["variants"] else 0,
        "complete": states["COMPLETE"],
        "failed": states["FAILED"],
        "valid": states["COMPLETE"] + states["FAILED"],
        "invalid": _by_reason(run.reason for run in own if run.validity == "invalid"),
        "cancelled": _by_reason(run.reason for run in own if run.validity == "cancelled"),
        "skipped": _by_reason(cell["reason"] for cell in head["skipped"] if cell["variant"] == variant),
    }


def _by_reason(reasons: Iterable[str | None]) -> dict[str, int]:
    return dict(Counter(reason or NOT_GIVEN for reason in reasons))


def _check_grid(place: str, head: dict[str, Any], runs: list[EvidenceRun], result: VerifyResult) -> None:
    """Every planned cell is a run or a skip, exactly once."""
    grid = head["grid"]
    cells = Counter((run.case, run.variant, run.repeat) for run in runs)
    cells.update((cell["case"], cell["variant"], cell["repeat_index"]) for cell in head["skipped"])
    planned = {
        (case, variant, repeat)
        for case in grid["cases"]
        for variant in grid["variants"]
        for repeat in range(grid["repeats"])
    }
    result.checked["planned cells"] += len(planned)
    for cell in sorted(planned | set(cells), key=str):
        expected = 1 if cell in planned else 0
        if cells[cell] != expected:
            result.differ(place, "cell " + ", ".join(map(str, cell)), f"{cells[cell]} runs and skips", expected)


def _check_lists(place: str, head: dict[str, Any], runs: list[EvidenceRun], result: VerifyResult) -> None:
    """Runs in executed order, none twice; variants baseline first, with their configurations."""
    listed = [(run["sequence"], run["run_id"]) for run in head["runs"]]
    result.compare("orders of runs", place, "runs", listed, sorted(listed))
    for what, values in (("sequence", [first for first, _ in listed]), ("run_id", [second for _, second in listed])):
        repeated = [value for value, count in Counter(values).items() if count > 1]
        result.compare("orders of runs", place, f"{what} that stands twice", repeated, [])
    variants = [variant["id"] for variant in head["variants"]]
    result.compare("fields of batches", place, "variants", sorted(variants), sorted(head["grid"]["variants"]))
    result.compare("fields of batches", place, "baseline", head["baseline"], variants[0])
    for variant in head["variants"]:
        own = sorted((run for run in runs if run.variant == variant["id"]), key=lambda run: run.line)
        hashes = list(dict.fromkeys(run.config_hash for run in own))
        what = f"config_hashes {variant['id']}"
        result.compare("configurations of variants", place, what, variant["config_hashes"], hashes)
        result.compare("fields of batches", place, "file_name", variant["file_name"], variant_name(variant["id"]))
    categories = {case["category"] for case in head["cases"]} | {run.category for run in runs}
    named = [category["id"] for category in head["categories"]]
    result.compare("fields of batches", place, "categories", sorted(named), sorted(categories))
    known = [case["id"] for case in head["cases"]]
    result.compare("fields of batches", place, "cases", known, [c for c in head["grid"]["cases"] if c in set(known)])
