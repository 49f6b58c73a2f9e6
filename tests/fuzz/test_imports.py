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
from tests.support import foreign, foreign_inspect, foreign_lm_eval, foreign_promptfoo
from tests.support import foreign_others as others

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


def _inspect() -> Any:
    samples = [foreign_inspect.inspect_sample(case, epoch) for case in ("a", "b") for epoch in (1, 2)]
    samples.append(foreign_inspect.inspect_sample("c", 1, "NaN", error={"message": "CancelledError()"}))
    results = {"total_samples": 5, "scores": [foreign_inspect.headline(1.0, 2)]}
    return foreign_inspect.inspect_log(samples, results=results)


def _promptfoo() -> Any:
    rows = [foreign_promptfoo.promptfoo_row(test, index) for test in (0, 1) for index in (0, 1)]
    return foreign_promptfoo.promptfoo_file(rows, (2, 0, 0), (2, 0, 0))


def _lm_results() -> Any:
    return foreign_lm_eval.lm_results(0.5, 2)


def _lm_rows() -> Any:
    """JSON as a list is read as lines are."""
    return [foreign_lm_eval.lm_row(0), foreign_lm_eval.lm_row(1, 0)]


RESULTS, SAMPLES = (f"{name}_{foreign_lm_eval.TIME}" for name in ("results", "samples_quiz"))
HARNESSES: dict[str, tuple[str, Make, str]] = {
    "tau-bench": ("tau-bench", _tau, "results.json"),
    "tau2-bench": ("tau2-bench", _tau2, "results.json"),
    "inspect": ("inspect", _inspect, "log.json"),
    "promptfoo": ("promptfoo", _promptfoo, "output.json"),
    "lm-eval results": ("lm-eval", _lm_results, f"{RESULTS}.json"),
    "lm-eval samples": ("lm-eval", _lm_rows, f"{SAMPLES}.jsonl"),
    "deepeval": ("deepeval", lambda: others.deepeval_file(*[others.deepeval_case()] * 2), "run.json"),
    "agentrial": ("agentrial", lambda: others.agentrial_file(a=[others.agentrial_trial(0)]), "suite.json"),
    "otel-genai": ("otel-genai", others.spans, "spans.json"),
    "openhands": ("openhands", lambda: [others.openhands_row(), others.openhands_row("b")], "output.json"),
    "swe-agent": ("swe-agent", others.trajectory, "case.traj"),
    "every-eval-ever": ("every-eval-ever", lambda: [others.instance(), others.instance("q2")], "samples.json"),
}
"""What is fuzzed → harness, content, name of the file."""


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
    importer, make, name = HARNESSES[harness]
    content = make()
    foreign_lm_eval.write_evaluation(tmp_path, _lm_rows(), _lm_results())
    path = tmp_path / name
    imported = 0
    for number in range(COUNT):
        path.write_bytes(_mutant(Random(f"{SEED}:{harness}:{number}"), content))
        try:
            batch, findings = IMPORTERS[importer]([path], options())
            _check(batch, findings, tmp_path)
        except Exception as error:
            raise AssertionError(f"mutant {number} of {harness}") from error
        imported += batch is not None
    record_property(FIGURES, f"{harness}: {COUNT} mutants of seed {SEED}, {imported} imported, the others refused")
    assert 0.15 * COUNT < imported < 0.95 * COUNT


def test_archives_with_changed_bytes_are_refused_or_imported(tmp_path: Path) -> None:
    for method in (foreign_inspect.STORED, foreign_inspect.DEFLATED, foreign_inspect.ZSTANDARD):
        path = foreign_inspect.write_archive(tmp_path / "log.eval", _inspect(), method=method)
        whole = path.read_bytes()
        for number in range(COUNT // 2):
            path.write_bytes(damage.damaged(Random(f"{SEED}:{method}:{number}"), whole)[0])
            try:
                _check(*IMPORTERS["inspect"]([path], options()), tmp_path)
            except Exception as error:
                raise AssertionError(f"archive {number} of method {method}") from error


def _check(batch: ImportedBatch | None, findings: list[Finding], source: Path) -> None:
    assert (batch is None) == bool(findings)
    for form in FindingFormat:
        format_findings(findings, form, source).encode()
    if batch is not None:
        assert msgspec.json.decode(msgspec.json.encode(list(batch.runs)))
