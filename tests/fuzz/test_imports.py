"""Mutated result files of other harnesses: findings, or a batch that can be written; no traceback."""

import copy
import json
import os
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

from generator.errors import Finding
from generator.finding_formats import FindingFormat, format_findings
from generator.model.imported import ImportedBatch
from generator.read.importers import IMPORTERS
from tests.conftest import FIGURES
from tests.fuzz import damage, trees
from tests.read.importers.support import options
from tests.support import foreign

SOAK = os.environ.get("RUNCITE_SOAK") == "1"
COUNT = 5000 if SOAK else 200
SEED = 20261120
Make = Callable[[], Any]


def _tau() -> Any:
    """Two tasks of two trials, with calls, and one that raised."""
    records = [foreign.tau_record(task, trial, reward) for task in (0, 1) for trial, reward in ((0, 1.0), (1, 0.0))]
    records.append(foreign.tau_error(2, 0, "timeout"))
    records[0] |= foreign.tau_calls(("get_order", '{"id": "W1"}', "ok"), ("think", "{}", ""))
    return records


def _tau2() -> Any:
    simulations = [foreign.tau2_simulation(task, trial, 1.0) for task in ("0", "1") for trial in (0, 1)]
    return foreign.tau2_file(simulations)


HARNESSES: dict[str, Make] = {"tau-bench": _tau, "tau2-bench": _tau2}


def _mutant(random: Random, content: Any) -> bytes:
    value = {"": copy.deepcopy(content)}
    for _ in range(random.choice((1, 1, 2, 4))):
        trees.change(random, value, content)
    raw = json.dumps(value.get("", value)).encode()
    return damage.damaged(random, raw)[0] if random.random() < 0.1 else raw


@pytest.mark.parametrize("harness", HARNESSES)
def test_mutated_result_files_are_refused_or_imported(
    harness: str, tmp_path: Path, record_property: Callable[[str, object], None]
) -> None:
    content = HARNESSES[harness]()
    path = tmp_path / "results.json"
    imported = 0
    for number in range(COUNT):
        path.write_bytes(_mutant(Random(f"{SEED}:{harness}:{number}"), content))
        try:
            batch, findings = IMPORTERS[harness]([path], options())
            _check(batch, findings, tmp_path)
        except Exception as error:
            raise AssertionError(f"mutant {number} of {harness}") from error
        imported += batch is not None
    record_property(FIGURES, f"{harness}: {COUNT} mutants of seed {SEED}, {imported} imported, the others refused")
    assert 0.15 * COUNT < imported < 0.95 * COUNT


def _check(batch: ImportedBatch | None, findings: list[Finding], source: Path) -> None:
    assert (batch is None) == bool(findings)
    for form in FindingFormat:
        format_findings(findings, form, source).encode()
    if batch is not None:
        assert msgspec.json.decode(msgspec.json.encode(list(batch.runs)))
