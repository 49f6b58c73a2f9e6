"""Numbers: a value with its metric, its run sets, its interval, its address."""

import datetime
import hashlib
from collections.abc import Iterable
from fractions import Fraction
from typing import Literal

import msgspec

from generator.model.base import Json, Text

ChangeWord = Literal["improved", "regressed", "unchanged", "up", "down", "incomparable"]


class Interval(msgspec.Struct, frozen=True, kw_only=True):
    """On the scale of the value. `method` is `wilson`, `clopper_pearson`, `newcombe` …; `level` in (0, 1)."""

    method: str
    level: float
    low: float
    high: float


class Counted(msgspec.Struct, frozen=True, kw_only=True):
    """A count and the run set behind it (null when the count is 0)."""

    count: int
    runset: str | None


class Verdict(msgspec.Struct, frozen=True, kw_only=True):
    """What a number decides, in three values.

    `method` is that of the interval (threshold: `wilson`, `clopper_pearson`) or of the test (regression: `fisher`).
    A threshold verdict has `theta` and `more_runs`: how many more runs would decide it at the present rate, null where
    no number would. A regression verdict has `delta`, `beta`, `p`, `p_adjusted` (Holm, over the `family` of
    `family_size` comparisons) and `power` (planned: of finding a drop of delta at alpha ÷ `family_size`); all three
    are null where a group is empty. `alpha` is two-sided for a threshold and one-sided for a regression. A relation
    verdict is that of a violation rate against `epsilon` + `delta`: `pass` if its interval lies at or below that,
    `fail` if wholly above.
    """

    kind: Literal["threshold", "regression", "relation"]
    outcome: Literal["pass", "fail", "inconclusive"]
    method: str
    alpha: float
    theta: float | None = None
    more_runs: int | None = None
    delta: float | None = None
    beta: float | None = None
    p: float | None = None
    p_adjusted: float | None = None
    power: float | None = None
    family: str | None = None
    family_size: int | None = None
    epsilon: float | None = None


class CaseTest(msgspec.Struct, frozen=True, kw_only=True):
    """A further look at the difference between two groups: a test with its one-sided `p`, or an interval.

    `mcnemar` pairs runs of the same case and repeat: `lost` were hits only under the baseline, `gained` only under the
    variant. `stratified` takes cases as strata. `cluster_bootstrap` draws whole cases (`replicates` times, from the
    stream that `seed` names) and has an interval. `cases` is how many cases both groups share.
    """

    method: Literal["mcnemar", "stratified", "cluster_bootstrap"]
    cases: int
    p: float | None = None
    lost: int | None = None
    gained: int | None = None
    interval: Interval | None = None
    seed: str | None = None
    replicates: int | None = None


class Sequential(msgspec.Struct, frozen=True, kw_only=True):
    """The recorded order of runs put through Wald's test of rate `theta` against `theta` − `delta`.

    It would have stopped after `stopped_at` of `recorded` runs (null: it had not decided by the end, and `outcome` is
    `continue`). `lower` and `upper` bound the log likelihood ratio, which ends at `ratio`. `expected_pass` and
    `expected_fail` are Wald's expected runs where the rate is `theta` and where it is `theta` − `delta`.
    """

    outcome: Literal["pass", "fail", "continue"]
    theta: float
    delta: float
    alpha: float
    beta: float
    lower: float
    upper: float
    ratio: float
    recorded: int
    stopped_at: int | None
    expected_pass: float
    expected_fail: float


class Restated(msgspec.Struct, frozen=True, kw_only=True):
    """What a number was until a restatement: its value and counts before `date`, and why they changed."""

    date: datetime.date
    old: int | float | None
    old_numerator: int | None
    old_denominator: int | None
    reason: Text


class Number(msgspec.Struct, frozen=True, kw_only=True):
    """See design section 6 for each field. `exact` is the exact value: it decides rounding and is not published.

    `detail` is what a derived number was made of; its shape is that of the metric's operation. That of a difference
    between ratios splits it into composition and rates, where categories have other weights in one group.
    """

    id: str
    batch: str
    experiment: str
    variant: str
    slice: str | None
    metric: str
    metric_version: int
    unit: str
    value: int | float | None
    numerator: int | None
    denominator: int | None
    runset: str | None
    numerator_runset: str | None
    excluded: dict[str, Counted]
    missing: Counted | None
    interval: Interval | None
    reason: str | None
    page: str
    compares: tuple[str, str] | None = None
    change: ChangeWord | None = None
    marks: tuple[str, ...] = ()
    evidence: str | None = None
    restated: tuple[Restated, ...] = ()
    verdict: Verdict | None = None
    tests: tuple[CaseTest, ...] = ()
    sequential: Sequential | None = None
    detail: dict[str, Json] | None = None
    exact: Fraction | None = None


def runset_name(run_ids: Iterable[str]) -> str:
    """`rs-` and the first 16 hex digits of the SHA-256 of the sorted ids joined by newlines.

    Ids sort by code point.
    """
    text = "\n".join(sorted(run_ids))
    return "rs-" + hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def publish_number(number: Number) -> dict[str, object]:
    """The JSON object of `api/v1/numbers/<batch>.json`."""
    data: dict[str, object] = msgspec.to_builtins(msgspec.structs.replace(number, exact=None))
    del data["exact"]
    return data
