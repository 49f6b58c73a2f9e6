"""A built site → Every Eval Ever, schema 0.2: an aggregate for each batch and variant, with its instances.

A site holds what its whitelist lets through, so nothing else can leave by this way: gold answers, system prompts and
whole returns of tools are not there. Runs that are not valid, and runs without a verdict, have no place in a schema in
which every instance is right or wrong; the aggregate counts them.
"""

import datetime
import hashlib
import json
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from generator.errors import SiteError
from generator.export.every_eval_ever_instance import instance_of
from generator.model.addresses import file_name

SCHEMA_VERSION = "0.2.1"
_INDEX = "api/v1/index.json"


@dataclass(frozen=True, slots=True)
class Exported:
    """An aggregate that was written, how many instances it has, and how many runs it leaves out."""

    file: str
    instances: int
    left_out: int


def export_every_eval_ever(site: Path, folder: Path) -> list[Exported]:
    """Write `<batch>/<variant>.json` and `<variant>_samples.jsonl` below `folder`, which is empty or not there.

    Raises
    ------
    SiteError
        The site cannot be read, or the folder is not empty or cannot be written.
    """
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise SiteError(f"{folder}: expected an empty folder, or none; choose another one")
    index = _read(site, _INDEX)
    try:
        return [
            written
            for entry in index["batches"]
            for written in _batch(site, folder, index, _read(site, entry["file"]), _read(site, entry["numbers"]))
        ]
    except (KeyError, TypeError) as error:
        raise SiteError(f"{site}: not a site of this version ({error})") from error
    except OSError as error:
        raise SiteError(f"{folder}: cannot be written ({error.strerror})") from error


def _batch(
    site: Path, folder: Path, index: dict[str, Any], batch: dict[str, Any], numbers: list[dict[str, Any]]
) -> Iterator[Exported]:
    runs: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for run in batch["runs"]:
        runs[run["variant"]].append(run)
    metric = batch["pass_metric"]
    rates = {
        number["variant"]: number
        for number in numbers
        if number["metric"] == metric and number["slice"] is None and number["compares"] is None
    }
    for variant in batch["variants"]:
        name = variant["id"]
        rate = rates.get(name)
        if rate is None or rate["value"] is None:
            continue
        evidence = [_read(site, run["evidence"]) for run in runs[name]]
        judged = [run for run in evidence if _outcome(run, metric) in ("hit", "miss")]
        identity = _identity(batch, name, judged)
        lines = [instance_of(run, metric, identity, batch) for run in judged]
        yield _write(folder, index, batch, name, identity, rate, lines, len(evidence) - len(judged))


def _outcome(run: Mapping[str, Any], metric: str) -> str | None:
    return (run["assertions"].get(metric) or {}).get("outcome")


def _identity(batch: Mapping[str, Any], variant: str, runs: list[dict[str, Any]]) -> dict[str, str]:
    """The model as the evidence names it, else the variant."""
    named = {str((run["config"].get("effective") or {}).get("model") or "") for run in runs} - {""}
    model = named.pop() if len(named) == 1 else variant
    return {
        "evaluation_id": f"{batch['experiment']}/{model}/{batch['id']}/{variant}",
        "model_id": model,
        "evaluation_name": batch["experiment"],
    }


def _write(
    folder: Path,
    index: dict[str, Any],
    batch: dict[str, Any],
    variant: str,
    identity: dict[str, str],
    rate: dict[str, Any],
    lines: list[dict[str, Any]],
    left_out: int,
) -> Exported:
    stem = file_name(variant)
    target = folder / file_name(batch["id"])
    target.mkdir(parents=True, exist_ok=True)
    raw = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines).encode("utf-8")
    (target / f"{stem}_samples.jsonl").write_bytes(raw)
    content = _aggregate(index, batch, variant, identity, rate)
    content["detailed_evaluation_results"] = {
        "format": "jsonl",
        "file_path": f"{stem}_samples.jsonl",
        "hash_algorithm": "sha256",
        "checksum": hashlib.sha256(raw).hexdigest(),
        "total_rows": len(lines),
        "additional_details": {"runs_left_out": str(left_out)},
    }
    (target / f"{stem}.json").write_text(json.dumps(content, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    return Exported(f"{target.name}/{stem}.json", len(lines), left_out)


def _aggregate(
    index: dict[str, Any], batch: dict[str, Any], variant: str, identity: dict[str, str], rate: dict[str, Any]
) -> dict[str, Any]:
    since = datetime.date.fromisoformat(batch["published_since"] or batch["executed_on"])
    midnight = datetime.datetime.combine(since, datetime.time(), datetime.UTC)
    title, interval, harness = index["title"]["en"], rate["interval"], batch["provenance"]
    address = index["address"]
    organisation: dict[str, Any] = {"source_organization_name": title}
    if address is not None:
        organisation["source_organization_url"] = address
    uncertainty: dict[str, Any] = {"num_samples": rate["denominator"]}
    if interval is not None:
        uncertainty["confidence_interval"] = {
            "lower": interval["low"],
            "upper": interval["high"],
            "confidence_level": interval["level"],
            "method": interval["method"],
        }
    return {
        "schema_version": SCHEMA_VERSION,
        "evaluation_id": identity["evaluation_id"],
        "evaluation_timestamp": batch["executed_on"],
        "retrieved_timestamp": str(int(midnight.timestamp())),
        "source_metadata": {
            "source_name": title,
            "source_type": "evaluation_run",
            "evaluator_relationship": "other",
            **organisation,
            "additional_details": {"synthetic": str(batch["synthetic"]).lower(), "page": batch["page"]},
        },
        "eval_library": {"name": harness["harness"], "version": harness["harness_version"] or "unknown"},
        "model_info": {
            "name": identity["model_id"],
            "id": identity["model_id"],
            "additional_details": {"variant": variant},
        },
        "evaluation_results": [
            {
                "evaluation_name": batch["experiment"],
                "source_data": {"dataset_name": batch["case_bank"]["id"], "source_type": "other"},
                "evaluation_timestamp": batch["executed_on"],
                "metric_config": {
                    "evaluation_description": batch["pass_metric"],
                    "lower_is_better": False,
                    "score_type": "binary",
                },
                "score_details": {
                    "score": rate["value"],
                    "details": {
                        "numerator": str(rate["numerator"]),
                        "denominator": str(rate["denominator"]),
                        "number": rate["page"],
                        **{reason: str(found["count"]) for reason, found in rate["excluded"].items()},
                    },
                    "uncertainty": uncertainty,
                },
            }
        ],
    }


def _read(site: Path, name: str) -> Any:
    try:
        return json.loads((site / name).read_bytes())
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise SiteError(f"{site / name}: not a file of a built site ({reason})") from error
