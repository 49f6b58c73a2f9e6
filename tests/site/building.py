"""Builds a site with the command that readers of the README type, once for all workers of a test session."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import yaml

from tests.support.once import made_once

ROOT = Path(__file__).resolve().parents[2]
SHOWN_BATCHES = ("gov-2026-10", "ctx-2026-11", "gov-2026-11", "delivery-2026-11", "mut-2026-11", "meta-2026-11")
"""Of the sample: each kind of experiment, two variants and more, an earlier batch, sessions, skipped cells, every state
of a run."""

SHOWN_CASES = (
    *("basic-01", "combination-02", "multi-tool-01", "multi-tool-05"),
    *("exception-01", "safety-01", "safety-02", "session-product"),
)
"""Of each category."""


def write_part_of_sample(folder: Path) -> Path:
    """`data/` as if only some batches had been published, and only some cases been planned: a third of a build, and
    pages of every kind that a browser reads sooner."""
    shutil.copytree(ROOT / "data", folder, ignore=shutil.ignore_patterns("batches"))
    for batch in SHOWN_BATCHES:
        _write_part_of_batch(ROOT / "data" / "batches" / batch, folder / "batches" / batch)
    publication = yaml.safe_load((folder / "publication.yaml").read_text(encoding="utf-8"))
    publication["published"] = [entry for entry in publication["published"] if entry["batch"] in SHOWN_BATCHES]
    _write(folder / "publication.yaml", publication)
    ledger = yaml.safe_load((folder / "claims.yaml").read_text(encoding="utf-8"))
    hidden = {path.name for path in (ROOT / "data" / "batches").iterdir()}.difference(SHOWN_BATCHES)
    ledger["claims"] = [
        claim
        for claim in ledger["claims"]
        # With fewer runs no difference is sure.
        if not any(f"{name}/" in str(claim) for name in hidden) and "improvement" not in claim
    ]
    _write(folder / "claims.yaml", ledger)
    return folder


def _write_part_of_batch(batch: Path, folder: Path) -> None:
    """What its head says of all its cases goes too: aggregates that were published before."""
    folder.mkdir(parents=True)
    head = yaml.safe_load((batch / "batch.yaml").read_text(encoding="utf-8"))
    head["planned"]["cases"] = [case for case in head["planned"]["cases"] if case in SHOWN_CASES]
    head["skipped"] = [cell for cell in head.get("skipped", []) if cell["case"] in SHOWN_CASES]
    head.pop("published_aggregates", None)
    _write(folder / "batch.yaml", head)
    with (batch / "runs.jsonl").open("rb") as lines, (folder / "runs.jsonl").open("wb") as kept:
        kept.writelines(line for line in lines if json.loads(line)["case_id"] in SHOWN_CASES)


def _write(path: Path, content: object) -> None:
    path.write_text(yaml.safe_dump(content, allow_unicode=True), encoding="utf-8")


def build_once(folder: Path, write_source: Callable[[Path], Path]) -> Path:
    """The site in `folder`, built from `write_source(folder / "source")` by the first process that comes."""

    def make(folder: Path) -> None:
        said = build(write_source(folder / "source"), folder / "site")
        if said is not None:
            raise AssertionError(f"the site could not be built:\n{said}")

    return made_once(folder, make) / "site"


def build(source: Path, site: Path) -> str | None:
    """None, or what the command said when it refused."""
    runcite = Path(sys.executable).with_name("runcite")
    command = [str(runcite), "build", "--source", str(source), "--site", str(site), "--jobs", "2"]
    environment = {**os.environ, "PYTHONWARNINGS": "default"}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, encoding="utf-8")
    return None if done.returncode == 0 else f"{done.stdout}\n{done.stderr}"
