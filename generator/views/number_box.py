"""The runs behind a number of the box, each with what it contributed."""

from collections.abc import Iterator, Mapping, Sequence

from generator.model.box import INSIDE, BoxedRun, judged_of
from generator.model.formatting import exact
from generator.model.metrics import Metric
from generator.model.numbers import Number
from generator.model.profiles import Profile
from generator.model.rows import Judged, RunRow

Part = tuple[str, bool, list[tuple[str, Judged]]]
"""Name, whether its runs are counted, and the runs."""


def boxed_parts(
    number: Number,
    metric: Metric,
    runs: tuple[Sequence[RunRow], Sequence[RunRow]],
    boxed: Mapping[str, BoxedRun],
    profile: Profile,
) -> Iterator[Part]:
    """Runs inside and outside, or all that have a score, the worst first; and those without one. `runs` are those that
    the number counts, and those that it misses."""
    operation = metric.operation or ""
    counted, missing = ([row.run_id for row in rows] for rows in runs)
    judged = {run: judged_of(number, operation, boxed[run], profile) for run in (*counted, *missing)}
    if operation == INSIDE:
        for name, outcome in (("numerator", "hit"), ("misses", "miss")):
            yield name, True, [(run, judged[run]) for run in counted if judged[run].outcome == outcome]
    else:
        worst = sorted(counted, key=lambda run: (-exact(judged[run].value or 0), run))
        yield "denominator", True, [(run, judged[run]) for run in worst]
    yield "missing", False, [(run, judged[run]) for run in missing]
