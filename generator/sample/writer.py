"""Executes a batch in its interleaved order and gives its two files."""

import datetime
import json
from collections.abc import Iterator
from dataclasses import dataclass, replace

import msgspec

from generator.model.base import Json
from generator.model.cases import CaseBank
from generator.model.experiments import Experiment
from generator.model.runs import Run
from generator.model.schedule import Cell, interleaved_order
from generator.sample.batches import BatchSpec
from generator.sample.configs import config_hash, configure
from generator.sample.definitions import Definitions
from generator.sample.head import Own, head_of
from generator.sample.record import Variant, run_id
from generator.sample.runner import Bench, Followed, execute

GAP_MS = 350
"""Between the end of a run and the start of the next."""


@dataclass(frozen=True)
class Written:
    """The files of a batch, by name in its folder."""

    head: bytes
    runs: bytes


def write_batch(spec: BatchSpec, definitions: Definitions) -> Written:
    """Execute a batch. Pure: the same definitions give the same bytes."""
    experiment = definitions.experiments[spec.experiment]
    bank = definitions.bank
    bench = Bench(
        spec=spec,
        cases={case.id: case for case in bank.cases},
        sessions=definitions.sessions,
        catalog=definitions.catalog,
        fixtures=definitions.fixtures,
        variants={variant.id: variant for variant in _variants(spec, experiment)},
    )
    order = interleaved_order(_planned(spec, experiment, bank), experiment.schedule.seed)
    bench = replace(bench, followed=_followed(spec, experiment, order))
    runs: list[dict[str, Json]] = []
    tokens, now = 0, spec.started_at
    for sequence, cell in enumerate(order):
        if spec.token_budget is not None and tokens >= spec.token_budget:
            break
        done = execute(bench, cell, sequence, now)
        tokens += done.tokens
        now += datetime.timedelta(milliseconds=done.elapsed_ms + GAP_MS)
        runs.append(done.run)
    own = list(_own_turns(runs, experiment)) if spec.publishes_turns else []
    head = head_of(bench, experiment, bank, order[len(runs) :], own)
    return Written(head=head, runs=b"".join(map(_line, runs)))


def _followed(spec: BatchSpec, experiment: Experiment, order: list[Cell]) -> Followed | None:
    """Which run each run of a metamorphic batch will follow: the order is known before any is executed."""
    if experiment.kind != "metamorphic":
        return None
    source = experiment.baseline
    runs = {
        (case, repeat): run_id(spec.id, place)
        for place, (case, variant, repeat) in enumerate(order)
        if variant == source
    }
    return Followed(source, runs)


def _planned(spec: BatchSpec, experiment: Experiment, bank: CaseBank) -> Iterator[Cell]:
    for case in bank.cases:
        if spec.sessions or case.category != "session":
            for variant in experiment.variants:
                for repeat_index in range(spec.repeats or experiment.repeats):
                    yield case.id, variant.id, repeat_index


def _variants(spec: BatchSpec, experiment: Experiment) -> Iterator[Variant]:
    """What each variant asks for, and what it gets."""
    path = experiment.independent_variable
    for variant in experiment.variants:
        effective = configure({**spec.effective, path: variant.value}, spec.without)
        asked = spec.requested_values.get(variant.id, variant.value)
        requested = configure({**spec.requested, path: asked}, spec.without)
        yield Variant(variant.id, requested, effective, config_hash(effective), variant.id in spec.estimated)


def _own_turns(runs: list[dict[str, Json]], experiment: Experiment) -> Iterator[Own]:
    """The harness's own mean of turns, of valid runs, to two decimals (half up)."""
    for variant in experiment.variants:
        turns = [
            sum(isinstance(step, dict) and step["kind"] == "model" for step in trace)
            for run in runs
            if run["variant"] == variant.id and run["state"] in ("COMPLETE", "FAILED")
            if isinstance(trace := run.get("trace"), list)
        ]
        hundredths = (200 * sum(turns) + len(turns)) // (2 * len(turns))
        yield "avg_turns", variant.id, f"{hundredths // 100}.{hundredths % 100:02d}"


def _line(run: dict[str, Json]) -> bytes:
    """One line of `runs.jsonl`, checked against the record that readers use."""
    line = json.dumps(run, ensure_ascii=False, separators=(",", ":")).encode()
    msgspec.json.decode(line, type=Run)
    return line + b"\n"
