"""What an evidence page knows of other runs."""

import pickle

import msgspec

from generator.model.report import BatchReport
from generator.views.evidence import REPEATS_SHOWN, make_contexts
from tests.render.sample import sample


def test_numbers_are_exactly_those_whose_run_set_holds_the_run() -> None:
    batch, index = sample().batch, sample().index
    for row in batch.rows:
        expected = [
            number.id
            for number in batch.numbers.values()
            if number.runset is not None and row.run_id in batch.runsets[number.runset]
        ]
        assert [number.id for number in index.context(row.run_id).numbers] == expected


def test_runs_with_the_same_numbers_share_a_signature() -> None:
    index = sample().index
    lists = {index.context(run_id).signature: index.context(run_id).numbers for run_id in index.order}
    assert len(set(map(tuple, index.number_lists))) == len(index.number_lists) == len(lists)


def test_neighbours_in_executed_order() -> None:
    rows = sorted(sample().batch.rows, key=lambda row: row.sequence)
    contexts = [sample().index.context(row.run_id) for row in rows]
    assert [context.previous for context in contexts] == [None, *(row.run_id for row in rows[:-1])]
    assert [context.next for context in contexts] == [*(row.run_id for row in rows[1:]), None]


def test_same_case_holds_all_variants_and_repeats_with_the_outcome_of_the_pass_metric() -> None:
    run_id = sample().run_of("safety-01", "full", 1)
    same = sample().index.context(run_id).same_case
    assert same.variants == ("full", "budgeted")
    assert (same.first, same.count, same.total) == (0, 4, 4)
    outcomes = {cell: run.outcome for cell, run in same.runs.items()}
    assert outcomes == {
        ("full", 0): "hit",
        ("full", 1): "miss",
        ("full", 2): "hit",
        ("full", 3): None,
        ("budgeted", 0): "hit",
        ("budgeted", 1): "hit",
        ("budgeted", 2): "hit",
    }
    assert same.runs["full", 3].state == "CANCELLED"


def test_many_repeats_are_shown_block_by_block() -> None:
    """So that the pages of a case with n repeats do not hold n × n cells."""
    batch = sample().batch
    first = batch.rows[0]
    rows = [
        msgspec.structs.replace(first, run_id=f"r{repeat:03}", repeat_index=repeat)
        for repeat in range(REPEATS_SHOWN * 2 + 5)
    ]
    many = BatchReport(
        batch=batch.batch,
        experiment=batch.experiment,
        rows=rows,
        numbers={},
        runsets={},
        accounting={},
        configs=[],
    )
    index = make_contexts(many)
    same = index.context(f"r{REPEATS_SHOWN * 2 + 1:03}").same_case
    assert (same.first, same.count, same.total) == (REPEATS_SHOWN * 2, 5, REPEATS_SHOWN * 2 + 5)
    assert index.context("r000").same_case is index.context("r001").same_case


def test_an_index_travels_to_a_worker() -> None:
    index = pickle.loads(pickle.dumps(sample().index))
    run_id = index.order[3]
    assert index.context(run_id) == sample().index.context(run_id)
