"""The scenarios of a decision, and the runs that count in each."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from generator.model.addresses import slice_name
from generator.model.cases import CaseBank
from generator.model.gate import ScenarioKind
from generator.model.metrics import Metric
from generator.model.report import BatchReport
from generator.model.rows import RunRow

RunsByCell = Mapping[tuple[str, str], Sequence[RunRow]]

NOT_GIVEN = "not_given"
INAPPLICABLE = frozenset(
    f"not_applicable:{reason}"
    for reason in (
        "authorized",
        "no_call_relation",
        "no_expected_tools",
        "no_key_facts",
        "no_policy",
        "no_required_items",
        "no_stale_facts",
        "no_untrusted_entries",
        "nothing_restricted",
    )
)
"""Nothing was asked of these runs. Under any other reason something was, and the record does not say what came out."""


@dataclass(frozen=True, slots=True)
class Scenario:
    """A part of the case bank. `slice`: as addresses name it, None for all cases; `label`: as a person reads it."""

    slice: str | None
    label: str
    cases: frozenset[str]


@dataclass(frozen=True)
class Group:
    """The runs of one variant in one scenario, as they stand to one metric.

    `judged`: those with a hit or a miss, each with whether it speaks for the variant, first to count first. `excluded`:
    the others, by the keys of a number. `applies`: whether the metric has anything to say here; where no run is valid,
    or a record is not enough, it may have.
    """

    report: BatchReport
    variant: str
    metric: Metric
    scenario: Scenario
    judged: Sequence[tuple[RunRow, bool]]
    excluded: dict[str, int]
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

    def by_case(self) -> dict[str, tuple[int, int]]:
        """Good runs and runs of each case; a case without one is (0, 0)."""
        counts = dict.fromkeys(self.scenario.cases, (0, 0))
        for row, good in self.counted:
            before = counts[row.case_id]
            counts[row.case_id] = before[0] + good, before[1] + 1
        return counts


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


def runs_by_cell(report: BatchReport) -> RunsByCell:
    """The runs of each variant and case."""
    runs: dict[tuple[str, str], list[RunRow]] = defaultdict(list)
    for row in report.rows:
        runs[row.variant, row.case_id].append(row)
    return runs


def make_group(
    report: BatchReport, runs: RunsByCell, variant: str, metric: Metric, scenario: Scenario, cap: int | None = None
) -> Group:
    """The first repeats of all cases count before the second, so that a cap leaves no case out."""
    rows = [row for case in scenario.cases for row in runs.get((variant, case), ())]
    judged = sorted(_judged(rows, metric), key=lambda entry: (entry[0].repeat_index, entry[0].sequence))
    excluded = Counter(key for row in rows if (key := _exclusion(row, metric)) is not None)
    said = {key for key in excluded if key.startswith("not_applicable:")}
    applies = bool(judged) or not said or not said <= INAPPLICABLE
    return Group(report, variant, metric, scenario, judged, dict(sorted(excluded.items())), applies, cap)


def _exclusion(row: RunRow, metric: Metric) -> str | None:
    if row.validity != "valid":
        return f"{row.validity}:{row.reason or NOT_GIVEN}"
    said = row.assertions[metric.id]
    return f"not_applicable:{said.reason or NOT_GIVEN}" if said.outcome == "not_applicable" else None


def _judged(rows: Iterable[RunRow], metric: Metric) -> Iterator[tuple[RunRow, bool]]:
    for row in rows:
        said = row.assertions.get(metric.id)
        if said is not None and said.outcome in ("hit", "miss"):
            yield row, (said.outcome == "hit") == (metric.direction == "higher")
