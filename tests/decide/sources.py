"""Tiny sources whose passes are given run by run, so that every verdict can be worked by hand.

The experiment is that of the small source, with `task_pass_rate` as its pass metric: a run passes if it says so.
"""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from tests.support.small_source import AUTO_HASH, SmallBatch, SmallSource, effective_config, write_small_source

Passes = Mapping[str, Mapping[str, str]]
"""Variant → case → one letter a repeat: `+` passed, `-` did not, `!` is an invalid run."""

SECRET = "SECRET-ANSWER"
"""Stands in every answer; no output of a gate may hold it."""


def write_source(root: Path, batches: Mapping[str, Passes], edit: Callable[[SmallSource], None] | None = None) -> Path:
    """A source with these batches, executed a day apart in their order."""

    def fill(source: SmallSource) -> None:
        experiment = source.experiment()
        experiment |= {"pass_metric": "task_pass_rate", "main_metrics": ["task_pass_rate"]}
        experiment["schedule"] = {"method": "as_recorded"}
        head = source.batch.head
        source.batches = [
            _batch(head, name, f"2026-11-{day}", passes) for day, (name, passes) in enumerate(batches.items(), start=10)
        ]
        source.publication["published"] = [{"batch": name, "since": "2026-11-28"} for name in batches]
        if edit is not None:
            edit(source)

    return write_small_source(root, fill)


def _batch(head: dict[str, Any], name: str, day: str, passes: Passes) -> SmallBatch:
    variants, cases = list(passes), list(next(iter(passes.values())))
    repeats = len(passes[variants[0]][cases[0]])
    grid = {"cases": cases, "variants": variants, "repeats": repeats}
    own = {"id": name, "executed_on": day, "planned": grid, "skipped": [], "variant_catalogs": {}}
    cells = [(index, case, variant) for index in range(repeats) for case in cases for variant in variants]
    runs = [
        _run(f"{name}-{sequence:03}", sequence, case, variant, index, passes[variant][case][index])
        for sequence, (index, case, variant) in enumerate(cells, start=1)
    ]
    return SmallBatch(head=head | own, runs=runs)


def _run(run_id: str, sequence: int, case: str, variant: str, index: int, letter: str) -> dict[str, Any]:
    effective = effective_config(variant)
    return {
        "run_id": run_id,
        "case_id": case,
        "variant": variant,
        "repeat_index": index,
        "sequence": sequence,
        "state": "INVALID" if letter == "!" else "COMPLETE",
        "reason": "rate_limited" if letter == "!" else None,
        "config": {"effective": effective},
        "config_hash": AUTO_HASH,
        "mode": "autonomous",
        "trace": [],
        "answer": SECRET,
        "extra": {"passed": letter == "+"},
    }
