"""The whole verification: evidence, numbers, pages, links, manifest."""

import hashlib
from fractions import Fraction
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from generator.verify.exact import load, same, value_text
from generator.verify.manifest import check_manifest
from generator.verify.names import runset_name
from generator.verify.recompute import (
    Batch,
    EvidenceRun,
    Recomputed,
    change_word,
    recompute,
    recompute_difference,
)
from generator.verify.result import VerifyResult
from generator.verify.shown import Published
from generator.verify.site_pages import check_pages

_INTERVAL_TOLERANCE = 1e-9


def verify_site(root: Path, jobs: int = 1) -> VerifyResult:
    """Recompute everything that the public evidence of the site below `root` suffices for, in `jobs` processes."""
    result = VerifyResult()
    try:
        _verify(root, jobs, result)
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        # A damaged site may lack any file or field: say which, rather than fall over it.
        result.differ(_place_of(root, error), "readable site", f"{type(error).__name__}: {error}", "a readable site")
    return result


def _verify(root: Path, jobs: int, result: VerifyResult) -> None:
    check_manifest(root, load(root / "manifest.json"), result)
    index = load(root / "api/v1/index.json")
    table = load(root / "api/v1/metrics.json")
    metrics = {metric["id"]: metric for metric in table["metrics"]}
    published: dict[str, Published] = {}
    for batch_entry in index["batches"]:
        published |= _verify_batch(root, batch_entry, metrics, result)
    base = urlsplit(index["address"] or "").path.rstrip("/") + "/"
    check_pages(root, published, base, jobs, result)


def _verify_batch(
    root: Path, entry: dict[str, Any], metrics: dict[str, Any], result: VerifyResult
) -> dict[str, Published]:
    head = load(root / entry["file"])
    name = Path(entry["file"]).name
    numbers = load(root / "api/v1/numbers" / name)
    runsets = _load_runsets(root, name.removesuffix(".json"), result)
    batch = Batch(head, [_evidence_run(root, head, run, metrics, result) for run in head["runs"]])
    level = float(1 - Fraction(head["alpha"]))
    values: dict[str, Recomputed] = {}
    published: dict[str, Published] = {}
    for number in sorted(numbers, key=lambda number: number["compares"] is not None):
        metric = metrics[number["metric"]]
        if number["compares"] is None:
            recomputed = recompute(batch, number, metric, level)
        else:
            first, second = (values[other] for other in number["compares"])
            recomputed = recompute_difference(first, second, metric, level)
            word = change_word(first.value, second.value, metric["direction"])
            result.compare("change words", number["id"], "change", number["change"], word)
        values[number["id"]] = recomputed
        _compare(number, recomputed, runsets, result)
        text = value_text(recomputed.value, metric["unit"], metric["decimals"], number["compares"] is not None)
        published[number["id"]] = Published(number, metric, text)
    result.compare("lists of numbers", entry["file"], "ids", sorted(head["numbers"]), sorted(published))
    return published


def _load_runsets(root: Path, batch: str, result: VerifyResult) -> dict[str, set[str]]:
    runsets: dict[str, set[str]] = {}
    for path in sorted((root / "api/v1/runsets" / batch).glob("*.json")):
        for name, run_ids in load(path).items():
            result.compare("run sets", f"run set {name}", "name", name, runset_name(set(run_ids)))
            if run_ids != sorted(set(run_ids)) or name.removeprefix("rs-")[:1] != path.stem:
                result.differ(f"run set {name}", "order", "run ids out of order, repeated or misfiled", "sorted")
            runsets[name] = set(run_ids)
    return runsets


def _evidence_run(
    root: Path, head: dict[str, Any], listed: dict[str, Any], metrics: dict[str, Any], result: VerifyResult
) -> EvidenceRun:
    address = listed["evidence"]
    sha256 = hashlib.sha256((root / address).read_bytes()).hexdigest()
    result.compare("evidence files", address, "SHA-256", listed["sha256"], sha256)
    evidence = load(root / address)
    for field in ("run_id", "variant", "case_id", "state", "validity"):
        result.compare("fields of runs", address, field, listed[field], evidence[field])
    result.compare("fields of runs", address, "batch", evidence["batch"], head["id"])
    if evidence["validity"] == "valid":
        needed = {name for name, metric in metrics.items() if metric["source"] in ("code_assertion", "telemetry")}
        result.compare("assertions", address, "metrics", sorted(evidence["assertions"]), sorted(needed))
    if not evidence["source"]["config_hash_recomputable"]:
        result.limits["configuration hashes with a withheld value"] += 1
    return EvidenceRun(
        run_id=evidence["run_id"],
        variant=evidence["variant"],
        case=evidence["case_id"],
        category=evidence["category"],
        state=evidence["state"],
        validity=evidence["validity"],
        reason=evidence["reason"],
        stratum=_stratum(evidence),
        assertions=evidence["assertions"],
    )


def _stratum(evidence: dict[str, Any]) -> str:
    timing = evidence["telemetry"].get("timing") or {}
    return f"{timing.get('authority')}-{timing.get('event')}-{evidence['state'].lower()}"


def _compare(
    number: dict[str, Any], recomputed: Recomputed, runsets: dict[str, set[str]], result: VerifyResult
) -> None:
    place = number["id"]
    result.checked["numbers"] += 1
    if not same(number["value"], recomputed.value):
        result.differ(place, "value", _readable(number["value"]), _readable(recomputed.value))
    for name in ("numerator", "denominator"):
        result.compare("counts", place, name, number[name], getattr(recomputed, name))
    _compare_set(place, "runset", number["runset"], recomputed.runs, runsets, result)
    _compare_set(place, "numerator_runset", number["numerator_runset"], recomputed.numerator_runs, runsets, result)
    result.compare("counts", place, "excluded", sorted(number["excluded"]), sorted(recomputed.excluded))
    for kind, runs in recomputed.excluded.items():
        counted = number["excluded"].get(kind, {"count": None, "runset": None})
        result.compare("counts", place, f"excluded {kind}", counted["count"], len(runs))
        _compare_set(place, f"excluded {kind}", counted["runset"], runs, runsets, result)
    missing = number["missing"] or {"count": 0, "runset": None}
    result.compare("counts", place, "missing", missing["count"], len(recomputed.missing))
    _compare_set(place, "missing", missing["runset"], recomputed.missing, runsets, result)
    _compare_interval(number, recomputed, result)


def _compare_set(
    place: str, what: str, name: str | None, runs: set[str] | None, runsets: dict[str, set[str]], result: VerifyResult
) -> None:
    result.compare("references to run sets", place, what, name, runset_name(runs or set()))
    if name is not None and name not in runsets:
        result.differ(place, what, name, "no run set of that name")


def _compare_interval(number: dict[str, Any], recomputed: Recomputed, result: VerifyResult) -> None:
    result.checked["intervals"] += 1
    interval = number["interval"]
    if (interval is None) != (recomputed.interval is None):
        result.differ(number["id"], "interval", interval, recomputed.interval)
    elif interval is not None and recomputed.interval is not None:
        for name, bound in zip(("low", "high"), recomputed.interval, strict=True):
            if abs(float(interval[name]) - bound) > _INTERVAL_TOLERANCE:
                result.differ(number["id"], f"interval {name}", float(interval[name]), bound)


def _readable(value: object) -> str:
    return repr(float(value)) if isinstance(value, Fraction) else str(value)


def _place_of(root: Path, error: Exception) -> str:
    name = getattr(error, "filename", None)
    return Path(name).relative_to(root).as_posix() if name and Path(name).is_relative_to(root) else "the site"
