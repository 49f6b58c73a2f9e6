"""Runs against the box profile in force: each run's losses and score, and the numbers of each variant."""

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import fsum, log1p

from generator.aggregate.made import Detail, Made
from generator.aggregate.measures import MARKS, make_interval
from generator.model.box import BADNESS, INSIDE, LOSS, BoxedRun, FactorOfRun
from generator.model.formatting import exact, published_float
from generator.model.numbers import Interval
from generator.model.profiles import RECORDED_COLUMNS, TIME_COLUMNS, Factor, Profile
from generator.model.rows import RunRow
from generator.stats.box import BoxFactor, BoxScore, box_score
from generator.stats.box_margin import Margin, box_margin
from generator.stats.proportions import INTERVALS, IntervalMethod
from generator.stats.rms_loss import CaseLogs, RmsLoss, rms_loss, rmsl_interval
from generator.stats.summary import is_saturated

BEYOND_RANGE, NO_RUN_SCORED = "beyond_range", "no_run_scored"
_OF_TOKENS = ("total_tokens", "avg_tokens")
MOST_DRAWN_CASES = 500
"""Beyond them drawing takes seconds, and is left out."""
_LARGEST_STEP = 10**70
"""k·(x − 1) up to here leaves room for squares of squares in a double; beyond it nothing is compared any more."""


@dataclass(frozen=True)
class Boxed:
    """A run against the profile. `missing` holds the factors without a value, and why: then `made`, which takes them
    to be at their limits, is the score of no run, and only its other factors are of use."""

    row: RunRow
    made: BoxScore
    values: Mapping[str, int | float]
    missing: Mapping[str, str]


class Box:
    """The valid runs of a batch against a profile, by variant, in the order of their ids. `time_caps` are values, ms,
    at which a record of time ends."""

    def __init__(
        self, profile: Profile, runs: Mapping[str, Sequence[RunRow]], time_caps: Collection[float] = ()
    ) -> None:
        self.profile = profile
        self._time_caps = time_caps
        self._boxed = {variant: [_boxed(profile, row) for row in rows] for variant, rows in runs.items()}

    def of_runs(self) -> dict[str, BoxedRun]:
        """What the profile says of each run, as pages show it."""
        return {entry.row.run_id: _shown(entry) for boxed in self._boxed.values() for entry in boxed}

    def summary(self, variant: str, value: Callable[[RmsLoss], float]) -> Made:
        """A number on the scores of a variant."""
        scored = self._scored(variant)
        found = rms_loss(score.score for _, score in scored)
        made = None if found is None else exact(published_float(value(found)))
        return self._made(made, scored, self._why_none(variant), self._detail(variant))

    def inside_rate(self, variant: str, level: float, method: IntervalMethod) -> Made:
        scored = self._scored(variant)
        inside = tuple(row for row, score in scored if score.inside)
        n = len(scored)
        ends = INTERVALS[method](len(inside), n, level)
        # Rounded as published: a run exactly at every limit is not below 1 by the last bit of a float.
        below = [(row, score) for row, score in scored if published_float(score.score) < 1]
        detail = self._detail(variant) | {
            "below_one": len(below),
            "below_one_outside": sum(not score.inside for _, score in below),
        }
        return Made(
            value=Fraction(len(inside), n) if n else None,
            counted=_rows(scored),
            reason=self._why_none(variant),
            detail=detail,
            hits=inside,
            interval=None if ends is None else make_interval(method, level, ends),
            marks=self._marks(_rows(scored)),
        )

    def factor_mean(self, variant: str, operation: str, name: str) -> Made:
        """Mean badness, exactly, or mean loss of one factor, over the runs that have a score."""
        scored = self._scored(variant)
        found = [score.factors[name] for _, score in scored]
        values = [part.x if operation == BADNESS else Fraction(part.loss) for part in found]
        mean = sum(values, Fraction(0)) / len(values) if values else None
        if operation == LOSS and mean is not None:
            mean = exact(published_float(mean))
        detail = self._detail(variant) | {"outside": sum(not part.inside for part in found)}
        return self._made(mean, scored, self._why_none(variant), detail, name)

    def of_variant(
        self, variant: str, operation: str, level: float, method: IntervalMethod
    ) -> Iterator[tuple[str | None, Made]]:
        """The numbers of a variant that an operation makes: factor (None for the whole group), and what it is."""
        if operation in SUMMARIES:
            yield None, self.summary(variant, SUMMARIES[operation])
        elif operation == INSIDE:
            yield None, self.inside_rate(variant, level, method)
        else:
            for factor in self.profile.factors:
                yield factor.name, self.factor_mean(variant, operation, factor.name)

    def margin(self, own: str, base: str) -> Made:
        """How far a parameter can move before both change places."""
        sides = [self._scored(side) for side in (own, base)]
        counted = [*sides[0], *sides[1]]
        detail: Detail = {"profile": self.profile.stamp}
        if not all(sides):
            return self._made(None, counted, self._why_none(own) or self._why_none(base), detail)
        runs = [[[float(score.factors[f.name].x) for f in self.profile.factors] for _, score in side] for side in sides]
        found = box_margin(runs[0], runs[1], [*_factors(self.profile).values()], self.profile.method)
        if found is None:
            return self._made(None, counted, "no_order", detail)
        reason = "order_holds" if found.ratio is None else None
        value = None if found.ratio is None else exact(published_float(found.ratio))
        return self._made(value, counted, reason, detail | {"factors": self._turns(found)})

    def _made(
        self,
        value: Fraction | None,
        scored: Sequence[tuple[RunRow, BoxScore]],
        reason: str | None,
        detail: Detail,
        factor: str | None = None,
    ) -> Made:
        counted = _rows(scored)
        return Made(value, counted, reason, detail, marks=self._marks(counted, factor))

    def _marks(self, runs: Sequence[RunRow], of: str | None = None) -> tuple[str, ...]:
        """What some run gives to a number that rests on it, where a factor is what the mark is about; of one factor
        alone, where the number is."""
        columns = {factor.column for factor in self.profile.factors if of in (None, factor.name)}
        borne = {
            "estimated": bool(columns.intersection(_OF_TOKENS)) and any(row.estimated_tokens for row in runs),
            "cached": any(row.cached for row in runs),
            "censored": bool(columns.intersection(TIME_COLUMNS)) and any(map(self._is_cut, runs)),
        }
        return tuple(mark for mark in MARKS if borne.get(mark))

    def _is_cut(self, row: RunRow) -> bool:
        """Whether the duration may be a larger one: its harness says so, or it is where a record ends."""
        value = row.recorded.duration_ms
        return row.censored != "none" or (value is not None and is_saturated(value, self._time_caps))

    def rmsl_interval(self, own: str, base: str, seed: str, level: float) -> Interval | None:
        """Of the difference of both, by drawing whole cases; None where they do not have scores of the same cases, for
        the drawn difference would be another one."""
        sides = [self._squares(side) for side in (base, own)]
        shared = sorted(sides[0])
        if sides[0].keys() != sides[1].keys() or len(shared) > MOST_DRAWN_CASES:
            return None
        found = rmsl_interval([CaseLogs(*sides[0][case], *sides[1][case]) for case in shared], seed, exact(level))
        return None if found is None else make_interval("cluster_bootstrap", level, (found.low, found.high))

    def _squares(self, variant: str) -> dict[str, tuple[float, int]]:
        """Of each case the sum of the squared log scores, and how many."""
        logs: dict[str, list[float]] = defaultdict(list)
        for row, score in self._scored(variant):
            logs[row.case_id].append(log1p(score.score) ** 2)
        return {case: (fsum(squares), len(squares)) for case, squares in logs.items()}

    def _turns(self, found: Margin) -> Detail:
        parts = ("tau_down", "tau_up", "lambda_down", "lambda_up")
        return {
            factor.name: {part: _published(getattr(turns, part)) for part in parts}
            for factor, turns in zip(self.profile.factors, found.turns, strict=True)
        }

    def _scored(self, variant: str) -> list[tuple[RunRow, BoxScore]]:
        return [(entry.row, entry.made) for entry in self._boxed[variant] if not entry.missing]

    def _why_none(self, variant: str) -> str | None:
        if self._scored(variant):
            return None
        return NO_RUN_SCORED if self._boxed[variant] else "no_valid_runs"

    def _detail(self, variant: str) -> Detail:
        """The profile, and how many runs lack each factor; a run may lack several."""
        lacking = Counter(name for entry in self._boxed[variant] for name in entry.missing)
        names = (factor.name for factor in self.profile.factors)
        return {
            "profile": self.profile.stamp,
            "lacking": {name: {"runs": lacking[name]} for name in names if lacking[name]},
        }


SUMMARIES: dict[str, Callable[[RmsLoss], float]] = {
    "box_rmsl": lambda found: found.rmsl,
    "box_mean_score": lambda found: found.mean,
    "box_median_score": lambda found: found.median,
    "box_spread": lambda found: found.log1p_std,
}


def _factors(profile: Profile) -> dict[str, BoxFactor]:
    return {f.name: BoxFactor(f.direction, f.tau, f.k, f.weight) for f in profile.factors}


def _boxed(profile: Profile, row: RunRow) -> Boxed:
    values: dict[str, int | float] = {}
    missing: dict[str, str] = {}
    for factor in profile.factors:
        value, reason = _value(factor, row)
        if value is None or _is_beyond(factor, value):
            missing[factor.name] = reason if value is None else BEYOND_RANGE
        else:
            values[factor.name] = value
    # Every factor's share of the weights is the same whether the others have a value or not.
    filled = {factor.name: values.get(factor.name, factor.tau) for factor in profile.factors}
    return Boxed(row, box_score(_factors(profile), filled, profile.method), values, missing)


def _value(factor: Factor, row: RunRow) -> tuple[int | float | None, str]:
    """A factor's value, and why there is none."""
    recorded, column = row.recorded, factor.column
    if column == "turns":
        turns = row.assertions.get("avg_turns")
        return None if turns is None else turns.value, RECORDED_COLUMNS[column]
    of_columns = {"cost_usd": recorded.cost_usd, "duration_ms": recorded.duration_ms, "total_tokens": recorded.tokens}
    if column in of_columns:
        return of_columns[column], RECORDED_COLUMNS[column]
    judged = row.assertions.get(column)
    if judged is None or judged.outcome == "not_applicable":
        return None, (judged and judged.reason) or "not_given"
    if judged.outcome == "value":
        return judged.value, judged.reason or "not_given"
    return int(judged.outcome == "hit"), ""


def _is_beyond(factor: Factor, value: int | float) -> bool:
    v, tau = exact(value), exact(factor.tau)
    x = v / tau if factor.direction == "lower" else (1 - v) / (1 - tau)
    return x < 0 or x > _LARGEST_STEP or exact(factor.k) * (x - 1) > _LARGEST_STEP


def _shown(entry: Boxed) -> BoxedRun:
    parts = {
        name: FactorOfRun(
            value,
            published_float(part.x),
            published_float(part.loss),
            published_float(part.weighted_loss),
            part.inside,
        )
        for name, value in entry.values.items()
        for part in (entry.made.factors[name],)
    }
    is_whole = not entry.missing
    score, inside = (published_float(entry.made.score), entry.made.inside) if is_whole else (None, None)
    return BoxedRun(parts, dict(entry.missing), score, inside)


def _rows(scored: Iterable[tuple[RunRow, BoxScore]]) -> tuple[RunRow, ...]:
    return tuple(row for row, _ in scored)


def _published(value: float | None) -> float | None:
    return None if value is None else published_float(value)
