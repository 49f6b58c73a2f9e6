"""The committed batches are what the agent gives, and hold what issue and templates promise."""

from collections import Counter
from pathlib import Path
from typing import get_args

import msgspec
import pytest

from generator.model.batches import Batch
from generator.model.kinds import RELATION_FAMILIES, Operator
from generator.model.runs import Run
from generator.model.schedule import interleaved_order
from generator.read.definitions import read_definition
from generator.resources import resource
from generator.sample.batches import SPECS, BatchSpec
from generator.sample.configs import config_hash
from generator.sample.definitions import Definitions, read_definitions
from generator.sample.writer import write_batch

DATA = resource("data")


@pytest.fixture(scope="module")
def definitions() -> Definitions:
    return read_definitions(DATA)


def committed(spec: BatchSpec) -> list[Run]:
    lines = (DATA / "batches" / spec.id / "runs.jsonl").read_bytes().splitlines()
    return [msgspec.json.decode(line, type=Run) for line in lines]


def head(spec: BatchSpec) -> Batch:
    name = f"batches/{spec.id}/batch.yaml"
    batch, findings = read_definition(name, (DATA / name).read_bytes(), Batch)
    assert findings == []
    assert batch is not None
    return batch


@pytest.mark.parametrize("spec", [spec for spec in SPECS if spec.token_budget], ids=lambda spec: spec.id)
def test_regenerating_gives_the_committed_bytes(spec: BatchSpec, definitions: Definitions) -> None:
    written = write_batch(spec, definitions)
    folder: Path = DATA / "batches" / spec.id
    assert written.runs == (folder / "runs.jsonl").read_bytes()
    assert written.head == (folder / "batch.yaml").read_bytes()


@pytest.mark.parametrize("spec", SPECS, ids=lambda spec: spec.id)
def test_every_planned_cell_is_a_run_or_a_skip(spec: BatchSpec, definitions: Definitions) -> None:
    batch, runs = head(spec), committed(spec)
    planned = batch.planned
    cells = [(c, v, r) for c in planned.cases for v in planned.variants for r in range(planned.repeats)]
    order = interleaved_order(cells, definitions.experiments[spec.experiment].schedule.seed)
    executed = [(run.case_id, run.variant, run.repeat_index) for run in runs]
    skipped = [(skip.case, skip.variant, skip.repeat_index) for skip in batch.skipped]
    assert executed + skipped == order
    assert [run.sequence for run in runs] == list(range(len(runs)))
    assert {skip.reason for skip in batch.skipped} <= {"token_budget"}


@pytest.mark.parametrize("spec", SPECS, ids=lambda spec: spec.id)
def test_every_variant_has_enough_planned_runs_and_the_batch_says_it_is_synthetic(
    spec: BatchSpec, definitions: Definitions
) -> None:
    batch = head(spec)
    is_comparison = definitions.experiments[spec.experiment].kind == "comparison"
    assert len(batch.planned.cases) * batch.planned.repeats >= (60 if is_comparison else 20)
    assert batch.synthetic


@pytest.mark.parametrize("spec", SPECS, ids=lambda spec: spec.id)
def test_one_configuration_a_variant_with_its_hash(spec: BatchSpec, definitions: Definitions) -> None:
    experiment = definitions.experiments[spec.experiment]
    seen: dict[str, set[str]] = {variant.id: set() for variant in experiment.variants}
    for run in committed(spec):
        assert run.config_hash == config_hash(run.config.effective)
        seen[run.variant].add(run.config_hash)
    assert all(len(hashes) == 1 for hashes in seen.values())
    assert len(set.union(*seen.values())) == len(seen)


def test_faults_of_every_kind_occur_somewhere() -> None:
    ends = Counter((run.state, run.reason) for spec in SPECS for run in committed(spec))
    assert {reason for state, reason in ends if state == "INVALID"} == {
        "rate_limited",
        "insufficient_balance",
        "model_unavailable",
        "context_build_failed",
        "artifact_write_failed",
    }
    assert ("CANCELLED", "manual_cancel") in ends
    assert {"max_steps_reached", "gave_up", "confirmation_timeout"} == {
        reason for state, reason in ends if state == "FAILED"
    }
    assert sum(ends.values()) > 1400


def test_requested_and_effective_differ_where_the_service_clamps() -> None:
    spec = next(spec for spec in SPECS if spec.requested_values)
    run = next(run for run in committed(spec) if run.variant == "t-1-0")
    assert run.config.requested["sampling"] == {"temperature": 1.3, "top_p": 0.95, "max_tokens": 1024}
    assert run.config.effective["sampling"] == {"temperature": 1.0, "top_p": 0.95, "max_tokens": 1024}


def test_private_values_are_marked_and_stay_out_of_everything_else() -> None:
    for spec in SPECS:
        for run in committed(spec):
            assert "CANARY" in str(run.private)
            public = msgspec.structs.replace(run, private=None)
            assert b"canary" not in msgspec.json.encode(public).lower()


KINDS = [spec for spec in SPECS if spec.id in ("mut-2026-11", "meta-2026-11")]


@pytest.mark.parametrize("spec", KINDS, ids=lambda spec: spec.id)
def test_regenerating_mutants_and_pairs_gives_the_committed_bytes(spec: BatchSpec, definitions: Definitions) -> None:
    written = write_batch(spec, definitions)
    folder: Path = DATA / "batches" / spec.id
    assert written.runs == (folder / "runs.jsonl").read_bytes()
    assert written.head == (folder / "batch.yaml").read_bytes()


def test_all_operators_and_families_are_in_the_sample(definitions: Definitions) -> None:
    variants = [variant for spec in KINDS for variant in definitions.experiments[spec.experiment].variants]
    operators = [variant.mutation.operator for variant in variants if variant.mutation is not None]
    assert sorted(operators) == sorted(get_args(Operator))
    assert {variant.relation.family for variant in variants if variant.relation is not None} == {*RELATION_FAMILIES}
    assert sum(len(committed(spec)) for spec in KINDS) == 400


def test_a_run_that_follows_has_the_case_and_the_decisions_of_its_source() -> None:
    runs = {run.run_id: run for run in committed(KINDS[1])}
    following = [run for run in runs.values() if run.source_run_id is not None]
    assert len(following) == 6 * 20
    for run in following:
        source = runs[run.source_run_id or ""]
        assert (source.variant, source.case_id, source.repeat_index) == ("source", run.case_id, run.repeat_index)
    # Noise changes decisions now and then; most answers stay what they were, letter by letter.
    noisy = [run for run in following if run.variant == "noise" and run.answer is not None]
    equal = sum(run.answer == runs[run.source_run_id or ""].answer for run in noisy)
    assert len(noisy) // 2 < equal < len(noisy)
