"""The release decision: what was asked, under which policy, and what came out."""

from typing import Literal

import msgspec

from generator.model.base import Definition
from generator.model.numbers import Interval

ScenarioKind = Literal["category", "case", "whole"]
Outcome = Literal["pass", "fail", "inconclusive"]
Decision = Literal["deploy", "block", "human"]
Why = Literal[
    "at_threshold",
    "below_threshold",
    "around_threshold",
    "too_few_judged",
    "no_drop",
    "dropped",
    "drop_below_delta",
    "drop_within_family",
    "too_few_runs",
    "no_judged_run",
    "violations_tolerated",
    "violations_beyond",
    "violations_undecided",
]
"""Why a scenario has its outcome; `generator.decide.words` says each in words."""


class GateMetric(Definition, frozen=True, kw_only=True):
    """A ratio that the decision looks at. `theta` and `delta` are on its own scale and stand before the policy's; where
    lower is better, `theta` is the highest rate that passes, and `delta` the smallest rise that matters."""

    id: str
    theta: float | None = None
    delta: float | None = None


class GatePolicy(Definition, frozen=True, kw_only=True):
    """What a release must keep to. What is left out is that of `publication.yaml`; `metrics` that of the experiment.

    `scenario`: one verdict a category, a case, or for all runs of a variant. `min_coverage`: the coverage that a
    deployment needs; null: none is demanded. `min_runs`: with fewer judged runs no scenario passes or fails against
    theta. `max_trials`: so many judged runs of a scenario count. With
    `block_on_any_fail` off a failed scenario is for a human and blocks nothing. `changed`: paths of the configuration
    that may differ from the earlier batch, because the release changes them.
    """

    scenario: ScenarioKind = "category"
    metrics: list[GateMetric] = []
    alpha: float | None = None
    beta: float | None = None
    delta: float | None = None
    theta: float | None = None
    interval: Literal["wilson", "clopper_pearson"] | None = None
    min_coverage: float | None = 0.7
    min_runs: int | None = None
    max_trials: int | None = None
    block_on_any_fail: bool = True
    changed: list[str] = []


class GateRequest(msgspec.Struct, frozen=True, kw_only=True):
    """`variant`: None for all of the batch. `baseline`: an earlier batch, the batch itself (then its baseline variant
    is the baseline), or None (then every scenario is held against theta). `policy_file`: as findings name it."""

    batch: str
    variant: str | None = None
    baseline: str | None = None
    policy_file: str | None = None

    @property
    def is_within(self) -> bool:
        """Whether the baseline is a variant of the same batch."""
        return self.baseline == self.batch


class GateCounts(msgspec.Struct, frozen=True, kw_only=True):
    """`hits` of `n` counted runs; `judged` runs were there, and `excluded` are all others by reason. `interval` is that
    of the rate. `number` and `page`: where the site shows it, null where it has no such number. `missed`: the counted
    runs that speak against the variant; `waived`: those of them whose case the batch has waived, which count all the
    same."""

    batch: str
    variant: str
    hits: int
    n: int
    judged: int
    excluded: dict[str, int]
    value: float | None
    interval: Interval | None
    number: str | None
    page: str | None
    missed: list[str]
    waived: list[str]


class GateScenario(msgspec.Struct, frozen=True, kw_only=True):
    """A verdict on one scenario of one variant and metric.

    Against a threshold `theta` is given, and `more_runs`: how many more would decide at the present rate, null where no
    number would. A relation (metric `violation_rate`) counts violated pairs among pairs and has ε + δ as `theta`,
    with or without a baseline. Against a baseline there are `difference` (variant − baseline, on the metric's scale)
    with its interval, `delta`, `p` and `p_adjusted` (Holm over all scenarios of the decision), `p_by_case` (cases as
    strata; it decides nothing, and is null for one case and for very many runs), planned `power`, and `runs_needed`: in
    each group, for a pass without a drop.
    """

    id: str
    variant: str
    metric: str
    slice: str | None
    outcome: Outcome
    why: Why
    current: GateCounts
    baseline: GateCounts | None = None
    theta: float | None = None
    more_runs: int | None = None
    delta: float | None = None
    difference: float | None = None
    difference_interval: Interval | None = None
    p: float | None = None
    p_adjusted: float | None = None
    p_by_case: float | None = None
    power: float | None = None
    runs_needed: int | None = None


class GateBaseline(msgspec.Struct, frozen=True, kw_only=True):
    """`variant`: null where each variant is compared with itself in the earlier batch."""

    batch: str
    variant: str | None


class GateMeasure(msgspec.Struct, frozen=True, kw_only=True):
    """A metric of the decision, with `theta` or `delta`, whichever was used."""

    id: str
    theta: float | None
    delta: float | None


class GateLevels(msgspec.Struct, frozen=True, kw_only=True):
    """The levels in force. `family_size`: so many comparisons are corrected together, 0 against a threshold."""

    scenario: ScenarioKind
    metrics: list[GateMeasure]
    alpha: float
    beta: float
    interval: Literal["wilson", "clopper_pearson"]
    min_coverage: float | None
    min_runs: int
    max_trials: int | None
    block_on_any_fail: bool
    family_size: int


class GateCoverage(msgspec.Struct, frozen=True, kw_only=True):
    """The coverage of a variant; null where it is not known."""

    variant: str
    value: float | None


class GateReport(msgspec.Struct, frozen=True, kw_only=True):
    """What `runcite gate --format json` prints.

    `suite` is the verdict of all scenarios together. `reasons` say what led to the decision, `notes` what else a reader
    must know. `not_applicable`: scenarios of which every valid run says that the metric does not apply.
    """

    generator_version: str
    source_hash: str
    batch: str
    experiment: str
    variants: list[str]
    baseline: GateBaseline | None
    levels: GateLevels
    decision: Decision
    exit_code: int
    suite: Outcome
    coverage: list[GateCoverage]
    reasons: list[str]
    notes: list[str]
    scenarios: list[GateScenario]
    not_applicable: list[str]
    address: str | None
