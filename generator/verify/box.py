"""The box score once more: each run against the profile that the site publishes, and the numbers of each variant."""

import math
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from statistics import median
from typing import Any

from generator.verify.box_losses import soft_square, together
from generator.verify.box_margin import nearest_turns
from generator.verify.canonical import config_hash
from generator.verify.case_tests import drawn_ends
from generator.verify.evidence import EvidenceRun, Judged
from generator.verify.exact import rounded
from generator.verify.made import DerivedDetail, Made, why
from generator.verify.recompute import MARKS

BOX_SUMMARIES = ("box_rmsl", "box_mean_score", "box_median_score", "box_spread")
BOX_BY_FACTOR = ("box_badness", "box_loss")
BOX_INSIDE, BOX_MARGIN = "box_inside_rate", "box_margin"
BOX_OPERATIONS = (*BOX_SUMMARIES, BOX_INSIDE, *BOX_BY_FACTOR, BOX_MARGIN)
BOX_DRAWN = "box_rmsl"
"""Whose differences have an interval from drawn cases."""
BOX_COMPARED = (BOX_DRAWN, BOX_INSIDE)
BOX_EXACT = (BOX_INSIDE, "box_badness")
"""Made by rationals alone."""
BOX_DECIMALS = 4
_COLUMN_REASONS = {
    "cost_usd": "cost_not_recorded",
    "duration_ms": "duration_not_recorded",
    "total_tokens": "usage_not_recorded",
    "turns": "trace_not_recorded",
}
_OF_TIME, _OF_TOKENS = ("duration_ms", "duration_p50", "duration_p95"), ("total_tokens", "avg_tokens")
_MOST_CASES_DRAWN = 500
_FARTHEST = 10**70


@dataclass(frozen=True)
class FactorSaid:
    """Of one factor of a run: its value, and that relative to the limit, both exactly."""

    value: int | Fraction
    x: Fraction
    loss: float
    weighted: float

    @property
    def is_inside(self) -> bool:
        return self.x <= 1


@dataclass(frozen=True)
class BoxSaid:
    """What a profile says of a run: its factors, or why it lacks one; without all of them there is no score."""

    factors: dict[str, FactorSaid]
    lacking: dict[str, str]
    score: float | None

    @property
    def is_below_one(self) -> bool:
        """By the twelve digits that are published."""
        return self.score is not None and float(f"{self.score:.12g}") < 1

    @property
    def is_inside(self) -> bool:
        return not self.lacking and all(factor.is_inside for factor in self.factors.values())


class BoxRules:
    """A published profile.

    Raises
    ------
    ValueError
        It cannot be a profile: a limit, a steepness or weights out of range.
    """

    def __init__(self, profile: dict[str, Any]) -> None:
        self.factors: dict[str, dict[str, Any]] = {factor["name"]: factor for factor in profile["factors"]}
        self.method: str = profile["method"]
        self._weight = sum((Fraction(factor["lambda"]) for factor in profile["factors"]), Fraction(0))
        decides = [
            {name: factor[name] for name in ("name", "column", "direction", "tau", "k", "lambda")}
            for factor in profile["factors"]
        ]
        digest = config_hash({"method": self.method, "factors": decides}).removeprefix("sha256:")
        self.stamp = f"{profile['id']}@{profile['version']}:{digest[:16]}"
        if len(self.factors) < len(decides) or self._weight <= 0 or not all(map(_is_sound, decides)):
            raise ValueError("a profile out of range")

    def marks(self, of: str | None) -> set[str]:
        """Of single runs, those that say something of a factor; of one alone, where a number is."""
        columns = {factor["column"] for name, factor in self.factors.items() if of in (None, name)}
        found = {"cached"}
        found |= {"censored"} if columns & {*_OF_TIME} else set()
        return found | ({"estimated"} if columns & {*_OF_TOKENS} else set())

    def said_of(self, run: EvidenceRun) -> BoxSaid:
        known: dict[str, FactorSaid] = {}
        lacking: dict[str, str] = {}
        for name, factor in self.factors.items():
            value, reason = _column_of(run, factor["column"])
            x = None if value is None else _badness(factor, Fraction(value))
            if value is None or x is None:
                lacking[name] = reason
                continue
            if x < 0 or x > _FARTHEST or Fraction(factor["k"]) * (x - 1) > _FARTHEST:
                lacking[name] = "beyond_range"
                continue
            loss = soft_square(float(Fraction(factor["k"]) * (x - 1)))
            known[name] = FactorSaid(value, x, loss, float(Fraction(factor["lambda"]) / self._weight) * loss)
        score = None
        if not lacking:
            shares = (float(Fraction(factor["lambda"]) / self._weight) for factor in self.factors.values())
            at_limits = together(self.method, [share * math.log(2) ** 2 for share in shares])
            score = together(self.method, [known[name].weighted for name in self.factors]) / at_limits
        return BoxSaid(known, lacking, score)

    def contribution(self, run: EvidenceRun, number: dict[str, Any], operation: str) -> Judged:
        """What a run contributed to a number, as its page shows it."""
        said = self.said_of(run)
        if said.score is None:
            return Judged("value", None, next(iter(said.lacking.values())))
        if operation == BOX_INSIDE:
            return Judged("hit" if said.is_inside else "miss", None, None)
        value: float | Fraction = said.score
        if operation in BOX_BY_FACTOR:
            part = said.factors[str(number["slice"]).removeprefix("factor-")]
            value = part.x if operation == "box_badness" else part.loss
        return Judged("value", shown_value(value), None)


class BoxNumbers:
    """The numbers of the box of a batch. `valid` are the valid runs of each variant, `caps` the values at which a
    record of time ends."""

    def __init__(self, rules: BoxRules, valid: dict[str, list[EvidenceRun]], caps: Sequence[int] = ()) -> None:
        self._rules, self._valid, self._caps = rules, valid, caps

    @cached_property
    def _said(self) -> dict[str, BoxSaid]:
        return {run.run_id: self._rules.said_of(run) for runs in self._valid.values() for run in runs}

    def slices(self, operation: str) -> list[str | None]:
        """Those that each variant has a number of."""
        return [f"factor-{name}" for name in self._rules.factors] if operation in BOX_BY_FACTOR else [None]

    def made(self, operation: str, sides: Sequence[str], slice_: str | None) -> Made:
        """As every other derivation."""
        if operation == BOX_MARGIN:
            return self._margin(sides[0], sides[1])
        runs = self._valid.get(sides[0], [])
        scored = self._scored(sides[0])
        detail = self._detail(sides[0])
        if operation == BOX_INSIDE:
            below = [said for _, said in scored if said.is_below_one]
            detail |= {"below_one": len(below), "below_one_outside": sum(not said.is_inside for said in below)}
        if operation in BOX_BY_FACTOR:
            name = str(slice_).removeprefix("factor-")
            detail["outside"] = sum(not said.factors[name].is_inside for _, said in scored)
        if not scored:
            return None, [], why(runs, "no_run_scored"), detail
        counted = [run for run, _ in scored]
        if operation == BOX_INSIDE:
            return Fraction(len(self.inside(sides[0])), len(scored)), counted, None, detail
        if operation in BOX_BY_FACTOR:
            parts = [said.factors[name] for _, said in scored]
            values = [part.x if operation == "box_badness" else Fraction(part.loss) for part in parts]
            return sum(values, Fraction(0)) / len(values), counted, None, detail
        return _summary(operation, [said.score or 0.0 for _, said in scored]), counted, None, detail

    def inside(self, variant: str) -> set[str]:
        return {run.run_id for run, said in self._scored(variant) if said.is_inside}

    def marks(self, runs: Sequence[EvidenceRun], slice_: str | None) -> list[str]:
        """What runs that a value rests on give to it; `slice_` names a factor."""
        borne = {mark for run in runs for mark in run.marks or ()}
        if any(run.timed.duration in self._caps for run in runs):
            borne.add("censored")
        borne &= self._rules.marks(None if slice_ is None else slice_.removeprefix("factor-"))
        return [mark for mark in MARKS if mark in borne]

    def rmsl_interval(self, own: str, base: str, seed: str, level: float) -> tuple[float, float] | None:
        """Of the difference of both, from drawn cases, which must be the same on both sides."""
        sides = [self._by_case(side) for side in (own, base)]
        shared = sorted(sides[0])
        if sides[0].keys() != sides[1].keys() or len(shared) > _MOST_CASES_DRAWN:
            return None
        return drawn_ends([(sides[0][case], sides[1][case]) for case in shared], _rmsl_apart, seed, level)

    def _by_case(self, variant: str) -> dict[str, list[float]]:
        """Squares of the log scores of each case."""
        found: dict[str, list[float]] = defaultdict(list)
        for run, said in self._scored(variant):
            found[run.case].append(math.log1p(said.score or 0.0) ** 2)
        return found

    def _scored(self, variant: str) -> list[tuple[EvidenceRun, BoxSaid]]:
        found = ((run, self._said[run.run_id]) for run in self._valid.get(variant, []))
        return [(run, said) for run, said in found if not said.lacking]

    def _detail(self, variant: str) -> DerivedDetail:
        lacking = Counter(name for run in self._valid.get(variant, []) for name in self._said[run.run_id].lacking)
        return {"profile": self._rules.stamp, "lacking": {name: {"runs": count} for name, count in lacking.items()}}

    def _margin(self, own: str, base: str) -> Made:
        groups = [self._scored(side) for side in (own, base)]
        counted = [run for scored in groups for run, _ in scored]
        detail: DerivedDetail = {"profile": self._rules.stamp}
        for side, scored in zip((own, base), groups, strict=True):
            if not scored:
                return None, counted, why(self._valid.get(side, []), "no_run_scored"), detail
        factors = list(self._rules.factors.values())
        xs = [[[float(said.factors[f["name"]].x) for f in factors] for _, said in scored] for scored in groups]
        found = nearest_turns(xs[0], xs[1], factors, self._rules.method)
        if found is None:
            return None, counted, "no_order", detail
        ratios = [ratio for turns in found for ratio, _ in turns.values()]
        detail["factors"] = {
            factor["name"]: {part: value for part, (_, value) in turns.items()}
            for factor, turns in zip(factors, found, strict=True)
        }
        return min(ratios, default=None), counted, None if ratios else "order_holds", detail


def shown_value(value: float | Fraction) -> Fraction:
    """A run's own value, as pages write it: the twelve digits of a float, rounded."""
    return rounded(Fraction(f"{float(value):.12g}"), BOX_DECIMALS)


def _rmsl_apart(drawn: Sequence[tuple[list[float], list[float]]]) -> float:
    own, base = ([square for squares in side for square in squares] for side in zip(*drawn, strict=True))
    return math.expm1(math.sqrt(math.fsum(own) / len(own))) - math.expm1(math.sqrt(math.fsum(base) / len(base)))


def _summary(operation: str, scores: list[float]) -> float:
    if operation == "box_mean_score":
        return math.fsum(scores) / len(scores)
    if operation == "box_median_score":
        return float(median(scores))
    logs = [math.log1p(score) for score in scores]
    mean_square = math.fsum(log * log for log in logs) / len(logs)
    if operation == "box_rmsl":
        return math.expm1(math.sqrt(mean_square))
    mean = math.fsum(logs) / len(logs)
    return math.sqrt(math.fsum((log - mean) ** 2 for log in logs) / len(logs))


def _is_sound(factor: dict[str, Any]) -> bool:
    fits = factor["tau"] > 0 if factor["direction"] == "lower" else 0 <= factor["tau"] < 1
    return bool(fits and factor["k"] >= 0 and factor["lambda"] >= 0)


def _badness(factor: dict[str, Any], value: Fraction) -> Fraction:
    tau = Fraction(factor["tau"])
    return value / tau if factor["direction"] == "lower" else (1 - value) / (1 - tau)


def _column_of(run: EvidenceRun, column: str) -> tuple[int | Fraction | None, str]:
    """What a column holds, and why if it holds nothing."""
    recorded = run.recorded
    if column in _COLUMN_REASONS:
        turns = run.assertions.get("avg_turns")
        found: dict[str, int | Fraction | None] = {
            "cost_usd": recorded.cost,
            "duration_ms": recorded.duration,
            "total_tokens": recorded.tokens,
            "turns": None if turns is None else turns.value,
        }
        return found[column], _COLUMN_REASONS[column]
    judged = run.assertions.get(column)
    if judged is None or judged.outcome == "not_applicable":
        return None, (judged and judged.reason) or "not_given"
    if judged.outcome == "value":
        return judged.value, judged.reason or "not_given"
    return (1 if judged.outcome == "hit" else 0), ""
