"""Where the planned runs of a variant went."""

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from generator.aggregate.table import NOT_GIVEN, Positions, RunTable
from generator.model.batches import Batch
from generator.model.report import Accounting
from generator.model.rows import RunRow


@dataclass(frozen=True, slots=True)
class Count:
    """An accounting count: its value, and which runs it counts (None where it counts cells, not runs)."""

    value: Callable[[Accounting], int]
    counts: Callable[[RunRow], bool] | None


COUNTS: dict[str, Count] = {
    "runs_planned": Count(lambda account: account.planned, None),
    "runs_valid": Count(lambda account: account.valid, lambda row: row.validity == "valid"),
    "runs_complete": Count(lambda account: account.complete, lambda row: row.state == "COMPLETE"),
    "runs_failed": Count(lambda account: account.failed, lambda row: row.state == "FAILED"),
    "runs_invalid": Count(lambda account: sum(account.invalid.values()), lambda row: row.validity == "invalid"),
    "runs_cancelled": Count(lambda account: sum(account.cancelled.values()), lambda row: row.validity == "cancelled"),
    "runs_skipped": Count(lambda account: sum(account.skipped.values()), None),
}
"""Metric id → count. The metric table may name no other."""


def account(batch: Batch, variant: str, table: RunTable) -> Accounting:
    """The account of one variant; reasons in the order of their codes."""
    rows = [row for row in table.rows if row.variant == variant]
    complete = sum(row.state == "COMPLETE" for row in rows)
    failed = sum(row.state == "FAILED" for row in rows)
    planned = len(batch.planned.cases) * batch.planned.repeats if variant in batch.planned.variants else 0
    return Accounting(
        planned=planned,
        complete=complete,
        failed=failed,
        valid=complete + failed,
        invalid=_by_reason(row.reason for row in rows if row.validity == "invalid"),
        cancelled=_by_reason(row.reason for row in rows if row.validity == "cancelled"),
        skipped=_by_reason(skip.reason for skip in batch.skipped if skip.variant == variant),
    )


def counted_runs(count: Count, variant: str, table: RunTable) -> Positions | None:
    """The runs behind a count; None where it counts cells."""
    if count.counts is None:
        return None
    counts = count.counts
    return table.select([row.variant == variant and counts(row) for row in table.rows])


def _by_reason(reasons: Iterable[str | None]) -> dict[str, int]:
    counts = Counter(reason or NOT_GIVEN for reason in reasons)
    return {reason: counts[reason] for reason in sorted(counts)}
