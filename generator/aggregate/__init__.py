"""Assertions → numbers with their run sets. The only place where a number is made."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from generator.model.batches import Batch
    from generator.model.report import BatchReport
    from generator.model.rows import ConfigSeen, RunRow
    from generator.model.source import Source


def aggregate_batch(
    source: "Source",
    batch: "Batch",
    rows: "Sequence[RunRow]",
    configs: "Sequence[ConfigSeen]",
    published: "Sequence[BatchReport]" = (),
) -> "BatchReport":
    """All numbers of a batch.

    Parameters
    ----------
    source : Source
        Gives the metric table, the experiment, the order of categories, thresholds and levels.
    batch : Batch
    rows : list of RunRow
        Every run of the batch, in any order.
    configs : list of ConfigSeen
        The effective configurations that occur in it, in any order.
    published : list of BatchReport
        The batches that were published before, oldest first: plans and comparisons with earlier batches rest on them.

    Returns
    -------
    BatchReport, the same for every order of the input.

    Raises
    ------
    KeyError
        The experiment is not in the source.
    ValueError
        A valid run lacks an assertion that the metric table demands, or the table names a count or an operation that
        has no code. Validation refuses such input before.
    """
    # pandas takes a good part of a second to load: only who aggregates pays for it.
    from generator.aggregate.batch import make_report

    return make_report(source, batch, rows, configs, published)
