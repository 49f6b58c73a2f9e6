"""Run sets: sorted run ids, stored once, named by their content."""

from generator.aggregate.table import Positions, RunTable
from generator.model.numbers import Counted, runset_name


class RunSets:
    """Collects the sets that numbers rest on."""

    def __init__(self, table: RunTable) -> None:
        self._ids = [row.run_id for row in table.rows]
        self._names: dict[bytes, str] = {}
        self.by_name: dict[str, tuple[str, ...]] = {}

    def name(self, positions: Positions) -> str | None:
        """The name of a set, which is kept; None for the empty one."""
        if not len(positions):
            return None
        key = positions.tobytes()
        known = self._names.get(key)
        if known is None:
            ids = tuple(self._ids[position] for position in positions)
            known = self._names[key] = runset_name(ids)
            self.by_name[known] = ids
        return known

    def counted(self, positions: Positions) -> Counted:
        return Counted(count=len(positions), runset=self.name(positions))
