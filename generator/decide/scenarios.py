"""The scenarios of a decision, and the runs that count in each."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from generator.model.addresses import slice_name
from generator.model.cases import CaseBank
from generator.model.gate import ScenarioKind
from generator.model.metrics import Metric
from generator.model.report import BatchReport
from generator.model.rows import RunRow


@dataclass(frozen=True, slots=True)
class Scenario:
    """A part of the case bank. `slice`: as addresses name it, None for all cases; `label`: as a person reads it."""

    slice: str | None
    label: str
    cases: frozenset[str]


@dataclass(frozen=True)
class Group:
    """The runs of one variant in one scenario, as they stand to one metric.

    `judged`: those with a hit or a miss, each with whether it speaks for the variant, first to count first. `applies`:
    whether anything but "not applicable" was said, or could not be said because no run was valid.
    """

    report: BatchReport
    variant: str
    metric: Metric
    scenario: Scenario
    judged: Sequence[tuple[RunRow, bool]]
    applies: bool
    cap: int | None = None

    @property
    def counted(self) -> Sequence[tuple[RunRow, bool]]:
        return self.judged[: self.cap]

    @property
    def n(self) -> int:
        return len(self.counted)

    @property
    def good(self) -> int:
        """Hits where higher is better, misses where lower is."""
        return sum(good for _, good in self.counted)

    @property
    def hits(self) -> int:
        return self.good if self.metric.direction == "higher" else self.n - self.good

    def of_case(self, case: str) -> tuple[int, int]:
        """Good runs and runs of one case."""
        own = [good for row, good in self.counted if row.case_id == case]
        return sum(own), len(own)


def make_scenarios(kind: ScenarioKind, report: BatchReport, bank: CaseBank) -> list[Scenario]:
    """The planned cases, together or apart; categories in the order of the bank."""
    planned = report.batch.planned.cases
    if kind == "whole":
        return [Scenario(None, "all cases", frozenset(planned))]
    if kind == "case":
        return [Scenario(slice_name("case", case), f"case {case}", frozenset([case])) for case in planned]
    category_of = {case.id: case.category for case in bank.cases}
    parts = {
        category.id: frozenset(case for case in planned if category_of.get(case) == category.id)
        for category in bank.categories
    }
    return [
        Scenario(slice_name("category", category), f"category {category}", cases)
        for category, cases in parts.items()
        if cases
    ]


def make_group(report: BatchReport, variant: str, metric: Metric, scenario: Scenario, cap: int | None = None) -> Group:
    """The first repeats of all cases count before the second, so that a cap leaves no case out."""
    rows = [row for row in report.rows if row.variant == variant and row.case_id in scenario.cases]
    judged = sorted(_judged(rows, metric), key=lambda entry: (entry[0].repeat_index, entry[0].sequence))
    valid = [row for row in rows if row.validity == "valid"]
    return Group(report, variant, metric, scenario, judged, bool(judged) or not valid, cap)


def _judged(rows: Iterable[RunRow], metric: Metric) -> Iterator[tuple[RunRow, bool]]:
    for row in rows:
        said = row.assertions.get(metric.id)
        if row.validity == "valid" and said is not None and said.outcome in ("hit", "miss"):
            yield row, (said.outcome == "hit") == (metric.direction == "higher")
