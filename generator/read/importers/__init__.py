"""One file a harness: foreign result files → an imported batch."""

from collections.abc import Callable
from pathlib import Path

from generator.errors import Finding
from generator.model.imported import ImportedBatch, ImportOptions
from generator.read.importers.run_ids import taken_run_ids
from generator.read.importers.tau2_bench import import_tau2_bench
from generator.read.importers.tau_bench import import_tau_bench

__all__ = ["IMPORTERS", "Importer", "taken_run_ids"]

Importer = Callable[[list[Path], ImportOptions], tuple[ImportedBatch | None, list[Finding]]]

IMPORTERS: dict[str, Importer] = {
    "tau-bench": import_tau_bench,
    "tau2-bench": import_tau2_bench,
}
"""By the name that `runcite import` takes. Nothing is imported where there is a finding."""
