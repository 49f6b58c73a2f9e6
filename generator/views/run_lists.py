"""Static lists of runs, by batch and variant."""

from collections.abc import Iterator

import msgspec

from generator.model.addresses import run_list_page
from generator.model.metrics import Metric
from generator.model.report import BatchReport
from generator.model.rows import Judged, RunRow

RUNS_A_PAGE = 300


class ListedRun(msgspec.Struct, frozen=True):
    """A run and the outcome of the pass metric, None where it was not judged."""

    row: RunRow
    judged: Judged | None


class RunListView(msgspec.Struct, frozen=True, kw_only=True):
    """One page of the runs of a variant, in executed order. `paths` are the addresses of all its pages; `others` those
    of the first pages of the other variants."""

    batch: BatchReport
    variant: str
    page: int
    paths: tuple[str, ...]
    runs: tuple[ListedRun, ...]
    others: tuple[tuple[str, str], ...]
    pass_metric: Metric

    @property
    def path(self) -> str:
        return self.paths[self.page - 1]


def run_list_views(batch: BatchReport, pass_metric: Metric) -> Iterator[RunListView]:
    """Every page of every planned variant, one at least, baseline first."""
    planned = set(batch.batch.planned.variants)
    variants = [variant.id for variant in batch.experiment.ordered_variants if variant.id in planned]
    by_variant: dict[str, list[RunRow]] = {variant: [] for variant in variants}
    for row in batch.rows:
        by_variant[row.variant].append(row)
    first = {variant: run_list_page(batch.batch.id, variant, 1) for variant in variants}
    for variant, rows in by_variant.items():
        count = max(1, -(-len(rows) // RUNS_A_PAGE))
        paths = tuple(run_list_page(batch.batch.id, variant, place) for place in range(1, count + 1))
        others = tuple((other, path) for other, path in first.items() if other != variant)
        for page in range(1, count + 1):
            shown = rows[(page - 1) * RUNS_A_PAGE : page * RUNS_A_PAGE]
            yield RunListView(
                batch=batch,
                variant=variant,
                page=page,
                paths=paths,
                runs=tuple(ListedRun(row, row.assertions.get(pass_metric.id)) for row in shown),
                others=others,
                pass_metric=pass_metric,
            )
