"""The run table as a pandas frame: how each run stands for each metric, and the partition of every group."""

from collections.abc import Iterable, Sequence
from typing import Literal, cast

import numpy as np
import numpy.typing as npt
import pandas as pd

from generator.model.rows import RunRow

Positions = npt.NDArray[np.intp]
"""Places in the table, ascending. The table is in the order of run ids, so they stand for a sorted run set."""

Partition = dict[str, Positions]
"""Standing → runs. Every run of the group is in exactly one part, whatever the metric."""

By = Literal["whole", "category", "case", "stratum"]
Group = tuple[str, str]
"""Variant, and id within the slicing (empty for the whole group)."""

NONE: Positions = np.empty(0, dtype=np.intp)
NOT_GIVEN = "not_given"


def standing(row: RunRow, metric: str) -> str:
    """What a run is to a metric: `hit`, `miss`, `value`, `missing` (valid, but without a record), or the key under
    which it is excluded (`invalid:…`, `cancelled:…`, `not_applicable:…`)."""
    if row.validity != "valid":
        return f"{row.validity}:{row.reason or NOT_GIVEN}"
    judged = row.assertions.get(metric)
    if judged is None:
        raise ValueError(f"run {row.run_id} is valid and has no assertion for {metric}")
    if judged.outcome == "not_applicable":
        return f"not_applicable:{judged.reason or NOT_GIVEN}"
    if judged.outcome == "value":
        return "missing" if judged.value is None else "value"
    return judged.outcome


class RunTable:
    """All runs of a batch in the order of their ids, with one integer column for everything they are grouped by."""

    def __init__(self, rows: Iterable[RunRow]) -> None:
        self.rows = sorted(rows, key=lambda row: row.run_id)
        self._labels: dict[str, list[str]] = {}
        self._frame = pd.DataFrame(index=pd.RangeIndex(len(self.rows)))
        self._add("variant", [row.variant for row in self.rows])
        self._add("whole", [""] * len(self.rows))
        self._add("category", [row.category for row in self.rows])
        self._add("case", [row.case_id for row in self.rows])
        self._add("stratum", [row.time_stratum for row in self.rows])
        self._groups: dict[tuple[str, By], dict[Group, Partition]] = {}

    def partitions(self, metric: str, by: By = "whole") -> dict[Group, Partition]:
        """The partition of every group that has a run, for one metric."""
        found = self._groups.get((metric, by))
        if found is None:
            found = self._groups[metric, by] = self._partitions(metric, by)
        return found

    def values(self, metric: str, positions: Positions) -> list[int | float]:
        """The telemetry values of runs that stand as `value`."""
        records = (self.rows[position].assertions[metric].value for position in positions)
        return [value for value in records if value is not None]

    def select(self, condition: Sequence[bool]) -> Positions:
        """The runs for which `condition`, one truth value a row, holds."""
        return np.flatnonzero(np.asarray(condition, dtype=bool))

    def _partitions(self, metric: str, by: By) -> dict[Group, Partition]:
        column = f"metric {metric}"
        if column not in self._labels:
            self._add(column, [standing(row, metric) for row in self.rows])
        variants, slices, standings = (self._labels[name] for name in ("variant", by, column))
        # One combined key: grouping by it is several times faster than by three columns.
        key = (self._frame["variant"] * len(slices) + self._frame[by]) * len(standings) + self._frame[column]
        indices = cast("dict[int, Positions]", key.groupby(key).indices)
        groups: dict[Group, Partition] = {}
        for code, positions in indices.items():
            group, stands = divmod(int(code), len(standings))
            variant, slice_ = divmod(group, len(slices))
            groups.setdefault((variants[variant], slices[slice_]), {})[standings[stands]] = positions
        return groups

    def _add(self, column: str, values: list[str]) -> None:
        # Codes, not texts: a string column would refuse ids with lone surrogates, and integers group faster.
        codes, labels = pd.factorize(np.array(values, dtype=object))
        self._frame[column] = codes
        self._labels[column] = [str(label) for label in labels]
