"""The data of the page of all runs, made once more from batch files and evidence."""

import json
from pathlib import Path
from typing import Any

from generator.verify.evidence import EvidenceRun
from generator.verify.names import file_name
from generator.verify.recompute import Batch
from generator.verify.result import VerifyResult

_EXPLORER = "explorer/"
_PAGE = "runs/index.html"
_FILTERS = ("batch", "variant", "category", "case", "state", "reason", "metric", "outcome", "text")
_LONGEST_PART = 20_000
_STATE_LETTERS = {"COMPLETE": "C", "FAILED": "F", "INVALID": "I", "CANCELLED": "X"}
_OUTCOME_LETTERS = {"hit": "h", "miss": "m", "not_applicable": "n"}


def is_filter(target: str, fragment: str) -> bool:
    """Whether a fragment is one that the page of all runs reads as a filter."""
    parts = [part.partition("=") for part in fragment.split("&")]
    return target.removeprefix("en/") == _PAGE and all(name in _FILTERS and sign for name, sign, _ in parts)


def check_explorer(
    root: Path, index: dict[str, Any], batches: list[Batch], metrics: dict[str, Any], result: VerifyResult
) -> None:
    """Every file of the explorer says what is published, and there is no other. `batches` in the order of the index,
    `metrics` are rows of the metric table by id."""
    told = [_told(batch, metrics) for batch in batches]
    named = [metric for metric in metrics.values() if any(metric["id"] in names for names in told)]
    entries = [_entry_of(batch, entry) for batch, entry in zip(batches, index["batches"], strict=True)]
    shown = [{name: metric[name] for name in ("id", "name", "direction")} for metric in named]
    expected = {f"{_EXPLORER}index.js": ("explorer", {"batches": entries, "metrics": shown})}
    for batch, names in zip(batches, told, strict=True):
        folder = f"{_EXPLORER}{file_name(batch.head['id'])}/"
        for part, start in enumerate(_starts_of(batch), start=1):
            expected[f"{folder}{part}.js"] = ("runs", _columns(batch, start, names))
    present = {path.relative_to(root).as_posix() for path in root.glob(f"{_EXPLORER}**/*") if path.is_file()}
    for address in sorted(present - expected.keys()):
        result.differ(address, "a file of the explorer", "of no batch", "none")
    for address, (call, data) in expected.items():
        with result.reading(address):
            written = (root / address).read_bytes()
            again = f"runcite.{call}({json.dumps(data, ensure_ascii=True, separators=(',', ':'))});\n".encode()
            result.compare("files of the explorer", address, "content", written == again, True)


def _told(batch: Batch, metrics: dict[str, Any]) -> list[str]:
    """The metrics of which some run is a hit or a miss."""
    found = {name for run in batch.runs for name, judged in run.assertions.items() if judged.outcome in ("hit", "miss")}
    return [name for name in metrics if name in found]


def _outcome_letter(run: EvidenceRun, metric: str) -> str:
    judged = run.assertions.get(metric)
    return "-" if judged is None else _OUTCOME_LETTERS.get(judged.outcome, "-")


def _starts_of(batch: Batch) -> range:
    return range(0, max(1, len(batch.head["runs"])), _LONGEST_PART)


def _entry_of(batch: Batch, entry: dict[str, Any]) -> dict[str, Any]:
    head = batch.head
    return {
        "id": head["id"],
        "folder": file_name(head["id"]),
        "title": entry["title"],
        "pass_metric": head["pass_metric"],
        "parts": len(_starts_of(batch)),
        "runs": len(head["runs"]),
        "variants": [
            {"id": variant["id"], "name": variant["name"]}
            for variant in head["variants"]
            if variant["id"] in head["grid"]["variants"]
        ],
    }


def _columns(batch: Batch, start: int, metrics: list[str]) -> dict[str, Any]:
    rows = [batch.by_id[listed["run_id"]] for listed in batch.head["runs"][start : start + _LONGEST_PART]]
    texts: dict[str, list[Any]] = {
        "variant": [run.variant for run in rows],
        "case": [run.case for run in rows],
        "category": [run.category for run in rows],
        "reason": [run.reason for run in rows],
    }
    lists = {name: list(dict.fromkeys(text for text in column if text is not None)) for name, column in texts.items()}
    places = {name: {text: place for place, text in enumerate(listed)} for name, listed in lists.items()}
    names = [file_name(run.run_id) for run in rows]
    return {
        "batch": batch.head["id"],
        "run": [run.run_id for run in rows],
        "files": {str(at): name for at, (name, run) in enumerate(zip(names, rows, strict=True)) if name != run.run_id},
        "lists": lists,
        **{name: [places[name].get(text, -1) for text in column] for name, column in texts.items()},
        "repeat": [run.repeat for run in rows],
        "state": "".join(_STATE_LETTERS[run.state] for run in rows),
        "outcomes": {metric: "".join(_outcome_letter(run, metric) for run in rows) for metric in metrics},
    }
