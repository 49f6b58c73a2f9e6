"""Every number once more, from the assertions in the evidence."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from math import comb
from typing import Any

from generator.verify.batches import NOT_GIVEN
from generator.verify.evidence import EvidenceRun, Judged
from generator.verify.exact import newcombe, quantile
from generator.verify.levels import Levels
from generator.verify.names import file_name

MARKS = ("small_n", "estimated", "cached", "censored", "other_cases")
_FEW_RUNS = "fewer_than_k_valid_runs"
_MARKED_BY_RUNS = ("tokens", "ms")


@dataclass
class Recomputed:
    """A number as the evidence has it. Run sets are sets of run ids; None where the number has none. `reason` says why
    there is no value, `marks` what a reader must know before using it. `cases` are those that pass^k is a mean of."""

    value: Fraction | None = None
    numerator: int | None = None
    denominator: int | None = None
    runs: set[str] | None = None
    numerator_runs: set[str] | None = None
    excluded: dict[str, set[str]] = field(default_factory=dict)
    missing: set[str] = field(default_factory=set)
    interval: tuple[float, float] | None = None
    method: str | None = None
    reason: str | None = None
    marks: list[str] = field(default_factory=list)
    cases: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Batch:
    """The batch file, the evidence of its runs, the batches of its experiment that were published before (oldest
    first), the box profile in force where its runs are held against one, and the details of its derived numbers by
    variant and metric."""

    head: dict[str, Any]
    runs: list[EvidenceRun]
    earlier: tuple["Batch", ...] = ()
    profile: dict[str, Any] | None = None
    details: dict[tuple[str, str], dict[str, Any]] = field(default_factory=dict)

    @cached_property
    def groups(self) -> dict[tuple[str, str | None], list[EvidenceRun]]:
        """The runs of each variant and slice."""
        found: dict[tuple[str, str | None], list[EvidenceRun]] = defaultdict(list)
        for run in self.runs:
            for name in (None, *_slices(run)):
                found[run.variant, name].append(run)
        return found

    @cached_property
    def hides_marks(self) -> bool:
        """Whether the whitelist keeps back the telemetry that marks rest on."""
        return any(run.marks is None for run in self.runs)

    @cached_property
    def by_id(self) -> dict[str, EvidenceRun]:
        return {run.run_id: run for run in self.runs}


def group_of(batch: Batch, number: dict[str, Any]) -> list[EvidenceRun]:
    """The runs of the number's variant and slice."""
    return batch.groups.get((number["variant"], number["slice"]), [])


def recompute(batch: Batch, number: dict[str, Any], metric: dict[str, Any], levels: Levels) -> Recomputed:
    """A number that is not a difference.

    Raises
    ------
    KeyError
        the metric table names an aggregate that is not published here.
    """
    group = group_of(batch, number)
    if metric["aggregate"] == "count":
        return _count(batch, number, group)
    judged, result = _judged(group, _assertion_of(batch, metric))
    by_aggregate: dict[str, Callable[[], None]] = {
        "proportion": lambda: _proportion(result, judged, levels),
        "mean": lambda: _sample(result, judged, lambda values: sum(values, Fraction(0)) / len(values)),
        "quantile": lambda: _sample(result, judged, lambda values: quantile(values, Fraction(metric["p"]))),
        "pass_hat": lambda: _pass_hat(result, judged, metric["k"]),
    }
    by_aggregate[metric["aggregate"]]()
    if result.value is None:
        result.reason = _why_nothing(result)
    else:
        result.marks = _marks(batch, metric, result, levels)
    return result


def recompute_difference(first: Recomputed, second: Recomputed, metric: dict[str, Any], level: float) -> Recomputed:
    """The first number minus the second; Newcombe's interval for proportions."""
    result = Recomputed()
    if first.value is not None and second.value is not None:
        result.value = first.value - second.value
        if first.interval is not None and second.interval is not None:
            hits = (first.numerator or 0, second.numerator or 0)
            result.interval = newcombe(hits, (first.denominator or 0, second.denominator or 0), level)
            result.method = "newcombe"
    else:
        result.reason = "incomparable"
    borne = {*first.marks, *second.marks}
    if result.value is not None and first.cases != second.cases:
        borne.add("other_cases")
    result.marks = [mark for mark in MARKS if mark in borne]
    return result


def change_word(first: Fraction | None, second: Fraction | None, direction: str) -> str:
    """What became of `second`, the baseline."""
    if first is None or second is None:
        return "incomparable"
    if first == second:
        return "unchanged"
    if direction == "neutral":
        return "up" if first > second else "down"
    return "improved" if (first > second) == (direction == "higher") else "regressed"


def _slices(run: EvidenceRun) -> tuple[str, str, str]:
    return (
        f"category-{file_name(run.category)}",
        f"case-{file_name(run.case)}",
        f"stratum-{file_name(run.stratum or '')}",
    )


def _assertion_of(batch: Batch, metric: dict[str, Any]) -> str:
    return str(batch.head["pass_metric"] if metric["aggregate"] == "pass_hat" else metric["id"])


def _why_nothing(result: Recomputed) -> str:
    if f"not_applicable:{_FEW_RUNS}" in result.excluded:
        return _FEW_RUNS
    if result.missing:
        return "no_record"
    if any(key.startswith("not_applicable:") for key in result.excluded):
        return "not_applicable_to_any_run"
    return "no_valid_runs"


def _marks(batch: Batch, metric: dict[str, Any], result: Recomputed, levels: Levels) -> list[str]:
    sample = result.runs or set()
    borne = {"small_n"} if len(sample) < batch.head["threshold"] else set()
    if metric["unit"] in _MARKED_BY_RUNS:
        of_runs = {mark for run_id in sample for mark in batch.by_id[run_id].marks or ()}
        if any(batch.by_id[run_id].timed.duration in levels.times["caps_ms"] for run_id in sample):
            of_runs.add("censored")
        borne |= of_runs & {"cached", {"tokens": "estimated", "ms": "censored"}[metric["unit"]]}
    return [mark for mark in MARKS if mark in borne]


def _judged(group: Iterable[EvidenceRun], metric: str) -> tuple[list[tuple[EvidenceRun, Judged]], Recomputed]:
    """The runs to which the metric applies, and a result in which the others are excluded."""
    judged = []
    excluded: dict[str, set[str]] = defaultdict(set)
    for run in group:
        assertion = run.assertions.get(metric)
        if run.validity != "valid":
            excluded[f"{run.validity}:{run.reason or NOT_GIVEN}"].add(run.run_id)
        elif assertion is None or assertion.outcome == "not_applicable":
            excluded[f"not_applicable:{(assertion and assertion.reason) or NOT_GIVEN}"].add(run.run_id)
        else:
            judged.append((run, assertion))
    return judged, Recomputed(excluded=dict(excluded))


def _proportion(result: Recomputed, judged: list[tuple[EvidenceRun, Judged]], levels: Levels) -> None:
    hits = {run.run_id for run, assertion in judged if assertion.outcome == "hit"}
    result.runs = {run.run_id for run, _ in judged}
    result.numerator_runs = hits
    result.numerator, result.denominator = len(hits), len(judged)
    if judged:
        result.value = Fraction(len(hits), len(judged))
        result.interval = levels.interval_of(len(hits), len(judged))
        result.method = levels.interval


def _sample(
    result: Recomputed,
    judged: list[tuple[EvidenceRun, Judged]],
    reduce: Callable[[list[Fraction]], Fraction],
) -> None:
    measured = {run.run_id: Fraction(assertion.value) for run, assertion in judged if assertion.value is not None}
    result.runs = set(measured)
    result.missing = {run.run_id for run, _ in judged} - result.runs
    result.denominator = len(measured)
    if measured:
        result.value = reduce(list(measured.values()))


def _pass_hat(result: Recomputed, judged: list[tuple[EvidenceRun, Judged]], k: int) -> None:
    by_case: dict[str, list[tuple[str, bool]]] = defaultdict(list)
    for run, assertion in judged:
        by_case[run.case].append((run.run_id, assertion.outcome == "hit"))
    enough = [runs for runs in by_case.values() if len(runs) >= k]
    few = {run_id for runs in by_case.values() if len(runs) < k for run_id, _ in runs}
    if few:
        result.excluded[f"not_applicable:{_FEW_RUNS}"] = few
    result.runs = {run_id for runs in enough for run_id, _ in runs}
    result.denominator = len(enough)
    result.cases = frozenset(case for case, runs in by_case.items() if len(runs) >= k)
    if enough:
        shares = (Fraction(comb(sum(passed for _, passed in runs), k), comb(len(runs), k)) for runs in enough)
        result.value = sum(shares, Fraction(0)) / len(enough)


def _count(batch: Batch, number: dict[str, Any], group: list[EvidenceRun]) -> Recomputed:
    kind = number["metric"].removeprefix("runs_")
    grid = batch.head["grid"]
    if kind == "planned":
        cells = len(grid["cases"]) * grid["repeats"] if number["variant"] in grid["variants"] else 0
        return Recomputed(value=Fraction(cells))
    if kind == "skipped":
        counts = Counter(cell["variant"] for cell in batch.head["skipped"])
        return Recomputed(value=Fraction(counts[number["variant"]]))
    counted = {run.run_id for run in group if kind in (run.validity, run.state.lower())}
    return Recomputed(value=Fraction(len(counted)), runs=counted)
