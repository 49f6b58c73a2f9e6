"""The metric table: the only place where a metric is named, defined, given a unit, a direction and a denominator."""

from typing import Literal

from generator.model.base import Definition, Text
from generator.model.kinds import Kind

MetricSource = Literal["code_assertion", "telemetry", "derived"]
Aggregate = Literal["proportion", "mean", "quantile", "count", "pass_hat", "derived", "evidence"]
Direction = Literal["higher", "lower", "neutral"]
Unit = Literal[
    "ratio",
    "turns",
    "tokens",
    "ms",
    "usd",
    "runs",
    "calls",
    "score",
    "items",
    "directions",
    "characters",
    "strata",
    "p",
    "times",
    "cases",
    "records",
    "assertions",
    "events",
    "tests",
    "bytes",
    "days",
]
Family = Literal["fingerprint"]
Boundary = Literal["one_call", "two_calls", "whole_run"]
"""What tokens, a time or a cost is accounted over."""
Counts = Literal[
    "run",
    "case",
    "assertion",
    "event",
    "tool_call",
    "step",
    "pair",
    "mutant",
    "tool",
    "path",
    "state",
    "boundary",
    "model",
    "dimension",
    "character",
]
"""What a ratio counts above and below its line."""
PAIRED = ("hotelling", "fidelity", "boundary_change", "box_margin")
"""Operations that compare a variant with the baseline; their numbers bear the name of a difference."""
OF_KIND: dict[str, Kind] = {"mutation_score": "mutation", "violation_rate": "metamorphic"}
"""Operations on all runs of a batch, and the kind of experiment that has their numbers."""
TIMES = ("time_strata_runs", "time_strata_calls", "time_within")
"""Operations on recorded times: strata of runs and of tool calls, and shares within a threshold."""
GATES = ("gate_failures", "waived_failures")
"""Operations on the waivers of a batch."""
ACCOUNTED = ("tokens_per_call", "boundary_change")
"""Operations on amounts within an accounting boundary."""
SCORED = (
    *("box_rmsl", "box_mean_score", "box_median_score", "box_spread", "box_inside_rate", "box_badness", "box_loss"),
)
"""Operations on what the box says of each run of one variant."""
LISTED = ("time_within", *GATES)
"""Operations whose numbers list their runs: those of the numerator, the rest of the denominator, those left out."""
OPERATIONS = (
    *PAIRED,
    *OF_KIND,
    "effective_dimension",
    *("order_drift", "identical_answers", "judge_agreement", "effective_runs"),
    *TIMES,
    *GATES,
    "tokens_per_call",
    *("runs_needed", "warm_start_runs", "against_earlier"),
    *("coverage_tools", "coverage_paths", "coverage_states", "coverage_boundaries", "coverage_models", "coverage"),
    *SCORED,
)
"""The closed list of what `derived` metrics may name."""

ON_FIGURES = (
    *("published_value", "published_sum", "published_ratio", "published_quotient"),
    *("relative_reduction", "relative_change"),
)
ON_TABLES = (
    *("table_observed", "table_missing", "table_zeros", "table_saturated", "table_missing_share"),
    *("table_mean", "table_deviation", "table_min", "table_max", "table_quantile"),
    *("table_share_observed", "table_share_low", "table_share_high"),
)
EVIDENCE_OPERATIONS = (*ON_FIGURES, *ON_TABLES, "evidence_difference")
"""The closed list of what metrics on aggregate evidence may name: on published figures, on frequency tables, and the
difference of two numbers that rest on the same evidence."""


class MeasurementContract(Definition, frozen=True, kw_only=True):
    """How a telemetry value came to be: what the number may and may not be read as."""

    unit_of_analysis: Text
    start_event: Text
    end_event: Text
    clock: Text
    reporting_authority: Text
    terminal_states: Text
    censoring: Text
    eligibility: Text
    revisions: Text
    independent_outcome_evidence: Text
    per_call_usage: Text
    grouping: Text


class Metric(Definition, frozen=True, kw_only=True):
    """One row of the metric table.

    `p` belongs to `quantile` and to the operation `table_quantile` (0–1), `k` to `pass_hat` (1 …), `operation` to
    `derived` and `evidence`. `decimals` are those of the
    displayed value: of the percentage for the unit `ratio`, of the value itself otherwise. `target` is the value that
    the metric must have, on its own scale. Metrics of a `family` are features of single runs: their means stand in the
    detail of the numbers that are derived from the family, and they have no numbers of their own.
    `saturates_at` is the value at which the recorder of a time ends: such a value was cut off.
    `counts` is the unit that a ratio counts; ratios of different units are not of one denominator.
    `boundary` is what tokens, a time or a cost is accounted over.
    """

    id: str
    name: Text
    definition: Text
    source: MetricSource
    unit: Unit
    direction: Direction
    aggregate: Aggregate
    numerator: Text
    denominator: Text
    decimals: int
    since: int
    not_applicable: Text | None = None
    p: float | None = None
    k: int | None = None
    operation: str | None = None
    target: float | None = None
    extension: bool = False
    contract: MeasurementContract | None = None
    family: Family | None = None
    saturates_at: float | None = None
    counts: Counts | None = None
    boundary: Boundary | None = None

    @property
    def is_judged(self) -> bool:
        """Whether every valid run has an assertion for it."""
        return self.source in ("code_assertion", "telemetry")

    @property
    def lists_runs(self) -> bool:
        """Whether the page of a number of one group lists the runs behind it, each with what it contributed."""
        return self.aggregate != "derived" or self.operation in (*LISTED, *SCORED)


class TableChange(Definition, frozen=True, kw_only=True):
    version: int
    date: str
    reason: Text


class MetricTable(Definition, frozen=True, kw_only=True):
    version: int
    changes: list[TableChange]
    metrics: list[Metric]

    def by_id(self) -> dict[str, Metric]:
        """Rows in their order, by id."""
        return {metric.id: metric for metric in self.metrics}

    def metric(self, metric_id: str) -> Metric:
        """The row of that id; KeyError if the table has none."""
        for metric in self.metrics:
            if metric.id == metric_id:
                return metric
        raise KeyError(metric_id)
